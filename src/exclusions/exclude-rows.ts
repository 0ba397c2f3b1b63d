/** Finds the rows of an enrichment that match an exclusion, by the four match tiers of the specification. */
import type { ActivityContext } from '../companies/company-source.ts';
import { companyRowSchema, createBlacklistIndex } from '../contract/index.ts';
import type { DraftRow, ExcludedRow } from '../ledger/draft-store.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { readFrozenEntries } from './freeze-blacklist.ts';

/** An exclusion by name, and the digest of the snapshot of its blacklist. */
export interface ExclusionSnapshot {
  readonly name: string;
  readonly digest: string;
}

/**
 * The excluded rows by their position in `rows`. The best tier wins; of several exclusions with it, the first one. Memory grows with the
 * rows, not with the blacklists.
 */
export async function findExcludedRows(
  ledger: Pick<Ledger, 'exclusionSnapshots'>,
  rows: readonly DraftRow[],
  snapshots: readonly ExclusionSnapshot[],
  { signal, recordProgress }: Pick<ActivityContext, 'signal' | 'recordProgress'>,
): Promise<Map<number, ExcludedRow>> {
  const companies = createBlacklistIndex();
  rows.forEach(({ json }, index) => companies.add(String(index), toCompany(json)));
  const entries = createBlacklistIndex();
  const names = new Map<string, string>();
  let read = rows.length;
  for (const { name, digest } of snapshots) {
    for await (const page of readFrozenEntries(ledger, digest)) {
      signal.throwIfAborted();
      for (const entry of page) {
        if (names.has(entry.id) || companies.match(entry) === null) continue;
        entries.add(entry.id, entry);
        names.set(entry.id, name);
      }
      recordProgress((read += page.length));
    }
  }
  const excluded = new Map<number, ExcludedRow>();
  rows.forEach(({ json, sourceRow }, index) => {
    const match = entries.match(toCompany(json));
    const exclusion = names.get(match?.id ?? '');
    if (match === null || exclusion === undefined) return;
    excluded.set(index, { sourceRow, json, exclusion, tier: match.tier, entryId: match.id });
  });
  return excluded;
}

function toCompany(json: string) {
  return companyRowSchema.parse(JSON.parse(json));
}
