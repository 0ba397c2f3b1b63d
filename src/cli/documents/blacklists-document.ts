/** The blacklists of the exclusions as `exclusions list`, `exclusions delete` and `doctor` show them, and the rows that they exclude. */
import type { Blacklist } from '../../service/contract/index.ts';
import type { BlacklistOverview } from '../../companies/exclusions/list-blacklists.ts';
import type { ExcludedRowOutcome } from '../../ledger/excluded-rows.ts';

/** Printed by `exclusions list`. */
export function toBlacklistsDocument({ exclusions, searches, orphans, ownIds }: BlacklistOverview) {
  return {
    exclusions: exclusions.map(({ plan, blacklist, problem, copies, runs }) => ({
      name: plan.name,
      existing: plan.existing === true,
      attach: plan.attach ?? 'order',
      runs,
      blacklist: blacklist && toBlacklist(blacklist),
      problem,
      copies: copies.map(toBlacklist),
    })),
    prospect_searches: searches.map(({ prospectSearchId, runs, blacklists }) => ({
      prospect_search_id: prospectSearchId,
      runs,
      blacklists: blacklists.map(({ blacklist, assignedByUs }) => ({
        ...toBlacklist(blacklist),
        assigned_by_prospect_sync: assignedByUs,
      })),
    })),
    orphans: orphans.map((orphan) => ({ ...toBlacklist(orphan), made_by_this_installation: ownIds.has(orphan.id) })),
  };
}

/** Printed by `exclusions delete`. */
export function toDeletedDocument(blacklist: Blacklist) {
  return { ok: true, deleted: toBlacklist(blacklist) };
}

function toBlacklist({ id, name, entry_count: entries }: Blacklist) {
  return { id, name, entries };
}

/** Rule of a row that matches an exclusion; `excludedRule` alone stands for all of them. */
export const excludedRule = 'excluded';
export function toExcludedRule(exclusion: string): string {
  return `${excludedRule}:${exclusion}`;
}

/** A row that was not ordered, in the form of the rows that were (`rows --json`). */
export function toExcludedRowDocument({
  orderId,
  runName,
  sourceRow,
  externalId,
  exclusion,
  tier,
  entryId,
  reason,
}: ExcludedRowOutcome) {
  return {
    order_id: orderId,
    run: runName,
    position: null,
    source_row: sourceRow,
    item: 'company',
    external_id: externalId,
    status: null,
    reason_codes: [],
    outcome: 'skipped',
    rule: toExcludedRule(exclusion),
    matched_by: tier,
    record_id: null,
    candidates: [],
    entry_id: entryId,
    entry_reason: reason,
  };
}
