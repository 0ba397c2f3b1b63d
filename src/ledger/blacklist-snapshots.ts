import { batchesOf, distinctBy } from './query-batches.ts';
import { LedgerError } from './ledger-error.ts';
import type { Database, Tables } from './tables.ts';

export type FrozenEntry = { entryId: string; json: string };
export type FrozenBlacklist = Tables['frozenBlacklists'];
export type OrderBlacklist = Tables['orderBlacklists'];

const idsPerPart = 1_000;

/**
 * Blacklists as they stood when an order was placed. The service never changes an entry, so that what an entry says is
 * kept once, and a snapshot is the list of its entries' ids: 37 bytes an entry. Equal snapshots are one.
 */
export function createBlacklistSnapshots(db: Database) {
  return {
    async has(digest: string): Promise<boolean> {
      const row = await db
        .selectFrom('frozenBlacklists')
        .select('digest')
        .where('digest', '=', digest)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** What entries say; an id that is known takes what is said now. */
    describe: (entries: readonly FrozenEntry[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of batchesOf(distinctBy(entries, ({ entryId }) => entryId))) {
          await transaction
            .insertInto('frozenEntries')
            .values([...chunk])
            .onConflict((conflict) =>
              conflict.column('entryId').doUpdateSet((eb) => ({ json: eb.ref('excluded.json') })),
            )
            .execute();
        }
      }),

    /**
     * Keeps the ids under the digest, piece by piece; the snapshot is there once all of them are.
     * @throws LedgerError `changed` when there are not as many as the digest was made of
     */
    async save(snapshot: FrozenBlacklist, entryIds: AsyncIterable<readonly string[]>): Promise<void> {
      const { digest } = snapshot;
      let entries = 0;
      let part = 0;
      const savePart = async (ids: readonly string[]) => {
        await db
          .insertInto('frozenMembers')
          .values({ digest, part, entryIds: ids.join(' ') })
          // What another attempt left unfinished is not trusted; a snapshot that is there never changes.
          .onConflict((conflict) =>
            conflict
              .columns(['digest', 'part'])
              .doUpdateSet({ entryIds: ids.join(' ') })
              .where((eb) =>
                eb.not(eb.exists(eb.selectFrom('frozenBlacklists').select('digest').where('digest', '=', digest))),
              ),
          )
          .execute();
        part += 1;
        entries += ids.length;
      };
      let open: string[] = [];
      for await (const ids of entryIds) {
        open.push(...ids);
        while (open.length >= idsPerPart) await savePart(open.splice(0, idsPerPart));
      }
      if (open.length > 0) await savePart(open);
      if (entries !== snapshot.entries) {
        throw new LedgerError('changed', `a blacklist of ${snapshot.entries} entries had ${entries} when it was kept`);
      }
      await db
        .insertInto('frozenBlacklists')
        .values(snapshot)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** The entries of a snapshot, up to 500 at a time. */
    async *entries(digest: string): AsyncGenerator<FrozenEntry[]> {
      for (let part = 0; ; part += 1) {
        const row = await db
          .selectFrom('frozenMembers')
          .select('entryIds')
          .where('digest', '=', digest)
          .where('part', '=', part)
          .executeTakeFirst();
        if (row === undefined) return;
        for (const chunk of batchesOf(row.entryIds.split(' '))) {
          yield await db.selectFrom('frozenEntries').selectAll().where('entryId', 'in', chunk).execute();
        }
      }
    },

    /** The first snapshot of an order counts: it was taken before the order was placed. */
    async attach(rows: readonly OrderBlacklist[]): Promise<void> {
      if (rows.length === 0) return;
      await db
        .insertInto('orderBlacklists')
        .values([...rows])
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    ofOrder(orderId: string): Promise<OrderBlacklist[]> {
      return db
        .selectFrom('orderBlacklists')
        .selectAll()
        .where('orderId', '=', orderId)
        .orderBy('blacklistId')
        .execute();
    },
  };
}
