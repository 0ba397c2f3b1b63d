/** Where the ledger holds a company, by its domain and its name: in slots, in rows that were not ordered, and in entries of blacklists. */
import { companyDomain } from './identity.ts';
import { batchesOf, distinctBy } from './query-batches.ts';
import { namesForgotten } from './redaction/redact-slot.ts';
import type { Database, Tables } from './tables.ts';
import type { Tombstones } from './tombstones.ts';
import { comparableName, type Company } from '../service/contract/index.ts';

export type CompanyPlace = Tables['companyIndex'];
type PlacedCompany = Pick<CompanyPlace, 'ref' | 'position'> & {
  readonly company: Partial<Pick<Company, 'name' | 'domain' | 'website_url'>> | null;
};

/** A longer name is found by its beginning. */
const longestName = 200;

/** At most this many places are read. */
export const mostPlaces = 500;

/** Replaces what is known of these places. A place without domain and name is not kept. */
export async function indexCompanies(
  db: Database,
  place: CompanyPlace['place'],
  companies: readonly PlacedCompany[],
): Promise<void> {
  const rows = companies.map(({ ref, position, company }): CompanyPlace => {
    const { name, domain, website_url: website } = company ?? {};
    return {
      place,
      ref,
      position,
      domain: companyDomain({ domain: domain ?? null, website_url: website ?? null }),
      name: comparableName(name ?? '').slice(0, longestName) || null,
    };
  });
  const [unknown, known] = [rows.filter(isUnknown), rows.filter((row) => !isUnknown(row))];
  for (const [ref, group] of Map.groupBy(unknown, (row) => row.ref))
    await unindexCompanies(
      db,
      place,
      ref,
      group.map(({ position }) => position),
    );
  for (const chunk of batchesOf(distinctBy(known, ({ ref, position }) => `${ref} ${position}`)))
    await db
      .insertInto('companyIndex')
      .values([...chunk])
      .onConflict((conflict) =>
        conflict
          .columns(['place', 'ref', 'position'])
          .doUpdateSet((eb) => ({ domain: eb.ref('excluded.domain'), name: eb.ref('excluded.name') }))
          .where((eb) =>
            eb.or([
              eb('companyIndex.domain', 'is distinct from', eb.ref('excluded.domain')),
              eb('companyIndex.name', 'is distinct from', eb.ref('excluded.name')),
            ]),
          ),
      )
      .execute();
}

function isUnknown({ domain, name }: CompanyPlace): boolean {
  return domain === null && name === null;
}

export async function unindexCompanies(
  db: Database,
  place: CompanyPlace['place'],
  ref: string,
  positions: readonly number[],
): Promise<void> {
  for (const chunk of batchesOf(positions))
    await db
      .deleteFrom('companyIndex')
      .where('place', '=', place)
      .where('ref', '=', ref)
      .where('position', 'in', chunk)
      .execute();
}

/** Deletes places whose row or entry was deleted or erased. @returns 0: they are counted with their rows and entries */
export async function sweepCompanyIndex({ db, preview }: { db: Database; preview: boolean }): Promise<number> {
  if (preview) return 0;
  await db
    .deleteFrom('companyIndex')
    .where((eb) =>
      eb.or([
        eb.and([
          eb('place', '=', 'entry'),
          eb.not(
            eb.exists(eb.selectFrom('frozenEntries').select('entryId').whereRef('entryId', '=', 'companyIndex.ref')),
          ),
        ]),
        eb.and([
          eb('place', '=', 'excluded_row'),
          eb.not(
            eb.exists(
              eb
                .selectFrom('excludedRows')
                .select('number')
                .whereRef('draftId', '=', 'companyIndex.ref')
                .whereRef('number', '=', 'companyIndex.position')
                .where('json', '<>', '{}'),
            ),
          ),
        ]),
      ]),
    )
    .execute();
  return 0;
}

export function createKnownCompanies(db: Database, tombstones: Tombstones) {
  const places = () => db.selectFrom('companyIndex').selectAll().orderBy('place').orderBy('ref').limit(mostPlaces);
  return {
    /** The companies of slots, without those that were forgotten since the slots were read. */
    saveSlots: (companies: readonly PlacedCompany[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const test = await tombstones.test(transaction);
        const isKept = ({ company }: PlacedCompany) => {
          const { name, domain, website_url } = company ?? {};
          return test === null || !namesForgotten({ name, domain, website_url }, test);
        };
        await indexCompanies(transaction, 'slot', companies.filter(isKept));
      }),

    /** The first 500. */
    byDomain: (domain: string): Promise<CompanyPlace[]> => places().where('domain', '=', domain).execute(),

    /** The first 500 of this name, in any spelling. */
    byName: (name: string): Promise<CompanyPlace[]> => places().where('name', '=', comparableName(name)).execute(),

    /** Names that begin with this text, at most `limit`. */
    async namesFrom(text: string, limit: number): Promise<string[]> {
      const from = comparableName(text);
      const rows = await db
        .selectFrom('companyIndex')
        .select('name')
        .distinct()
        .where('name', '>=', from)
        .where('name', '<', `${from}\u{10FFFF}`)
        .orderBy('name')
        .limit(limit)
        .execute();
      return rows.flatMap(({ name }) => name ?? []);
    },
  };
}
