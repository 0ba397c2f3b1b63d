/**
 * Judges the rows of a table together: rows that repeat an earlier one, ids of several companies, record ids that name no company
 * of HubSpot, or another one, and websites of mailbox providers and shared hosts.
 */
import type { TableCompanies } from '../../config/enrichment-source-settings.ts';
import type { CompanyRow } from '../../service/contract/index.ts';
import type { HubSpotClient } from '../../hubspot/hubspot-client.ts';
import type { DraftRow } from '../../ledger/draft-store.ts';
import type { RejectedRow } from '../../ledger/rejected-rows.ts';
import { ownDomain } from '../../service/contract/website-domain.ts';
import { comparableNameOrPlace } from './name-problem.ts';
import { isSharedAddress } from './website-problem.ts';
import { rowProblemsShown, type TableSource } from './company-source.ts';
import { withOrderedNotes } from './ordered-notes.ts';
import { judgeRecords, numberOf, refuseRecordIds } from './judge-record-ids.ts';
import { allRowsRejected, type TableDraft } from './table-companies.ts';

interface Judging {
  readonly source: TableSource;
  readonly companies: TableCompanies;
  /** What the external ids are. `not_set`: the setting is missing, and ids of HubSpot records are refused. */
  readonly externalIds: 'record_id' | 'other' | 'not_set';
  readonly signal: AbortSignal;
}

interface NamedRow {
  readonly row: DraftRow;
  /** Equal for rows of one company. */
  readonly companyText: string;
}

/** Why rows are left out, by their place in the draft. */
type Reasons = ReadonlyMap<DraftRow, string>;

/**
 * @throws ApplicationFailure FileRefused when record ids are unknown to HubSpot, unless `bad_rows: reject` leaves their rows out, and when
 * ids turn out to be record ids
 */
export async function judgeRows(hubspot: HubSpotClient, draft: TableDraft, judging: Judging): Promise<TableDraft> {
  const { rows } = draft;
  const named = rows.map((row): NamedRow => ({ row, companyText: toCompanyText(row.company) }));
  const areRecordIds = judging.externalIds === 'record_id';
  if (judging.externalIds === 'not_set') await refuseRecordIds(hubspot, rows, judging);
  const { unknown, different } = areRecordIds
    ? await judgeRecords(hubspot, rows, judging)
    : { unknown: new Map(), different: [] };
  const repeats = findRepeats(named, judging);
  const left: Reasons = judging.companies.repeatedRows === 'reject' ? new Map([...repeats, ...unknown]) : unknown;
  const noted = {
    ...draft.noted,
    repeated: [...repeats.keys()].map(numberOf),
    otherRecords: different.map(numberOf),
    sharedIds: areRecordIds ? [] : findSharedIds(named).map(numberOf),
    sharedWebsites: rows.filter(({ company }) => isSharedAddress(company.website_url)).map(numberOf),
  };
  const ordered = withoutRows({ ...draft, noted }, left, judging);
  const report = withOrderedNotes(ordered.source.report, noted, ordered.rows);
  return { ...ordered, source: { ...ordered.source, report } };
}

/** Rows of the same company as an earlier one, whatever their ids, or with the same record. */
function findRepeats(rows: readonly NamedRow[], { externalIds }: Judging): Reasons {
  const first = new Map<string, number>();
  const repeats = new Map<DraftRow, string>();
  for (const { row, companyText } of rows) {
    const { external_id: id } = row.company;
    const keys = [companyText, ...(externalIds === 'record_id' && id ? [`record ${id}`] : [])];
    const earlier = keys.map((key) => first.get(key)).find((number) => number !== undefined);
    if (earlier !== undefined) repeats.set(row, `repeats row ${earlier}`);
    for (const key of keys) if (!first.has(key)) first.set(key, numberOf(row));
  }
  return repeats;
}

/** Rows with the external id of an earlier row of another company. */
function findSharedIds(rows: readonly NamedRow[]): DraftRow[] {
  const owners = new Map<string, string>();
  return rows.flatMap(({ row, companyText }) => {
    const { external_id: id } = row.company;
    if (!id) return [];
    const owner = owners.get(id) ?? companyText;
    owners.set(id, owner);
    return owner === companyText ? [] : [row];
  });
}

/** Its own domain and city; without such a domain its name, city and country. */
function toCompanyText({ company_name: name, website_url: website, city, country }: CompanyRow): string {
  const domain = ownDomain(website);
  const texts = domain === null ? [name, city, country] : [city];
  return JSON.stringify([domain, ...texts.map((text) => comparableNameOrPlace(text ?? ''))]);
}

function withoutRows(draft: TableDraft, reasons: Reasons, { source }: Judging): TableDraft {
  if (reasons.size === 0) return draft;
  const rows = draft.rows.filter((row) => !reasons.has(row)).map((row, position): DraftRow => ({ ...row, position }));
  const left = [...reasons].map(([row, reason]): RejectedRow => {
    return { sourceRow: numberOf(row), reasons: [reason], ownJson: row.ownJson ?? '[]' };
  });
  const rejected = [...draft.rejected, ...left].toSorted((a, b) => a.sourceRow - b.sourceRow);
  if (rows.length === 0)
    throw allRowsRejected(
      source,
      rejected.length,
      rejected.slice(0, rowProblemsShown).map(({ sourceRow, reasons: [reason] }) => `row ${sourceRow}: ${reason}`),
    );
  const report = { ...draft.source.report, ordered: rows.length, rejected: { rows: rejected.length, file: null } };
  return { ...draft, rows, rejected, source: { ...draft.source, report } };
}
