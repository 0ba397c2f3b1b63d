/** The documents that `exclusions list` and `exclusions delete` print with `--json`. */
import type { Blacklist } from '../contract/index.ts';
import type { BlacklistOverview } from '../exclusions/list-blacklists.ts';

/** Printed by `exclusions list`. */
export function toBlacklistsDocument({ exclusions, searches, orphans }: BlacklistOverview) {
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
    orphans: orphans.map(toBlacklist),
  };
}

/** Printed by `exclusions delete`. */
export function toDeletedDocument(blacklist: Blacklist) {
  return { ok: true, deleted: toBlacklist(blacklist) };
}

function toBlacklist({ id, name, entry_count: entries }: Blacklist) {
  return { id, name, entries };
}
