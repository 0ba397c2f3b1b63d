/** Finds the rows of an enrichment that match an exclusion, by the four match tiers of the specification, or a suppressed or forgotten company. */
import type { ActivityContext } from '../sources/company-source.ts';
import { createBlacklistIndex, type Comparable, type MatchingTier } from '../../service/contract/index.ts';
import type { ListedEntry } from '../../ledger/blacklist-store.ts';
import type { DraftRow, ExcludedRow } from '../../ledger/draft-store.ts';
import type { exclusionsOfEveryRun } from '../../ledger/excluded-rows.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { domainsOf } from '../../ledger/redaction/identifiers.ts';
import { ownDomain } from '../../service/contract/website-domain.ts';

/** An exclusion by name, and the entries of its blacklist. */
export interface ExclusionEntries {
  readonly name: string;
  readonly entries: AsyncIterable<readonly (Comparable & Pick<ListedEntry, 'id' | 'reason'>)[]>;
}

/** Whether there are companies that every run excludes. */
export async function isExcludingAlways({
  suppressions,
  tombstones,
}: Pick<Ledger, 'suppressions' | 'tombstones'>): Promise<boolean> {
  return (await suppressions.isUsed()) || (await tombstones.test()) !== null;
}

/**
 * The excluded rows by their position in `rows`. The best tier wins, then the first exclusion. Every run excludes suppressed companies, and
 * forgotten ones, whose results would be paid and not stored.
 * Memory grows with the rows, not with the blacklists.
 */
export async function findExcludedRows(
  ledger: Pick<Ledger, 'suppressions' | 'tombstones'>,
  rows: readonly DraftRow[],
  exclusions: readonly ExclusionEntries[],
  { signal, recordProgress }: Pick<ActivityContext, 'signal' | 'recordProgress'>,
): Promise<Map<number, ExcludedRow>> {
  const companies = createBlacklistIndex();
  rows.forEach(({ company }, index) => companies.add(String(index), company));
  const entries = createBlacklistIndex();
  const matching = new Map<string, Pick<ExcludedRow, 'exclusion' | 'reason'>>();
  let read = rows.length;
  for (const { name, entries: pages } of exclusions) {
    for await (const page of pages) {
      signal.throwIfAborted();
      for (const entry of page) {
        if (matching.has(entry.id) || companies.match(entry) === null) continue;
        entries.add(entry.id, entry);
        matching.set(entry.id, { exclusion: name, reason: entry.reason });
      }
      recordProgress((read += page.length));
    }
  }
  const hosts = rows.map(({ company }) => ownDomain(company.website_url));
  const suppressed = await ledger.suppressions.suppressedHosts(hosts.filter((host) => host !== null));
  const named = createBlacklistIndex();
  for await (const page of ledger.suppressions.companies())
    for (const name of page.flatMap(({ names: known }) => known))
      if (companies.match(name) !== null) named.add('suppressions', name);
  const isForgotten = await ledger.tombstones.test();
  const excluded = new Map<number, ExcludedRow>();
  rows.forEach(({ company, sourceRow }, index) => {
    const match = entries.match(company);
    const entry = matching.get(match?.id ?? '');
    const host = hosts[index] ?? '';
    // Before the other exclusions, because the user has to be told.
    if (isForgotten !== null && domainsOf(host).some((value) => isForgotten({ kind: 'domain', value }))) {
      excluded.set(index, { sourceRow, company, ...ofEveryRun('forgotten', 'website_domain') });
    } else if (match !== null && entry !== undefined) {
      excluded.set(index, { sourceRow, company, ...entry, tier: match.tier, entryId: match.id });
    } else {
      const tier = suppressed.has(host) ? 'website_domain' : named.match(company)?.tier;
      if (tier) excluded.set(index, { sourceRow, company, ...ofEveryRun('suppressions', tier) });
    }
  });
  return excluded;
}

/** Replaces exclusion and entry id for companies that no configured exclusion names. */
function ofEveryRun(exclusion: (typeof exclusionsOfEveryRun)[number], tier: MatchingTier) {
  return { exclusion, tier, entryId: exclusion, reason: null } as const;
}
