/** What a blacklist should hold: candidates of all sources, each company once. */
import { entryInputSchema, type EntryInput } from '../contract/index.ts';
import type { WantedExclusion } from '../ledger/exclusion-store.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Candidate } from './exclusion-candidate.ts';
import { coverageOf, mergeEntries, noCoverage, whoOf, type Coverage } from './entry-identity.ts';
import type { ExclusionLint } from '../report/order-report.ts';
import { createCompanies, type Companies, type Known } from './company-index.ts';

/**
 * From so many entries of one name and domain on they are kept in memory until the scan ends, about 1 KB each: to read
 * them again for every page would take time by the square of their number. Branches without a domain are such.
 */
const crowd = 100;

/** Lays candidates into the ledger's staging; counts what was mended, left out and joined on the way. */
export function createWanted(
  { exclusions }: Pick<Ledger, 'exclusions'>,
  syncId: string,
  hashOf: (entry: EntryInput) => string,
) {
  const lint = { mendedUrls: 0, sharedDomains: 0, duplicates: 0, expired: 0 };
  let coverage = noCoverage;

  const crowds = new Map<string, Companies>();

  /** Joins the entry to one that is known, or adds it. */
  const place = (companies: Companies, entry: EntryInput): Known => {
    const known = companies.find(entry);
    const merged = known === undefined ? null : mergeEntries(known.entry, entry);
    if (known === undefined || merged === null) {
      const added = { entry, hash: hashOf(entry), storedHash: null };
      companies.add(added);
      coverage = plus(coverage, coverageOf(entry));
      return added;
    }
    coverage = plus(minus(coverage, coverageOf(known.entry)), coverageOf(merged));
    lint.duplicates += 1;
    companies.replace(known, { entry: merged, hash: hashOf(merged) });
    return known;
  };

  return {
    async add(candidates: readonly Candidate[]): Promise<void> {
      for (const { mended, sharedDomain, expired } of candidates) {
        lint.mendedUrls += mended && !expired ? 1 : 0;
        lint.sharedDomains += sharedDomain && !expired ? 1 : 0;
        lint.expired += expired ? 1 : 0;
      }
      const entries = candidates.filter(({ expired }) => !expired).map(({ entry }) => ({ entry, who: whoOf(entry) }));
      const companies = await readKnown(new Set(entries.map(({ who }) => who)));
      const touched = new Set<Known>();
      for (const { entry, who } of entries) {
        const same = companies.get(who) ?? createCompanies();
        companies.set(who, same);
        touched.add(place(same, entry));
        if (same.size() >= crowd) crowds.set(who, same);
      }
      await save([...touched].filter(({ hash, storedHash }) => hash !== storedHash));
    },
    figures: (): { lint: ExclusionLint; coverage: Coverage } => ({ lint: { ...lint }, coverage }),
  };

  async function readKnown(whos: ReadonlySet<string>): Promise<Map<string, Companies>> {
    const crowded = [...whos].flatMap((who) => {
      const companies = crowds.get(who);
      return companies === undefined ? [] : [[who, companies] as const];
    });
    const rows = await exclusions.wantedOf(
      syncId,
      [...whos].filter((who) => !crowds.has(who)),
    );
    const read = [...Map.groupBy(rows, ({ who }) => who)].map(
      ([who, group]) => [who, createCompanies(group.map(toKnown))] as const,
    );
    return new Map([...crowded, ...read]);
  }

  async function save(changed: readonly Known[]): Promise<void> {
    await exclusions.unwant(
      syncId,
      changed.flatMap(({ storedHash }) => storedHash ?? []),
    );
    await exclusions.want(
      syncId,
      changed.map(({ entry, hash }) => ({ hash, json: JSON.stringify(entry), ...keysOf(entry) })),
    );
    for (const company of changed) company.storedHash = company.hash;
  }
}

function toKnown({ hash, json }: WantedExclusion): Known {
  return { entry: entryInputSchema.parse(JSON.parse(json)), hash, storedHash: hash };
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
