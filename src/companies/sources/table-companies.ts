/** The companies that an enrichment reads from a file or a query. */
import { nonRetryable } from '../../base/failures/application-failure.ts';
import { encodeCells, type DraftSource, type FileReading } from '../../ledger/draft-source.ts';
import type { DraftRow } from '../../ledger/draft-store.ts';
import type { RejectedRow } from '../../ledger/rejected-rows.ts';
import type { TableCompanies } from '../../config/enrichment-source-settings.ts';
import { overLimit, SpreadsheetError } from '../../base/spreadsheet/spreadsheet-error.ts';
import { fileLimits, formatLimit } from '../../base/spreadsheet/file-limits.ts';
import type { SourceRow } from '../../base/spreadsheet/table.ts';
import { placeOf, readSource, type ActivityContext, type TableSource } from './company-source.ts';
import { createProblemList } from './problem-list.ts';
import { companyRowSchema, describeViolation, violations, type CompanyRow } from '../../service/contract/index.ts';
import { toEntryFromFile, websiteProblems } from './blacklist-entry.ts';
import { createFieldCleaner, toCorrectionFigures } from './field-values.ts';
import { toFileReading } from './file-columns.ts';
import type { NotedNumbers } from './ordered-notes.ts';
import { createMarkedRows } from './do-not-contact.ts';
import { createRowNotes } from './row-notes.ts';
import type { FieldValues } from '../../base/spreadsheet/source-columns.ts';

export interface Limited {
  readonly runName: string;
  /** null: any number. */
  readonly maxBriefings: number | null;
}

/** An enrichment's quantity is known only after its companies are read. @throws LimitExceeded */
export function assertWithinLimit({ runName, maxBriefings }: Limited, rows: number): void {
  if (maxBriefings === null || rows <= maxBriefings) return;
  const [found, allowed] = [rows, maxBriefings].map((count) => count.toLocaleString('en'));
  throw nonRetryable(
    'LimitExceeded',
    `run ${runName} found ${found} companies to enrich, and limits.max_briefings_per_run allows ${allowed}: nothing was ordered`,
  );
}

export function toTableSource(runName: string, companies: TableCompanies): TableSource {
  const { columns, badRows } = companies;
  const settings = { columns: columns ?? {}, badRows, settingsPath: `runs.${runName}.companies.columns` };
  if (companies.from === 'sql') {
    const query = { ...companies.sql, setting: `runs.${runName}.companies.sql` };
    return { kind: 'sql', query, ...settings };
  }
  const { from: kind, path, sheet, headerRow, externalIdForm } = companies;
  const file = { sheet: sheet ?? undefined, headerRow: headerRow ?? undefined };
  return { kind, path, ...file, externalIdForm: externalIdForm ?? undefined, ...settings };
}

export interface TableDraft {
  readonly rows: readonly DraftRow[];
  readonly source: DraftSource;
  readonly rejected: readonly RejectedRow[];
  readonly noted: NotedNumbers;
}

export async function readFromTable(
  file: TableSource,
  plan: Limited,
  { signal, recordProgress }: ActivityContext,
): Promise<TableDraft> {
  const cleaner = createFieldCleaner();
  const mapping = {
    fields: tableFields,
    keeps: () => true,
    fromRow: toCompanyRowFromFile,
    cleaner,
    problems: companyRowProblems,
    badRows: file.badRows,
  };
  const rejected: RejectedRow[] = [];
  const problems = createProblemList();
  const rows: DraftRow[] = [];
  const hidden: number[] = [];
  let headers: readonly string[] = [];
  let reading: Partial<FileReading> = {};
  let height = 0;
  let count = 0;
  let characters = 0;
  let replaced = 0;
  const [rowNotes, marked] = [createRowNotes(), createMarkedRows()];
  for await (const page of readSource(file, mapping, signal)) {
    ({ headers } = page);
    reading = toFileReading(page);
    const toOwnJson = ({ cells }: SourceRow) => {
      const ownJson = encodeCells(headers.map((_, index) => cells[index] ?? ''));
      characters += ownJson.length;
      if (characters > fileLimits.keptCharacters) throw fileTooLarge(file);
      return ownJson;
    };
    for (const invalid of page.rejected) {
      const { source, problems: reasons } = invalid;
      problems.add(invalid);
      rejected.push({ sourceRow: source.number, reasons, ownJson: toOwnJson(source) });
    }
    const last = Math.max(page.rows.at(-1)?.source.number ?? 0, page.rejected.at(-1)?.source.number ?? 0);
    height = Math.max(height, last - page.headerNumber);
    rowNotes.add(page, file);
    marked.add(page);
    for (const { row, source } of page.rows) {
      count += 1;
      if (source.isHidden === true) hidden.push(source.number);
      // Rows over the limit are only counted, for the error message.
      if (count > (plan.maxBriefings ?? Infinity)) continue;
      rows.push({
        position: rows.length,
        company: row,
        sourceRow: source.number,
        ownJson: toOwnJson(source),
      });
    }
    replaced += page.replaced;
    recordProgress(count + rejected.length);
  }
  if (count === 0 && rejected.length > 0) throw allRowsRejected(file, problems);
  assertWithinLimit(plan, count);
  const report = {
    kind: file.kind,
    rows: height,
    blank: height - count - rejected.length,
    unusable: 0,
    ordered: rows.length,
    columns: null,
    ...reading,
    ...(rejected.length === 0 ? {} : { rejected: { rows: rejected.length, file: null } }),
    ...(replaced === 0 ? {} : { replaced }),
    ...toCorrectionFigures(cleaner.corrections()),
    ...rowNotes.notes(),
    ...marked.notes(),
  };
  return { rows, source: { report, headers }, rejected, noted: { hidden, ...marked.numbers() } };
}

export function allRowsRejected(source: TableSource, { rows, text }: ReturnType<typeof createProblemList>) {
  return nonRetryable(
    'AllRowsRejected',
    `all ${rows()} rows of ${placeOf(source)} are invalid: ${text()}. No order was placed`,
  );
}

function fileTooLarge(source: TableSource): SpreadsheetError {
  const path = placeOf(source);
  const problem = `its rows have more than ${formatLimit(fileLimits.keptCharacters)} characters; take out columns that are not needed, or split the source`;
  return new SpreadsheetError({ path, action: 'reading', problem, code: overLimit });
}

/** Fields that are read from a file. */
export const tableFields = [
  'company_name',
  'website_url',
  'city',
  'country',
  'external_id',
] as const satisfies readonly (keyof CompanyRow)[];

export function toCompanyRowFromFile(row: FieldValues): CompanyRow {
  const { reason: _reason, ...companyRow } = toEntryFromFile(row, null);
  return companyRow;
}

/** Problems of a row, without values; empty for a valid row. */
export function companyRowProblems(row: CompanyRow): string[] {
  return [...violations(companyRowSchema, row).map(describeViolation), ...websiteProblems(row)];
}
