/** People and companies that are never ordered, delivered or written again. */
import { addressKey } from './identity.ts';
import { domainsOf, namesAnyone, passes, type Identifier, type IdentifierTest } from './redaction/identifiers.ts';
import type { Keyring } from './keyring.ts';
import { batchesOf, batchRows, pagesOf } from './query-batches.ts';
import type { CompanyName, createSuppressedNames, SuppressedName } from './suppressed-names.ts';
import { createSuppressionLists, type SuppressionRow } from './suppression-lists.ts';
import type { Database } from './tables.ts';
import type { Tombstones } from './tombstones.ts';

export interface NewSuppression {
  /** An email address or a domain. */
  readonly identifier: Identifier;
  /** ISO 8601. */
  readonly at: string;
  /** Origin of the suppression: `reply <webhook id>`, or the name of a user. */
  readonly by: string;
  readonly reason: string;
  /** Of a reply: when it suppressed before, or null. What a person has removed since then stays removed. */
  readonly repliedBefore?: string | null;
  /** What a reply says of the company of a domain. */
  readonly name?: CompanyName['name'];
}

export interface SuppressedCompany {
  readonly domain: string;
  /** Empty when nobody knows a name. */
  readonly names: readonly SuppressedName[];
}

interface SuppressionDependencies {
  readonly keyring: Keyring;
  readonly tombstones: Tombstones;
  readonly names: ReturnType<typeof createSuppressedNames>;
}

export type Suppressions = ReturnType<typeof createSuppressions>;

/** Replaces a text that names a forgotten person or company. */
export const forgottenText = '(forgotten)';

/** People are found by a digest under the secret of the ledger, so that they stay suppressed after they were forgotten. */
export function createSuppressions(db: Database, { keyring, tombstones, names }: SuppressionDependencies) {
  const toKey = ({ kind, value }: Identifier) =>
    kind === 'domain'
      ? { kind: 'company' as const, key: value }
      : { kind: 'person' as const, key: keyring.contactKey(addressKey(value)) };

  /** For a forgotten person, only the digest is stored. */
  const addIn = async (
    transaction: Database,
    { identifier, at, by, reason, repliedBefore = null }: NewSuppression,
  ): Promise<boolean> => {
    const test = await tombstones.test(transaction);
    const isForgotten = identifier.kind !== 'domain' && test !== null && passes(identifier, test);
    const value = isForgotten ? null : identifier.value;
    const active = { value, addedAt: at, addedBy: toKept(by, test), reason: toKept(reason, test) };
    const again = { ...active, removedAt: null, removedBy: null, removedReason: null };
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('suppressions')
      .values({ ...toKey(identifier), ...active })
      .onConflict((conflict) =>
        conflict
          .columns(['kind', 'key'])
          .doUpdateSet(again)
          .where((eb) =>
            eb.and([
              eb('suppressions.removedAt', 'is not', null),
              ...(repliedBefore === null
                ? []
                : [eb('suppressions.removedAt', '<', repliedBefore), eb('suppressions.addedBy', '<>', by)]),
            ]),
          ),
      )
      .executeTakeFirst();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  };

  const find = async (
    kind: SuppressionRow['kind'],
    state: 'active' | 'removed',
    keys: readonly string[],
  ): Promise<Set<string>> => {
    const found = new Set<string>();
    for (const chunk of batchesOf([...new Set(keys)])) {
      const rows = await db
        .selectFrom('suppressions')
        .select('key')
        .where('kind', '=', kind)
        .where('key', 'in', chunk)
        .where('removedAt', state === 'active' ? 'is' : 'is not', null)
        .execute();
      for (const { key } of rows) found.add(key);
    }
    return found;
  };

  /** Keeps the names of those companies that are suppressed. */
  const keepNames = async (found: readonly CompanyName[]): Promise<void> => {
    const active = await find(
      'company',
      'active',
      found.map(({ domain }) => domain),
    );
    await names.keep(found.filter(({ domain }) => active.has(domain)));
  };

  /** Selects the keys of contacts whose suppression is in this state. */
  const findContacts = async (state: 'active' | 'removed', contactKeys: readonly string[]): Promise<Set<string>> => {
    const stored = new Map(contactKeys.map((key) => [key, keyring.contactKey(key)]));
    const found = await find('person', state, [...stored.values()]);
    return new Set([...stored].flatMap(([plain, key]) => (found.has(key) ? [plain] : [])));
  };

  /** The suppression, active or removed. */
  const get = (identifier: Identifier): Promise<SuppressionRow | undefined> => {
    const { kind, key } = toKey(identifier);
    return db.selectFrom('suppressions').selectAll().where('kind', '=', kind).where('key', '=', key).executeTakeFirst();
  };

  return {
    /** True if there is any suppression, active or removed. */
    isUsed: async (): Promise<boolean> =>
      (await db.selectFrom('suppressions').select('kind').limit(1).executeTakeFirst()) !== undefined,

    /**
     * An existing suppression keeps its time and reason. The names of a company are found after it is suppressed.
     * @returns true if the subject was not suppressed before
     */
    async add(suppression: NewSuppression): Promise<boolean> {
      const isAdded = await db.transaction().execute((transaction) => addIn(transaction, suppression));
      const { identifier, name } = suppression;
      if (identifier.kind === 'domain')
        await keepNames([{ domain: identifier.value, name }, ...(await names.ofDeliveries(identifier.value))]);
      return isAdded;
    },

    keepNames,

    /** Like `add`, in a transaction of the caller. */
    addIn,

    /** Keeps the row, with the name and the reason of the removal. @returns false if the subject was not suppressed */
    remove: ({ identifier, at, by, reason }: NewSuppression): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const test = await tombstones.test(transaction);
        const { kind, key } = toKey(identifier);
        const { numUpdatedRows } = await transaction
          .updateTable('suppressions')
          .set({ removedAt: at, removedBy: toKept(by, test), removedReason: toKept(reason, test) })
          .where('kind', '=', kind)
          .where('key', '=', key)
          .where('removedAt', 'is', null)
          .executeTakeFirst();
        return numUpdatedRows === 1n;
      }),

    ...createSuppressionLists(db),

    /** The suppressed companies by domain, page by page. */
    async *companies(): AsyncGenerator<SuppressedCompany[]> {
      const read = (after: string) =>
        db
          .selectFrom('suppressions')
          .select('key')
          .where('kind', '=', 'company')
          .where('removedAt', 'is', null)
          .where('key', '>', after)
          .orderBy('key')
          .limit(batchRows)
          .execute();
      for await (const rows of pagesOf('', ({ key }) => key, read)) {
        const known = await names.read(rows.map(({ key }) => key));
        yield rows.map(({ key }) => ({ domain: key, names: known.get(key) ?? [] }));
      }
    },

    /** Selects the `prospect_sync_contact_key`s of suppressed people. */
    suppressedContacts: (contactKeys: readonly string[]): Promise<Set<string>> => findContacts('active', contactKeys),

    /** Selects the `prospect_sync_contact_key`s of people whose suppression was removed. */
    unsuppressedContacts: (contactKeys: readonly string[]): Promise<Set<string>> =>
      findContacts('removed', contactKeys),

    /** Selects the hosts, or addresses, of suppressed companies: `shop.acme.de` and `jane@acme.de` belong to `acme.de`. */
    async suppressedHosts(hosts: readonly string[]): Promise<Set<string>> {
      const domains = new Map(hosts.map((host) => [host, domainsOf(host)]));
      const found = await find('company', 'active', [...domains.values()].flat());
      return new Set([...domains].flatMap(([host, all]) => (all.some((domain) => found.has(domain)) ? [host] : [])));
    },

    /** True for a domain with an entry, active or removed. */
    hasDomain: async (identifier: Identifier): Promise<boolean> =>
      identifier.kind === 'domain' && (await get(identifier)) !== undefined,

    /** The number of others that the same reply has suppressed: the further addresses of the contact, a colleague, the company. */
    async bySameReply(identifier: Identifier): Promise<number> {
      const { kind, key } = toKey(identifier);
      const { others } = await db
        .selectFrom('suppressions as own')
        .innerJoin('suppressions as other', 'other.addedBy', 'own.addedBy')
        .select(({ fn }) => fn.countAll<number>().as('others'))
        .where('own.kind', '=', kind)
        .where('own.key', '=', key)
        .where('own.addedBy', 'like', 'reply %')
        .where('other.removedAt', 'is', null)
        .where((eb) => eb.or([eb('other.kind', '<>', kind), eb('other.key', '<>', key)]))
        .executeTakeFirstOrThrow();
      return others;
    },

    /** The suppressed companies to which an address or a domain belongs, beside itself, and the number of suppressed addresses at a domain. */
    async around(identifier: Identifier): Promise<{ readonly companies: string[]; readonly people: number }> {
      const host = identifier.value.slice(identifier.value.lastIndexOf('@') + 1);
      const above = domainsOf(host).filter((domain) => domain !== identifier.value);
      const companies = [...(await find('company', 'active', above))];
      if (identifier.kind !== 'domain') return { companies, people: 0 };
      const { people } = await db
        .selectFrom('suppressions')
        .select(({ fn }) => fn.countAll<number>().as('people'))
        .where('kind', '=', 'person')
        .where('value', 'like', `%@${host}`)
        .where('removedAt', 'is', null)
        .executeTakeFirstOrThrow();
      return { companies, people };
    },

    get,

    isSuppressed: async (identifier: Identifier): Promise<boolean> => (await get(identifier))?.removedAt === null,
  };
}

function toKept(text: string, test: IdentifierTest | null): string {
  return test !== null && namesAnyone(text, test) ? forgottenText : text;
}
