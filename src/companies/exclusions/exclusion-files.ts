/** The files of an exclusion, page by page. */
import type { FieldCleaner } from '../sources/field-values.ts';
import { readSource, type FilePage, type FileSource } from '../sources/company-source.ts';
import type { ExclusionPlan } from '../../config/run-plan.ts';
import { sourceFields } from '../../base/spreadsheet/header-names.ts';
import type { FieldValues } from '../../base/spreadsheet/source-columns.ts';
import { toCandidateFromRow, type Candidate } from './exclusion-candidate.ts';

interface FileReading {
  readonly cleaner: FieldCleaner;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** @throws ApplicationFailure FileRefused for a file with a row that cannot be excluded, or without the column of the name */
export async function* readExclusionFiles(
  exclusion: ExclusionPlan,
  { cleaner, now, signal }: FileReading,
): AsyncGenerator<{ readonly file: FileSource; readonly page: FilePage<Candidate> }> {
  for (const file of toFileSources(exclusion)) {
    const mapping = {
      fields: sourceFields,
      kept: 'fields' as const,
      fromRow: (values: FieldValues) => toCandidateFromRow(values, { reason: exclusion.reasons[file.kind], now }),
      cleaner,
      problems: ({ problems }: Candidate) => problems,
    };
    for await (const page of readSource(file, mapping, signal)) yield { file, page };
  }
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
