import { nonRetryable } from '../../base/failures/application-failure.ts';
import { noRecords, toNamedRows, withRecord } from '../../base/text/named-rows.ts';
import type { DraftRow, ExcludedRow } from '../../ledger/draft-store.ts';
import type { RejectedRow } from '../../ledger/rejected-rows.ts';
import type { DraftSource } from '../../ledger/draft-source.ts';
import type { RunPlan } from '../../config/run-plan.ts';
import type { CrmCompanies, TableCompanies } from '../../config/enrichment-source-settings.ts';
import type { HubSpotClient } from '../../hubspot/hubspot-client.ts';
import type { ActivityContext } from './company-source.ts';
import { readCrm } from './crm-companies.ts';
import { isDoubtfulName } from './name-problem.ts';
import { isUnlikelyName } from './unlikely-name.ts';
import { judgeRows } from './judge-rows.ts';
import { withOrderedNotes, type NotedNumbers } from './ordered-notes.ts';
import { createFieldCleaner, toCorrectionFigures } from './field-values.ts';
import type { CompanyRow } from '../../service/contract/index.ts';
import { toEntryFromCrm } from './blacklist-entry.ts';
import {
  assertWithinLimit,
  companyRowProblems,
  readFromTable,
  toTableSource,
  type Limited,
} from './table-companies.ts';

export interface Draft {
  readonly rows: readonly DraftRow[];
  readonly source: DraftSource;
  /** Rows that are not ordered, because they match an exclusion. */
  readonly excluded: readonly ExcludedRow[];
  /** Rows that break the contract, where the run leaves them out. */
  readonly rejected: readonly RejectedRow[];
  /** Rows that the notes of `source` name if they are ordered. */
  readonly noted: NotedNumbers;
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
  // The limit is one of the order, which has no excluded rows.
  const limited = plan.exclusions.length === 0 ? plan : { runName, maxBriefings: null };
  const areRecordIds = plan.delivery.crm !== null && plan.delivery.externalIdsAreRecordIds;
  const mayBeRecordIds = (table: TableCompanies) => plan.delivery.crm !== null && table.externalIds === null;
  const readTable = async (table: TableCompanies) => {
    const source = toTableSource(runName, table);
    const externalIds = areRecordIds ? 'record_id' : mayBeRecordIds(table) ? 'not_set' : 'other';
    const judging = { source, companies: table, externalIds, signal: context.signal } as const;
    return judgeRows(hubspot, await readFromTable(source, limited, context), judging);
  };
  const read =
    companies.from === 'hubspot' ? await readFromCrm(hubspot, companies, context) : await readTable(companies);
  if (read.rows.length === 0)
    throw nonRetryable('NoCompanies', `run ${runName} found no company to enrich: no order was placed`);
  if (findExcluded === null) {
    assertWithinLimit(limited, read.rows.length);
    return { ...read, excluded: [] };
  }
  return withoutExcluded({ ...read, excluded: [] }, await findExcluded(read.rows), plan);
}

/** `excluded`: the rows that match an exclusion, by their position in the draft. @throws ApplicationFailure AllRowsExcluded, LimitExceeded */
export function withoutExcluded(
  { rows, source, rejected, noted, excluded: before }: Draft,
  excluded: ReadonlyMap<number, ExcludedRow>,
  plan: CompaniesPlan,
): Draft {
  const { exclusions, runName } = plan;
  const ordered = rows
    .filter((_, index) => !excluded.has(index))
    .map((row, position): DraftRow => ({ ...row, position }));
  if (ordered.length === 0)
    throw nonRetryable(
      'AllRowsExcluded',
      `run ${runName} found ${rows.length} companies to enrich, and all of them match its exclusions: no order was placed`,
    );
  assertWithinLimit(plan, ordered.length);
  const counts: Record<string, number> = {
    ...Object.fromEntries(exclusions.map(({ name }) => [name, 0])),
    ...source.report.excluded,
  };
  for (const { exclusion } of excluded.values()) counts[exclusion] = (counts[exclusion] ?? 0) + 1;
  const forgotten = [...excluded.values()].filter(({ exclusion }) => exclusion === 'forgotten');
  const named = toNamedRows(forgotten.flatMap(({ sourceRow }) => sourceRow ?? []));
  const report = {
    ...withOrderedNotes(source.report, noted, ordered),
    ordered: ordered.length,
    excluded: counts,
    ...(named.rows === 0 ? {} : { forgotten: named }),
  };
  return { rows: ordered, source: { ...source, report }, excluded: [...before, ...excluded.values()], rejected, noted };
}

interface CompaniesPlan extends Limited, Pick<RunPlan, 'companies' | 'delivery'> {
  readonly exclusions: readonly { readonly name: string }[];
}

async function readFromCrm(
  hubspot: HubSpotClient,
  selection: CrmCompanies,
  { signal, recordProgress }: ActivityContext,
): Promise<Omit<Draft, 'excluded'>> {
  const cleaner = createFieldCleaner();
  const mapping = { fromCrm: toCompanyRowFromCrm, cleaner, problems: companyRowProblems };
  const rows: DraftRow[] = [];
  let doubtful = noRecords;
  let unusable = 0;
  for await (const page of readCrm(hubspot, selection, mapping, signal)) {
    for (const company of page.rows) {
      rows.push({ position: rows.length, company, sourceRow: null, ownJson: null });
      const { company_name: name, website_url: website, external_id: id } = company;
      if (isDoubtfulName(name, website ?? undefined) || isUnlikelyName(company))
        doubtful = withRecord(doubtful, id ?? '');
    }
    unusable += page.unusable;
    recordProgress(rows.length);
  }
  const found = rows.length + unusable;
  const report = {
    kind: 'hubspot',
    rows: found,
    blank: 0,
    unusable,
    ordered: rows.length,
    ...toCorrectionFigures(cleaner.corrections()),
    ...(doubtful.records > 0 && { doubtfulRecords: doubtful }),
    columns: null,
  } as const;
  return { rows, source: { report, headers: [] }, rejected: [], noted: {} };
}

/** The record id comes back as the company's source_id, so that the result finds its record. */
export function toCompanyRowFromCrm(record: Parameters<typeof toEntryFromCrm>[0]): CompanyRow | null {
  return toEntryFromCrm(record, null);
}
