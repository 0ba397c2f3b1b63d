/** Reads the sources of enrichments before anything is started: whole, or only as far as their columns and selections can be judged. */
import { stat } from 'node:fs/promises';
import { ApplicationFailure } from '@temporalio/common';
import { toCompanyRowFromCrm, readCompanies, type Draft } from '../../companies/sources/enrichment-companies.ts';
import type { ActivityContext, QuerySource } from '../../companies/sources/company-source.ts';
import { readCrm } from '../../companies/sources/crm-companies.ts';
import { createFieldCleaner } from '../../companies/sources/field-values.ts';
import { tableFields, toTableSource } from '../../companies/sources/table-companies.ts';
import type { CrmCompanies } from '../../config/enrichment-source-settings.ts';
import type { RunPlan } from '../../config/run-plan.ts';
import { findExcludedRows, isExcludingAlways } from '../../companies/exclusions/exclude-rows.ts';
import { toFailure } from '../../worker/to-failure.ts';
import { withoutRetries } from '../../base/failures/remedies-in-commands.ts';
import type { Check } from '../../hubspot/portal-checks.ts';
import type { HubSpotClient } from '../../hubspot/hubspot-client.ts';
import type { DraftRow } from '../../ledger/draft-store.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { resolveColumns } from '../../base/spreadsheet/source-columns.ts';
import { toSourceNotes, toSourceText } from '../../proof/report/source-text.ts';
import { readQueryColumns } from '../../companies/sources/sql/read-query.ts';
import { SqlError } from '../../companies/sources/sql/sql-error.ts';
import { SpreadsheetError } from '../../base/spreadsheet/spreadsheet-error.ts';

/** A database that is slower makes a run slow, but does not fail it; the check must end. */
const statementTimeoutMs = 30_000;

/** `start`: all rows are read, and a source that is only elsewhere is no problem. `check`: queries and the CRM are not read whole. */
export type PreflightDepth = 'start' | 'check';

export interface SourceCheck {
  readonly check: Check;
  /** The draft before the exclusions of the run; null if the source was not read completely. */
  readonly draft: Draft | null;
}

interface SourceDependencies {
  readonly hubspot: HubSpotClient;
  /** null: there is none yet. */
  readonly ledger: Ledger | null;
  readonly context: ActivityContext;
}

export function toSourceCheckName(runName: string): string {
  return `source of ${runName}`;
}

/** null: the run has no source of companies. */
export async function checkSource(
  dependencies: SourceDependencies,
  plan: RunPlan,
  depth: PreflightDepth,
): Promise<SourceCheck | null> {
  const { companies, runName } = plan;
  if (companies === null) return null;
  const source = companies.from === 'hubspot' ? null : toTableSource(runName, companies);
  const check = toSourceCheckName(runName);
  try {
    if (depth === 'check' && source?.kind === 'sql')
      return { check: { check, ...(await judgeQuery(source, dependencies.context)) }, draft: null };
    if (depth === 'check' && companies.from === 'hubspot') {
      await readFirstPage(dependencies, companies);
      return { check: { check, state: 'ok', message: 'HubSpot has companies of this selection' }, draft: null };
    }
    const draft = await readDraft(dependencies, plan);
    const texts = toSourceText(draft.source.report);
    const file = source === null || source.kind === 'sql' ? [] : [await describeChange(source.path)];
    // A run shows the notes line by line before its order; here they are one line among many.
    const state = depth === 'check' && toSourceNotes(draft.source.report).length > 0 ? 'warning' : 'ok';
    return { check: { check, state, message: [...texts, ...file].join('; ') }, draft };
  } catch (error) {
    dependencies.context.signal.throwIfAborted();
    return { check: { check, ...describeFailure(error, depth) }, draft: null };
  }
}

/** Removes rows of suppressed and forgotten companies, which no run orders. The limit of an order does not count rows that exclusions may leave out. */
async function readDraft({ hubspot, ledger, context }: SourceDependencies, plan: RunPlan): Promise<Draft> {
  const maxBriefings = plan.exclusions.length === 0 ? plan.maxBriefings : null;
  const read = { ...plan, exclusions: [], maxBriefings };
  const findExcluded =
    ledger !== null && (await isExcludingAlways(ledger))
      ? (rows: readonly DraftRow[]) => findExcludedRows(ledger, rows, [], context)
      : null;
  return readCompanies(hubspot, read, context, findExcluded);
}

/** No row is read. */
async function judgeQuery(
  { query, columns: settings = {}, settingsPath }: QuerySource,
  { signal }: ActivityContext,
): Promise<Omit<Check, 'check'>> {
  const headers = await readQueryColumns(query, { signal, statementTimeoutMs });
  const { columns, problem } = resolveColumns(headers, { fields: tableFields, settings, settingsPath });
  if (columns === undefined) return { state: 'problem', message: `${query.setting}: ${problem}` };
  return { state: 'ok', message: `${query.setting} can be read: ${Object.keys(columns.used).join(', ')}` };
}

/** The stages, lists or properties of the selection exist, and it has a company. */
async function readFirstPage({ hubspot, context }: SourceDependencies, companies: CrmCompanies): Promise<void> {
  const mapping = { fromCrm: toCompanyRowFromCrm, cleaner: createFieldCleaner(), problems: () => [] };
  for await (const _ of readCrm(hubspot, companies, mapping, context.signal)) return;
}

/** An old file may be last year's list. */
export async function describeChange(path: string): Promise<string> {
  return `last changed ${(await stat(path)).mtime.toISOString().slice(0, 10)}`;
}

/** A failure that a retry may resolve does not say that a run would fail. */
export function describeFailure(error: unknown, depth: PreflightDepth): Omit<Check, 'check'> {
  const failure = toFailure(error);
  if (!(failure instanceof ApplicationFailure)) throw error;
  const text = withoutRetries(failure.message);
  const isElsewhere =
    (error instanceof SpreadsheetError && error.code === 'ENOENT') ||
    (error instanceof SqlError && (error.reason === 'unreachable' || error.code === 'ENOENT'));
  if (!isElsewhere) return { state: failure.nonRetryable === true ? 'problem' : 'warning', message: text };
  const message = `${text} A worker on another machine may be able to read it`;
  return depth === 'start' ? { state: 'warning', message } : { state: 'problem', message: text };
}
