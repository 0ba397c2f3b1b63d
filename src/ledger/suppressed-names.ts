/**
 * Names and cities by which suppressed companies are recognised without their website. They are kept beside the suppressions, since
 * retention erases the slots and replies that know them, and a suppression outlasts both.
 */
import { z } from 'zod';
import { digest } from '../base/json/canonical-json.ts';
import { cleanText } from '../base/text/clean-text.ts';
import { comparableName, limits, type Company } from '../service/contract/index.ts';
import { companyDomain } from './identity.ts';
import { batchesOf, distinctBy } from './query-batches.ts';
import { cellsNameForgotten } from './redaction/redact-row.ts';
import type { IdentifierTest } from './redaction/identifiers.ts';
import type { createSlots } from './slots.ts';
import type { Database, Tables } from './tables.ts';
import type { Tombstones } from './tombstones.ts';

/** A name of the company at this domain. */
export interface CompanyName {
  readonly domain: string;
  readonly name: string | null | undefined;
  readonly city?: string | null | undefined;
}

/** As a company is compared with a blacklist. */
export interface SuppressedName {
  readonly company_name: string;
  readonly city?: string;
}

interface NameDependencies {
  readonly tombstones: Tombstones;
  readonly slots: Pick<ReturnType<typeof createSlots>, 'readParsed'>;
}

/** The newest deliveries of a company have the names that it has now. */
const mostDeliveries = 20;

export function createSuppressedNames(db: Database, { tombstones, slots }: NameDependencies) {
  return {
    /** Keeps what a blacklist entry can hold, without forgotten companies. */
    keep: (names: readonly CompanyName[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const test = await tombstones.test(transaction);
        const rows = names.flatMap(toNameRow).filter((row) => test === null || !isForgottenName(row, test));
        for (const chunk of batchesOf(distinctBy(rows, ({ hash }) => hash)))
          await transaction
            .insertInto('suppressedNames')
            .values([...chunk])
            .onConflict((conflict) => conflict.doNothing())
            .execute();
      }),

    /** The names under which orders have delivered the company. */
    async ofDeliveries(domain: string): Promise<CompanyName[]> {
      const deliveries = await db
        .selectFrom('outcomes')
        .select(['orderId', 'position'])
        .where('matchKey', '=', domain)
        .where('item', '=', 'company')
        .groupBy(['orderId', 'position'])
        .orderBy(({ fn }) => fn.max('at'), 'desc')
        .limit(mostDeliveries)
        .execute();
      const names: CompanyName[] = [];
      for (const { orderId, position } of deliveries)
        for (const { slot } of await slots.readParsed(orderId, { from: position, to: position + 1 }))
          names.push(...toCompanyNames(slot.company));
      return names.filter((name) => name.domain === domain);
    },

    /** By domain; a company without a known name is absent. */
    async read(domains: readonly string[]): Promise<Map<string, SuppressedName[]>> {
      const rows = await db
        .selectFrom('suppressedNames')
        .selectAll()
        .where('domain', 'in', domains)
        .orderBy('hash')
        .execute();
      const byDomain = Map.groupBy(rows, ({ domain }) => domain);
      return new Map([...byDomain].map(([domain, group]) => [domain, group.map(toSuppressedName)]));
    },
  };
}

/** Empty for a company without a domain of its own. */
export function toCompanyNames(company: Company | null): CompanyName[] {
  const domain = company && companyDomain(company);
  return company && domain ? [{ domain, name: company.name, city: company.city }] : [];
}

const nameSchema = z.string().min(1).max(limits.entry.companyName);
const citySchema = z.string().min(1).max(limits.entry.city).nullable().catch(null);

function toNameRow({ domain, name, city }: CompanyName): Tables['suppressedNames'][] {
  const parsed = nameSchema.safeParse(cleanText(name ?? ''));
  if (!parsed.success) return [];
  const row = { domain, name: parsed.data, city: citySchema.parse(cleanText(city ?? '')) };
  return [{ ...row, hash: digest([domain, comparableName(row.name), comparableName(row.city ?? '')]) }];
}

function toSuppressedName({ name, city }: Tables['suppressedNames']): SuppressedName {
  return { company_name: name, ...(city !== null && { city }) };
}

/** A company may be named after a person. */
export function isForgottenName({ domain, name, city }: Tables['suppressedNames'], test: IdentifierTest): boolean {
  return cellsNameForgotten(JSON.stringify([name, city ?? '', domain]), null, test);
}
