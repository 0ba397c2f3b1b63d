import { nonRetryable } from '../failures/application-failure.ts';
import {
  encodeCells,
  type DraftRow,
  type DraftSource,
  type ExcludedRow,
  type SourceReport,
} from '../ledger/draft-store.ts';
import type { RunPlan } from '../config/run-plan.ts';
import type { CompanySource, CrmSelection } from '../config/enrichment-source-settings.ts';
import { overLimit, SpreadsheetError } from '../spreadsheet/spreadsheet-error.ts';
import { fileLimits, formatLimit } from '../spreadsheet/file-limits.ts';
import type { HubSpotClient } from '../hubspot/hubspot-client.ts';
import { placeOf, readSource, type ActivityContext, type TableSource } from './company-source.ts';
import { readCrm } from './crm-companies.ts';
import { boundWord, boundWords } from '../text/bound-text.ts';
import { companyRowSchema, describeViolation, domainOf, violations, type CompanyRow } from '../contract/index.ts';
import { toEntryFromCrm, toEntryFromFile } from './blacklist-entry.ts';
import type { FieldValues } from '../mapping/source-columns.ts';

export interface Draft {
  readonly rows: readonly DraftRow[];
  readonly source: DraftSource;
  /** Rows that are not ordered, because they match an exclusion. */
  readonly excluded: readonly ExcludedRow[];
}

/** The rows that match an exclusion, by their position in `rows`. */
type FindExcluded = (rows: readonly DraftRow[]) => Promise<ReadonlyMap<number, ExcludedRow>>;

/**
 * The companies that an enrichment submits, with the other cells of their rows. Without `findExcluded`, the exclusions of the run are not
 * applied, and the limit is checked only for a run that has none.
 * @throws ApplicationFailure, non-retryable, when there are none or the file cannot be used
 */
export async function readCompanies(
  hubspot: HubSpotClient,
  plan: CompaniesPlan,
  context: ActivityContext,
  findExcluded: FindExcluded | null = null,
): Promise<Draft> {
  const { runName, companies } = plan;
  if (companies === null) throw nonRetryable('NoCompanies', `run ${runName} has no source of companies`);
  const source = toTableSource(runName, companies);
  // The limit is one of the order, which has no excluded rows.
  const limited = plan.exclusions.length === 0 ? plan : { runName };
  const read =
    source === null ? await readFromCrm(hubspot, companies, context) : await readFromTable(source, limited, context);
  if (read.rows.length === 0)
    throw nonRetryable('NoCompanies', `run ${runName} found no company to enrich: no order was placed`);
  if (findExcluded === null) {
    assertWithinLimit(limited, read.rows.length);
    return { ...read, excluded: [] };
  }
  const draft = withoutExcluded(read, await findExcluded(read.rows), plan);
  if (draft.rows.length === 0)
    throw nonRetryable(
      'AllRowsExcluded',
      `run ${runName} found ${read.rows.length} companies to enrich, and all of them match its exclusions: no order was placed`,
    );
  assertWithinLimit(plan, draft.rows.length);
  return draft;
}

function withoutExcluded(
  { rows, source }: Omit<Draft, 'excluded'>,
  excluded: ReadonlyMap<number, ExcludedRow>,
  { exclusions }: CompaniesPlan,
): Draft {
  const ordered = rows
    .filter((_, index) => !excluded.has(index))
    .map((row, position): DraftRow => ({ ...row, position }));
  const counts = Object.fromEntries(exclusions.map(({ name }) => [name, 0]));
  for (const { exclusion } of excluded.values()) counts[exclusion] = (counts[exclusion] ?? 0) + 1;
  const report = { ...source.report, ordered: ordered.length, excluded: counts };
  return { rows: ordered, source: { ...source, report }, excluded: [...excluded.values()] };
}

type CompaniesPlan = Pick<RunPlan, 'runName' | 'companies' | 'maxBriefings'> & {
  readonly exclusions: readonly { readonly name: string }[];
};
type Limited = Pick<RunPlan, 'runName' | 'maxBriefings'>;

/** An enrichment's quantity is known only after its companies are read. @throws LimitExceeded */
function assertWithinLimit({ runName, maxBriefings }: Limited, rows: number): void {
  if (maxBriefings === undefined || rows <= maxBriefings) return;
  const [found, allowed] = [rows, maxBriefings].map((count) => count.toLocaleString('en'));
  throw nonRetryable(
    'LimitExceeded',
    `run ${runName} found ${found} companies to enrich, and limits.max_briefings_per_run allows ${allowed}: nothing was ordered`,
  );
}

/** null: the companies come from the CRM. */
export function toTableSource(
  runName: string,
  { csv, xlsx, sheet, headerRow, columns, sql }: CompanySource,
): TableSource | null {
  const settingsPath = `runs.${runName}.companies.columns`;
  if (sql !== undefined) {
    const query = { ...sql, setting: `runs.${runName}.companies.sql` };
    return { kind: 'sql', query, columns, settingsPath };
  }
  if (csv !== null) return { kind: 'csv', path: csv, columns, settingsPath };
  return xlsx === undefined ? null : { kind: 'xlsx', path: xlsx, sheet, headerRow, columns, settingsPath };
}

async function readFromTable(
  file: TableSource,
  plan: Limited,
  { signal, recordProgress }: ActivityContext,
): Promise<Omit<Draft, 'excluded'>> {
  const mapping = {
    fields: companyFields,
    kept: 'all' as const,
    fromRow: toCompanyRowFromFile,
    problems: companyRowProblems,
  };
  const rows: DraftRow[] = [];
  let headers: readonly string[] = [];
  let columns: SourceReport['columns'] = null;
  let height = 0;
  let count = 0;
  let characters = 0;
  let replaced = 0;
  for await (const page of readSource(file, mapping, signal)) {
    ({ headers, columns } = page);
    for (const { row, source } of page.rows) {
      height = source.number - page.headerNumber;
      count += 1;
      // Rows over the limit are only counted, for the error message.
      if (count > (plan.maxBriefings ?? Infinity)) continue;
      const ownJson = encodeCells(headers.map((_, index) => source.cells[index] ?? ''));
      characters += ownJson.length;
      if (characters > fileLimits.keptCharacters) throw fileTooLarge(file);
      rows.push({ position: rows.length, json: JSON.stringify(row), sourceRow: source.number, ownJson });
    }
    replaced += page.replaced;
    recordProgress(count);
  }
  assertWithinLimit(plan, count);
  const report = {
    kind: file.kind,
    rows: height,
    blank: height - count,
    unusable: 0,
    ordered: rows.length,
    columns: columns === null ? null : toReportColumns(columns),
    ...(replaced === 0 ? {} : { replaced }),
  };
  return { rows, source: { report, headers } };
}

function fileTooLarge(source: TableSource): SpreadsheetError {
  const path = placeOf(source);
  const problem = `its rows have more than ${formatLimit(fileLimits.keptCharacters)} characters; take out columns that are not needed, or split the source`;
  return new SpreadsheetError({ path, action: 'reading', problem, code: overLimit });
}

/** Bounded, because the report is part of a Temporal payload. */
function toReportColumns({ used, ignored }: NonNullable<SourceReport['columns']>): SourceReport['columns'] {
  const fields = Object.entries(used).map(([field, header]) => [field, boundWord(header)]);
  return { used: Object.fromEntries(fields), ignored: boundWords(ignored) };
}

async function readFromCrm(
  hubspot: HubSpotClient,
  selection: CrmSelection,
  { signal, recordProgress }: ActivityContext,
): Promise<Omit<Draft, 'excluded'>> {
  const mapping = { fromCrm: toCompanyRowFromCrm, problems: companyRowProblems };
  const rows: DraftRow[] = [];
  let unusable = 0;
  for await (const page of readCrm(hubspot, selection, mapping, signal)) {
    for (const row of page.rows)
      rows.push({ position: rows.length, json: JSON.stringify(row), sourceRow: null, ownJson: null });
    unusable += page.unusable;
    recordProgress(rows.length);
  }
  const found = rows.length + unusable;
  const report = { kind: 'hubspot', rows: found, blank: 0, unusable, ordered: rows.length, columns: null } as const;
  return { rows, source: { report, headers: [] } };
}

/** Fields that are read from a file. */
export const companyFields = [
  'company_name',
  'website_url',
  'city',
  'country',
  'external_id',
] as const satisfies readonly (keyof CompanyRow)[];

/** The record id comes back as the company's source_id, so that the result finds its record. */
export function toCompanyRowFromCrm(record: Parameters<typeof toEntryFromCrm>[0]): CompanyRow | null {
  return toEntryFromCrm(record, null);
}

export function toCompanyRowFromFile(row: FieldValues): CompanyRow {
  const { reason: _reason, ...companyRow } = toEntryFromFile(row, null);
  return companyRow;
}

/** Problems of a row, without values; empty for a valid row. */
export function companyRowProblems(row: CompanyRow): string[] {
  const { website_url: website } = row;
  const hasNoDomain = Boolean(website) && domainOf(website) === null;
  return [
    ...violations(companyRowSchema, row).map(describeViolation),
    ...(hasNoDomain
      ? ['website_url: not a valid web address, for example www.example.com; leave the cell empty if there is none']
      : []),
  ];
}
