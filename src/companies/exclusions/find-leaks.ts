/** Finds leaks: returned companies that a blacklist of the order names, by the four match tiers of the specification. */
import {
  type Entry,
  domainOf,
  createBlacklistIndex,
  type Company,
  type MatchingTier,
} from '../../service/contract/index.ts';
import { isNotFound } from '../../service/client/prospecting-error.ts';
import type { ActivityContext } from '../sources/company-source.ts';
import type { ExclusionDependencies } from './scan-plan.ts';
import type { ListedEntry } from '../../ledger/blacklist-store.ts';
import { readFrozenEntries } from './freeze-blacklist.ts';
import type { CsvForm } from '../../base/spreadsheet/csv-form.ts';
import { writeCsv } from '../../base/spreadsheet/csv-writer.ts';
import type { Column, Row } from '../../base/spreadsheet/table.ts';

type LeakDependencies = Pick<ExclusionDependencies, 'prospecting' | 'ledger'>;

/** A blacklist of an order; `digest` names its snapshot. */
export interface ComparedBlacklist {
  readonly blacklistId: string;
  readonly digest: string;
}

/** `matchedDigest`: snapshot after the publication; absent or null when the service matches at the order, or the blacklist was deleted. */
export interface JudgedBlacklist extends ComparedBlacklist {
  readonly matchedDigest?: string | null;
}

/** Companies in one comparison, about 1 KB of memory each. Each comparison reads the blacklists once. */
const companiesAtOnce = 25_000;

/** Progress counts the slots that were read. */
export async function findLeaks(
  dependencies: LeakDependencies,
  { orderId, blacklists }: { orderId: string; blacklists: readonly JudgedBlacklist[] },
  { signal, recordProgress }: ActivityContext,
): Promise<Leak[]> {
  const leaks: Leak[] = [];
  for await (const page of readReturnedCompanies(dependencies, orderId, recordProgress)) {
    const { companies, slotsRead } = page;
    const check = createLeakCheck(companies);
    for (const { blacklistId, ...snapshots } of blacklists) {
      for await (const entries of readEntriesInForce(dependencies, snapshots, page.deliveredAt)) {
        for (const entry of entries) check.addInForce(entry);
        recordProgress(slotsRead);
      }
      for await (const entries of readCurrentEntries(dependencies, blacklistId, signal)) {
        for (const entry of entries) check.addCurrent(entry);
        recordProgress(slotsRead);
      }
    }
    leaks.push(...check.leaks());
  }
  return leaks;
}

/** The entries that a blacklist had when the service matched. An entry never changes, and its creation time is the service's. */
async function* readEntriesInForce(
  { ledger }: Pick<LeakDependencies, 'ledger'>,
  { digest, matchedDigest }: Omit<JudgedBlacklist, 'blacklistId'>,
  deliveredAt: number,
): AsyncGenerator<ListedEntry[]> {
  // Without that snapshot or a delivery time, the entries at the time of the order are the best approximation.
  if (!matchedDigest || Number.isNaN(deliveredAt)) {
    yield* readFrozenEntries(ledger, digest);
    return;
  }
  for await (const entries of readFrozenEntries(ledger, matchedDigest))
    yield entries.filter((entry) => Date.parse(entry.created_at) <= deliveredAt);
}

interface CompanyPage {
  readonly companies: ReturnedCompany[];
  /** First delivery time, in milliseconds since 1970; NaN if no slot has one. */
  readonly deliveredAt: number;
  readonly slotsRead: number;
}

async function* readReturnedCompanies(
  { ledger }: Pick<LeakDependencies, 'ledger'>,
  orderId: string,
  recordProgress: ActivityContext['recordProgress'],
): AsyncGenerator<CompanyPage> {
  let companies: ReturnedCompany[] = [];
  let deliveredAt = Number.NaN;
  let slotsRead = 0;
  const parse = await ledger.slots.parser(orderId);
  for await (const slots of ledger.slots.stream(orderId)) {
    for (const stored of slots) {
      const { position, slot } = parse(stored);
      const { company } = slot;
      if (company === null) continue;
      const time = Date.parse(slot.delivered_at);
      if (!(time >= deliveredAt) && !Number.isNaN(time)) deliveredAt = time;
      // Contacts are left out to save memory.
      const { name, website_url, domain, city, source_id } = company;
      companies.push({ position, company: { name, website_url, domain, city, source_id } });
    }
    recordProgress((slotsRead += slots.length));
    if (companies.length < companiesAtOnce) continue;
    yield { companies, deliveredAt, slotsRead };
    companies = [];
    deliveredAt = Number.NaN;
  }
  if (companies.length > 0) yield { companies, deliveredAt, slotsRead };
}

/** A deleted blacklist has no entries. */
async function* readCurrentEntries(
  { prospecting }: Pick<LeakDependencies, 'prospecting'>,
  blacklistId: string,
  signal: AbortSignal,
): AsyncGenerator<Entry[]> {
  try {
    yield* prospecting.blacklists.entries(blacklistId, { signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

const leakColumns: readonly Column[] = [
  { key: 'position', header: 'Position', kind: 'number' },
  { key: 'verdict', header: 'Verdict', kind: 'text' },
  { key: 'tier', header: 'Matched by', kind: 'text' },
  { key: 'companyName', header: 'Returned company', kind: 'text' },
  { key: 'companyDomain', header: 'Returned domain', kind: 'text' },
  { key: 'companyCity', header: 'Returned city', kind: 'text' },
  { key: 'companySourceId', header: 'Returned source id', kind: 'text' },
  { key: 'entryId', header: 'Entry id', kind: 'text' },
  { key: 'entryName', header: 'Entry company', kind: 'text' },
  { key: 'entryDomain', header: 'Entry domain', kind: 'text' },
  { key: 'entryCity', header: 'Entry city', kind: 'text' },
  { key: 'entryExternalId', header: 'Entry external id', kind: 'text' },
  { key: 'entryCreatedAt', header: 'Entry created at', kind: 'text' },
  { key: 'orderedAt', header: 'Ordered at', kind: 'text' },
];

/** `orderedAt`: ISO 8601. @returns rows, bytes and SHA-256 of the file */
export function writeLeakEvidence(
  file: { readonly path: string; readonly form: CsvForm | undefined },
  leaks: readonly Leak[],
  orderedAt: string,
  signal: AbortSignal,
) {
  const rows = (async function* () {
    yield leaks.map((leak) => toLeakRow(leak, orderedAt));
  })();
  return writeCsv({ ...file, columns: leakColumns, rows, signal });
}

function toLeakRow({ position, company, verdict, tier, entry }: Leak, orderedAt: string): Row {
  return {
    position,
    verdict,
    tier,
    companyName: company.name,
    companyDomain: domainOf(company.website_url) ?? company.domain,
    companyCity: company.city,
    companySourceId: company.source_id,
    entryId: entry.id,
    entryName: entry.company_name,
    entryDomain: domainOf(entry.website_url),
    entryCity: entry.city,
    entryExternalId: entry.external_id,
    entryCreatedAt: entry.created_at,
    orderedAt,
  };
}

export interface ReturnedCompany {
  readonly position: number;
  readonly company: Pick<Company, 'name' | 'website_url' | 'domain' | 'city' | 'source_id'>;
}

/**
 * LEAK: an entry matched by id, domain, or name and city when the service matched. LATE: such an entry was added later.
 * WEAK: only the name matches, which may be another company.
 */
export type Verdict = 'LEAK' | 'LATE' | 'WEAK';

export interface Leak extends ReturnedCompany {
  readonly verdict: Verdict;
  readonly tier: MatchingTier;
  readonly entry: ListedEntry;
}

/** Keeps only entries that match one of the companies, so memory does not grow with the size of the blacklists. */
export function createLeakCheck(returned: readonly ReturnedCompany[]) {
  const companies = createBlacklistIndex();
  for (const { position, company } of returned) companies.add(String(position), toComparable(company));
  const entries = new Map<string, ListedEntry>();
  const inForce = createBlacklistIndex();
  const current = createBlacklistIndex();
  const addTo = (index: typeof current) => (entry: ListedEntry) => {
    if (companies.match(entry) === null) return;
    index.add(entry.id, entry);
    entries.set(entry.id, entry);
  };
  return {
    /** Adds an entry that a blacklist of the order had when the service matched. */
    addInForce: addTo(inForce),
    /** Adds an entry that a blacklist of the order has now. */
    addCurrent: addTo(current),
    /** Returns the leaks in the order of the companies. */
    leaks: (): Leak[] =>
      returned.flatMap(({ position, company }) => {
        const comparable = toComparable(company);
        const [matched, since] = [inForce.match(comparable), current.match(comparable)];
        const [verdict, match] =
          matched !== null && matched.tier !== 'name'
            ? (['LEAK', matched] as const)
            : since !== null && since.tier !== 'name'
              ? (['LATE', since] as const)
              : (['WEAK', matched ?? since] as const);
        const entry = entries.get(match?.id ?? '');
        return match === null || entry === undefined ? [] : [{ position, company, verdict, tier: match.tier, entry }];
      }),
  };
}

/** The specification compares `external_id` with the company's source id. `domain` stands in for a missing website. */
function toComparable({ name, website_url, domain, city, source_id }: ReturnedCompany['company']) {
  return {
    company_name: name ?? '',
    website_url: domainOf(website_url) === null ? domain : website_url,
    city,
    external_id: source_id,
  };
}
