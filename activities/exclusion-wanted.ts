/** What a blacklist should hold: candidates of all sources, each company once. */
import { entryInputSchema, type EntryInput } from '../src/contract/index.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import type { Candidate } from '../src/mapping/exclusion-candidate.ts';
import { coverageOf, mergeEntries, noCoverage, whoOf, type Coverage } from '../src/mapping/exclusion-identity.ts';
import type { ExclusionLint } from '../src/order-report.ts';

interface Known {
  readonly entry: EntryInput;
  readonly hash: string;
  /** Whether the ledger has it, and under which hash. */
  readonly storedHash: string | null;
}

/** Lays candidates into the ledger's staging; counts what was mended, left out and joined on the way. */
export function createWanted(
  { exclusions }: Pick<Ledger, 'exclusions'>,
  syncId: string,
  hashOf: (entry: EntryInput) => string,
) {
  const lint = { mendedUrls: 0, sharedDomains: 0, duplicates: 0, expired: 0 };
  let coverage = noCoverage;

  const place = (companies: Map<string, Known[]>, entry: EntryInput) => {
    const who = whoOf(entry);
    const same = companies.get(who) ?? [];
    companies.set(who, same);
    for (const [index, known] of same.entries()) {
      const merged = mergeEntries(known.entry, entry);
      if (merged === null) continue;
      same[index] = { entry: merged, hash: hashOf(merged), storedHash: known.storedHash };
      coverage = plus(minus(coverage, coverageOf(known.entry)), coverageOf(merged));
      lint.duplicates += 1;
      return;
    }
    same.push({ entry, hash: hashOf(entry), storedHash: null });
    coverage = plus(coverage, coverageOf(entry));
  };

  return {
    async add(candidates: readonly Candidate[]): Promise<void> {
      for (const { mended, sharedDomain, expired } of candidates) {
        lint.mendedUrls += mended && !expired ? 1 : 0;
        lint.sharedDomains += sharedDomain && !expired ? 1 : 0;
        lint.expired += expired ? 1 : 0;
      }
      const entries = candidates.filter(({ expired }) => !expired).map(({ entry }) => entry);
      const companies = await readKnown(entries.map(whoOf));
      for (const entry of entries) place(companies, entry);
      const changed = [...companies.values()].flat().filter(({ hash, storedHash }) => hash !== storedHash);
      await exclusions.unwant(
        syncId,
        changed.flatMap(({ storedHash }) => storedHash ?? []),
      );
      await exclusions.want(
        syncId,
        changed.map(({ entry, hash }) => ({ hash, json: JSON.stringify(entry), ...keysOf(entry) })),
      );
    },
    figures: (): { lint: ExclusionLint; coverage: Coverage } => ({ lint: { ...lint }, coverage }),
  };

  async function readKnown(whos: readonly string[]): Promise<Map<string, Known[]>> {
    const rows = await exclusions.wantedOf(syncId, whos);
    const known = rows.map(({ who, hash, json }) => {
      return [who, { entry: entryInputSchema.parse(JSON.parse(json)), hash, storedHash: hash }] as const;
    });
    return new Map(
      [...Map.groupBy(known, ([who]) => who)].map(([who, group]) => [who, group.map(([, company]) => company)]),
    );
  }
}

/** What tells, of an entry that is to go, whether its company stays excluded. */
export function keysOf(entry: Parameters<typeof whoOf>[0]): { who: string; externalId: string } {
  return { who: whoOf(entry), externalId: entry.external_id ?? '' };
}

function plus(a: Coverage, b: Coverage): Coverage {
  return {
    externalId: a.externalId + b.externalId,
    domain: a.domain + b.domain,
    nameAndCity: a.nameAndCity + b.nameAndCity,
    nameOnly: a.nameOnly + b.nameOnly,
  };
}

function minus(a: Coverage, b: Coverage): Coverage {
  return plus(a, {
    externalId: -b.externalId,
    domain: -b.domain,
    nameAndCity: -b.nameAndCity,
    nameOnly: -b.nameOnly,
  });
}
