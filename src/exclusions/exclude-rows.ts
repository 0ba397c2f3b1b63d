/** Finds the rows of an enrichment that match an exclusion, by the four match tiers of the specification, or a suppressed company. */
import type { ActivityContext } from '../companies/company-source.ts';
import { companyRowSchema, createBlacklistIndex } from '../contract/index.ts';
import type { DraftRow, ExcludedRow } from '../ledger/draft-store.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { ownDomain } from '../mapping/website-domain.ts';
import { readFrozenEntries } from './freeze-blacklist.ts';

/** An exclusion by name, and the digest of the snapshot of its blacklist. */
export interface ExclusionSnapshot {
  readonly name: string;
  readonly digest: string;
}

/**
 * The excluded rows by their position in `rows`. The best tier wins; of several exclusions with it, the first one. Suppressed companies
 * are excluded by every run. Memory grows with the
 * rows, not with the blacklists.
 */
export async function findExcludedRows(
  ledger: Pick<Ledger, 'exclusionSnapshots' | 'suppressions'>,
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
  for (const [index, row] of await findSuppressedRows(ledger, rows)) if (!excluded.has(index)) excluded.set(index, row);
  return excluded;
}

/** In place of the name of an exclusion and the id of an entry. */
const suppressionsName = 'suppressions';

async function findSuppressedRows(
  { suppressions }: Pick<Ledger, 'suppressions'>,
  rows: readonly DraftRow[],
): Promise<Map<number, ExcludedRow>> {
  if (!(await suppressions.isUsed())) return new Map();
  const hosts = rows.map(({ json }) => ownDomain(toCompany(json).website_url));
  const suppressed = await suppressions.suppressedHosts(hosts.filter((host) => host !== null));
  const named = { exclusion: suppressionsName, tier: 'website_domain', entryId: suppressionsName } as const;
  return new Map(
    rows.flatMap(({ json, sourceRow }, index): [number, ExcludedRow][] =>
      suppressed.has(hosts[index] ?? '') ? [[index, { sourceRow, json, ...named }]] : [],
    ),
  );
}

function toCompany(json: string) {
  return companyRowSchema.parse(JSON.parse(json));
}
