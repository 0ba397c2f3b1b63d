import { z } from 'zod';
import { nonRetryable } from '../src/failures/non-retryable.ts';
import { encodeCells, type DraftRow, type DraftSource } from '../src/ledger/drafts.ts';
import {
  companyFields,
  companyRowProblems,
  toCompanyRowFromCrm,
  toCompanyRowFromFile,
} from '../src/companies/company-row.ts';
import type { SourceReport } from '../src/report/order-report.ts';
import type { CompanySource, RunPlan } from '../src/config/run-plan.ts';
import { overLimit, SpreadsheetError } from '../src/spreadsheet/spreadsheet-error.ts';
import { fileLimits, formatLimit } from '../src/spreadsheet/file-limits.ts';
import { checked, runSchema, workflowKeySchema } from './checked-input.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { readCrm, readFile, type FileSource } from '../src/companies/company-source.ts';
import { planOrder } from './configured-run.ts';
import { cancellationSignal, recordProgress } from './activity-heartbeat.ts';
import { boundWord, boundWords } from '../src/text/bound-word.ts';

export interface Draft {
  readonly rows: readonly DraftRow[];
  readonly source: DraftSource;
}

const draftOrderSchema = z.object({ run: runSchema, runKey: workflowKeySchema });

export function createDraftActivities({ hubspot, ledger, configuration }: ActivityDependencies) {
  return {
    /** Writes down once what an enrichment order submits, so that every attempt to place it sends identical bytes. */
    draftOrder: checked(draftOrderSchema, async ({ run, runKey }) => {
      // After a lost answer the draft is there already, and the file may be gone or changed.
      const kept = await ledger.drafts.source(runKey);
      const { report } = kept ?? (await draft(planOrder({ configuration }, run), runKey));
      return { rows: report.ordered, unusable: report.unusable, source: report };
    }),
  };

  async function draft(plan: RunPlan, runKey: string): Promise<DraftSource> {
    const { rows, source } = await readCompanies(hubspot, plan, {
      signal: cancellationSignal(),
      onRows: recordProgress,
    });
    return ledger.drafts.save(runKey, rows, source);
  }
}

/**
 * The companies that an enrichment orders now, with everything that their file says beside them.
 * @throws ApplicationFailure where there are none, or the file cannot be used; it is final
 */
export async function readCompanies(
  hubspot: ActivityDependencies['hubspot'],
  plan: Pick<RunPlan, 'runName' | 'companies' | 'maxBriefings'>,
  steps: { readonly signal: AbortSignal; readonly onRows: (count: number) => void },
): Promise<Draft> {
  const { runName, companies } = plan;
  if (companies === null) throw nonRetryable('NoCompanies', `run ${runName} names no source of companies`);
  const file = toFileSource(runName, companies);
  const draft =
    file === null
      ? await readFromCrm(hubspot, companies.lifecycleStages, steps)
      : await readFromFile(file, plan, steps);
  if (draft.rows.length === 0)
    throw nonRetryable('NoCompanies', `run ${runName} found no company to enrich: no order was placed`);
  assertWithinLimit(plan, draft.rows.length);
  return draft;
}

type Limited = Pick<RunPlan, 'runName' | 'maxBriefings'>;

/** Before an enrichment is ordered: its rows are known only once the companies are read. @throws LimitExceeded */
function assertWithinLimit({ runName, maxBriefings }: Limited, rows: number): void {
  if (maxBriefings === undefined || rows <= maxBriefings) return;
  const [found, allowed] = [rows, maxBriefings].map((count) => count.toLocaleString('en'));
  throw nonRetryable(
    'LimitExceeded',
    `run ${runName} found ${found} companies to enrich, and limits.max_briefings_per_run allows ${allowed}: nothing was ordered`,
  );
}

function toFileSource(runName: string, { csv, xlsx, sheet, headerRow, columns }: CompanySource): FileSource | null {
  const settingsPath = `runs.${runName}.companies.columns`;
  if (csv !== null) return { kind: 'csv', path: csv, columns, settingsPath };
  return xlsx === undefined ? null : { kind: 'xlsx', path: xlsx, sheet, headerRow, columns, settingsPath };
}

type Steps = Parameters<typeof readCompanies>[2];

async function readFromFile(file: FileSource, plan: Limited, { signal, onRows }: Steps): Promise<Draft> {
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
  for await (const page of readFile(file, mapping, signal)) {
    ({ headers, columns } = page);
    for (const { row, source } of page.rows) {
      height = source.number - page.headerNumber;
      count += 1;
      // More are counted, for the message, and not kept.
      if (count > (plan.maxBriefings ?? Infinity)) continue;
      const ownJson = encodeCells(headers.map((_, index) => source.cells[index] ?? ''));
      characters += ownJson.length;
      if (characters > fileLimits.keptCharacters) throw tooMuchToKeep(file);
      rows.push({ position: rows.length, json: JSON.stringify(row), sourceRow: source.number, ownJson });
    }
    replaced += page.replaced;
    onRows(count);
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

function tooMuchToKeep({ path }: FileSource): SpreadsheetError {
  const problem = `its rows have more than ${formatLimit(fileLimits.keptCharacters)} characters; take out columns that are not needed, or split the file`;
  return new SpreadsheetError({ path, action: 'reading', problem, code: overLimit });
}

/** A file may have any number of headers, of any length. */
function toReportColumns({ used, ignored }: NonNullable<SourceReport['columns']>): SourceReport['columns'] {
  const fields = Object.entries(used).map(([field, header]) => [field, boundWord(header)]);
  return { used: Object.fromEntries(fields), ignored: boundWords(ignored) };
}

async function readFromCrm(
  hubspot: ActivityDependencies['hubspot'],
  stages: readonly string[],
  { signal, onRows }: Steps,
): Promise<Draft> {
  const mapping = { fromCrm: toCompanyRowFromCrm, problems: companyRowProblems };
  const rows: DraftRow[] = [];
  let unusable = 0;
  for await (const page of readCrm(hubspot, stages, mapping, signal)) {
    for (const row of page.rows)
      rows.push({ position: rows.length, json: JSON.stringify(row), sourceRow: null, ownJson: null });
    unusable += page.unusable;
    onRows(rows.length);
  }
  const found = rows.length + unusable;
  const report = { kind: 'hubspot', rows: found, blank: 0, unusable, ordered: rows.length, columns: null } as const;
  return { rows, source: { report, headers: [] } };
}
