/**
 * Judges the rows of a table together: rows that repeat an earlier one, ids of several companies, record ids that name no company
 * of HubSpot, or another one, and websites of mailbox providers and shared hosts.
 */
import type { TableCompanies } from '../../config/enrichment-source-settings.ts';
import type { HubSpotClient } from '../../hubspot/hubspot-client.ts';
import type { DraftRow } from '../../ledger/draft-store.ts';
import type { RejectedRow } from '../../ledger/rejected-rows.ts';
import { isDoubtfulWebsite, isSharedAddress } from './website-problem.ts';
import type { TableSource } from './company-source.ts';
import { createProblemList } from './problem-list.ts';
import { withOrderedNotes } from './ordered-notes.ts';
import { judgeRecords, numberOf, refuseRecordIds } from './judge-record-ids.ts';
import { compareRows, findRepeats } from './repeated-rows.ts';
import { createSharedIds } from './shared-ids.ts';
import { allRowsRejected, type TableDraft } from './table-companies.ts';

interface Judging {
  readonly source: TableSource;
  readonly companies: TableCompanies;
  /** What the external ids are. `not_set`: the setting is missing, and ids of HubSpot records are refused. */
  readonly externalIds: 'record_id' | 'other' | 'not_set';
  readonly signal: AbortSignal;
}

/** Why rows are left out, by their place in the draft. */
type Reasons = ReadonlyMap<DraftRow, string>;

/**
 * @throws ApplicationFailure FileRefused when record ids are unknown to HubSpot, unless `bad_rows: reject` leaves their rows out, and when
 * ids turn out to be record ids
 */
export async function judgeRows(hubspot: HubSpotClient, draft: TableDraft, judging: Judging): Promise<TableDraft> {
  const { rows } = draft;
  const areRecordIds = judging.externalIds === 'record_id';
  if (judging.externalIds === 'not_set') await refuseRecordIds(hubspot, rows, judging);
  const { unknown, different } = areRecordIds
    ? await judgeRecords(hubspot, rows, judging)
    : { unknown: new Map(), different: [] };
  const compared = compareRows(rows);
  const repeats = findRepeats(compared, { areRecordIds });
  const certain = [...repeats].flatMap(([row, { of, isCertain }]) =>
    isCertain ? [[row, `repeats row ${of}`] as const] : [],
  );
  const left: Reasons = judging.companies.repeatedRows === 'reject' ? new Map([...certain, ...unknown]) : unknown;
  const sharedIds = createSharedIds();
  const noted = {
    ...draft.noted,
    repeated: [...repeats.keys()].map(numberOf),
    otherRecords: different.map(numberOf),
    sharedIds: areRecordIds
      ? []
      : compared.filter(({ company }) => sharedIds.isShared(company)).map(({ row }) => numberOf(row)),
    sharedWebsites: rows
      .filter(({ company: { website_url: url } }) => isSharedAddress(url) && !isDoubtfulWebsite(url ?? ''))
      .map(numberOf),
  };
  const ordered = withoutRows({ ...draft, noted }, left, judging);
  const report = withOrderedNotes(ordered.source.report, noted, ordered.rows);
  return { ...ordered, source: { ...ordered.source, report } };
}

function withoutRows(draft: TableDraft, reasons: Reasons, { source }: Judging): TableDraft {
  if (reasons.size === 0) return draft;
  const rows = draft.rows.filter((row) => !reasons.has(row)).map((row, position): DraftRow => ({ ...row, position }));
  const left = [...reasons].map(([row, reason]): RejectedRow => {
    return { sourceRow: numberOf(row), reasons: [reason], ownJson: row.ownJson ?? '[]' };
  });
  const rejected = [...draft.rejected, ...left].toSorted((a, b) => a.sourceRow - b.sourceRow);
  if (rows.length === 0) {
    const problems = createProblemList();
    for (const { sourceRow, reasons: all } of rejected) problems.add({ source: { number: sourceRow }, problems: all });
    throw allRowsRejected(source, problems);
  }
  const report = { ...draft.source.report, ordered: rows.length, rejected: { rows: rejected.length, file: null } };
  return { ...draft, rows, rejected, source: { ...draft.source, report } };
}
