/** Reads what an order returned and what its blacklists hold, and finds the leaks. */
import type { Entry } from '../contract/index.ts';
import { ProspectingError } from '../prospecting/prospecting-error.ts';
import type { ActivityContext, ExclusionDependencies } from './exclusion-dependencies.ts';
import { readFrozenEntries } from './freeze-blacklist.ts';
import { createLeakCheck, type Leak, type ReturnedCompany } from './leak-check.ts';

type LeakDependencies = Pick<ExclusionDependencies, 'prospecting' | 'ledger'>;

/** A blacklist of an order; `digest` names its snapshot. */
export interface FrozenBlacklist {
  readonly blacklistId: string;
  readonly digest: string;
}

/** Companies in one comparison, about 1 KB of memory each. Each comparison reads the blacklists once. */
const companiesAtOnce = 25_000;

/** Progress counts the slots that were read. */
export async function findLeaks(
  dependencies: LeakDependencies,
  { orderId, blacklists }: { orderId: string; blacklists: readonly FrozenBlacklist[] },
  { signal, recordProgress }: ActivityContext,
): Promise<Leak[]> {
  const leaks: Leak[] = [];
  for await (const { companies, slotsRead } of readReturnedCompanies(dependencies, orderId, recordProgress)) {
    const check = createLeakCheck(companies);
    for (const { blacklistId, digest } of blacklists) {
      for await (const entries of readFrozenEntries(dependencies.ledger, digest)) {
        for (const entry of entries) check.addOrdered(entry);
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

interface CompanyPage {
  readonly companies: ReturnedCompany[];
  readonly slotsRead: number;
}

async function* readReturnedCompanies(
  { ledger }: Pick<LeakDependencies, 'ledger'>,
  orderId: string,
  recordProgress: ActivityContext['recordProgress'],
): AsyncGenerator<CompanyPage> {
  let companies: ReturnedCompany[] = [];
  let slotsRead = 0;
  for await (const slots of ledger.slots.streamParsed(orderId)) {
    for (const { position, slot } of slots) {
      const { company } = slot;
      if (company === null) continue;
      // Contacts are left out to save memory.
      const { name, website_url, domain, city, source_id } = company;
      companies.push({ position, company: { name, website_url, domain, city, source_id } });
    }
    recordProgress((slotsRead += slots.length));
    if (companies.length < companiesAtOnce) continue;
    yield { companies, slotsRead };
    companies = [];
  }
  if (companies.length > 0) yield { companies, slotsRead };
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
    if (!(error instanceof ProspectingError) || error.facts.status !== 404) throw error;
  }
}
