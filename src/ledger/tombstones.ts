import { sql } from 'kysely';
import type { Identifier, IdentifierTest } from './redaction/identifiers.ts';
import type { Keyring } from './keyring.ts';
import { batchesOf, distinctBy } from './query-batches.ts';
import type { Database, DatabaseKind } from './tables.ts';

export type Tombstones = ReturnType<typeof createTombstones>;

/** Digests of forgotten people and companies, so that later results are stored without them. */
export function createTombstones(db: Database, kind: DatabaseKind, keyring: Keyring) {
  let known = { generation: '0', digests: new Set<string>() };

  return {
    /**
     * The test for forgotten identifiers; null when there are none. In a transaction that stores data, PostgreSQL lets `add` wait
     * until the data is committed: either the data is stored without the forgotten, or `forget` finds it.
     */
    async test(executor: Database = db): Promise<IdentifierTest | null> {
      const { value: generation } = await executor
        .selectFrom('ledgerSettings')
        .select('value')
        .where('name', '=', 'forgotten')
        .$if(kind === 'postgres' && executor !== db, (query) => query.forShare())
        .executeTakeFirstOrThrow();
      if (generation === '0') return null;
      if (generation !== known.generation) {
        const rows = await executor.selectFrom('tombstones').select('digest').execute();
        known = { generation, digests: new Set(rows.map(({ digest }) => digest)) };
      }
      const { digests } = known;
      return (identifier) => digests.has(keyring.tombstone(identifier));
    },

    /** All or nothing, before anything is erased: an interrupted erasure is completed by the tombstones. */
    add: (identifiers: readonly Identifier[], at: string): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('ledgerSettings')
          .set({ value: sql`cast(cast(value as integer) + 1 as text)` })
          .where('name', '=', 'forgotten')
          .execute();
        const rows = identifiers.map((identifier) => ({
          digest: keyring.tombstone(identifier),
          kind: identifier.kind,
          at,
        }));
        for (const chunk of batchesOf(distinctBy(rows, ({ digest }) => digest))) {
          await transaction
            .insertInto('tombstones')
            .values([...chunk])
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        }
      }),

    /** Time of `forget`; null if the identifier was not forgotten. */
    async forgottenAt(identifier: Identifier): Promise<string | null> {
      const digest = keyring.tombstone(identifier);
      const row = await db.selectFrom('tombstones').select('at').where('digest', '=', digest).executeTakeFirst();
      return row?.at ?? null;
    },
  };
}
