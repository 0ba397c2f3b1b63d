/** The files of an exclusion, page by page. */
import type { FieldCleaner } from '../sources/field-values.ts';
import { readSource, refusal, type FilePage, type FileSource } from '../sources/company-source.ts';
import type { ExclusionPlan } from '../../config/run-plan.ts';
import { sourceFields } from '../../base/spreadsheet/header-names.ts';
import {
  isIgnoredColumn,
  toYaml,
  type FieldValues,
  type SourceColumns,
} from '../../base/spreadsheet/source-columns.ts';
import { toCellText } from '../../base/spreadsheet/table.ts';
import { toHeaderKey } from '../../base/text/header-key.ts';
import { isBlockHeader } from '../sources/do-not-contact.ts';
import { createUnreadColumns } from '../sources/unread-columns.ts';
import { mayHoldWebsite } from '../sources/unread-websites.ts';
import { toCandidateFromRow, type Candidate } from './exclusion-candidate.ts';
import type { createExclusionNotes } from './exclusion-notes.ts';

interface FileReading {
  readonly cleaner: FieldCleaner;
  /** Receives the rows of all files. */
  readonly rowNotes: ReturnType<typeof createExclusionNotes>;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/**
 * @throws ApplicationFailure FileRefused for a file with a row that cannot be excluded, or without the column of the name, and at its end
 * for one whose column of answers says that only some rows are to be excluded, or whose ids are those of other companies
 */
export async function* readExclusionFiles(
  exclusion: ExclusionPlan,
  { cleaner, rowNotes, now, signal }: FileReading,
): AsyncGenerator<{ readonly file: FileSource; readonly page: FilePage<Candidate> }> {
  for (const file of toFileSources(exclusion)) {
    const isJudged = (header: string) => isBlockHeader(header) && !isIgnoredColumn(header, file.columns ?? {});
    const mapping = {
      fields: sourceFields,
      keeps: (header: string, columns: SourceColumns) => isJudged(header) || mayHoldWebsite(header, columns, file),
      fromRow: (values: FieldValues) => toCandidateFromRow(values, { reason: exclusion.reasons[file.kind], now }),
      cleaner,
      problems: ({ problems }: Candidate) => problems,
    };
    const unread = createUnreadColumns();
    let headers: readonly string[] = [];
    let idHeader = '';
    for await (const page of readSource(file, mapping, signal)) {
      ({ headers } = page);
      idHeader = page.columns.used.external_id ?? '';
      const read = new Set(Object.values(page.columns.used));
      for (const [index, header] of headers.entries())
        if (!read.has(header) && isJudged(header))
          for (const { source } of page.rows)
            unread.add({ index, header: toHeaderKey(header) }, source.number, toCellText(source.cells[index] ?? ''));
      rowNotes.add(page, file);
      yield { file, page };
    }
    const mixed = unread.mixed();
    if (rowNotes.areIdsUseless()) throw refusal(file, toUselessText(idHeader, file.settingsPath));
    if (mixed !== null) throw refusal(file, toMixedText(mixed, headers[mixed.index] ?? '', file.settingsPath));
  }
}

function toUselessText(header: string, settingsPath: string): string {
  return `almost all rows have the external_id of a row of another company, in the column ${JSON.stringify(header)}: it does not hold ids, and would replace those that the blacklist has. Write the header of the ids at ${settingsPath}.external_id, or set ${settingsPath}.ignore: [${toYaml(header)}]`;
}

type Mixed = NonNullable<ReturnType<ReturnType<typeof createUnreadColumns>['mixed']>>;

function toMixedText({ row, word, yes }: Mixed, header: string, settingsPath: string): string {
  const said = word === '' ? 'is empty' : `says ${JSON.stringify(word)}`;
  return `row ${row} ${said} in the column ${JSON.stringify(header)}, where other rows say ${JSON.stringify(yes)}, and its company would be excluded too, because the column is not read. Take out the rows that are not to be excluded; if all of them are, set ${settingsPath}.ignore: [${toYaml(header)}]`;
}

function toFileSources({
  name,
  source: { csv, xlsx, sheet, headerRow, externalIdForm, columns },
}: ExclusionPlan): FileSource[] {
  const settingsPath = `exclusions.${name}.columns`;
  return [
    ...(csv === null ? [] : [{ kind: 'csv', path: csv, headerRow, externalIdForm, columns, settingsPath } as const]),
    ...(xlsx === null
      ? []
      : [{ kind: 'xlsx', path: xlsx, sheet, headerRow, externalIdForm, columns, settingsPath } as const]),
  ];
}
