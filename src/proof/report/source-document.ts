/** The sources of enrichments and exclusions in the documents that `--json` prints. */
import { rowNotes, type RowNotes, type SourceReport } from '../../ledger/draft-source.ts';

export function toRowNotesDocument({
  hidden,
  formattedIds,
  unnamedColumns,
  mergedCells,
  unreadWebsites,
  ...notes
}: RowNotes) {
  return {
    ...(hidden && { hidden }),
    ...Object.fromEntries(rowNotes.flatMap((note) => (notes[note] ? [[toSnakeCase(note), notes[note]]] : []))),
    ...(formattedIds && { formatted_ids: formattedIds }),
    ...(unnamedColumns && { unnamed_columns: unnamedColumns }),
    ...(mergedCells && { merged_cells: mergedCells }),
    ...(unreadWebsites && { unread_websites: unreadWebsites }),
  };
}

export function toSourceDocument({ columns, ...source }: SourceReport) {
  return {
    ...Object.fromEntries(Object.entries(source).map(([name, value]) => [toSnakeCase(name), value])),
    columns_used: columns?.used ?? null,
    columns_ignored: columns?.ignored ?? null,
    ...(columns?.hidden && { columns_hidden: columns.hidden }),
  };
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
