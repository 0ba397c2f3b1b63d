/** Blacklists of the service: their ids, and their snapshots when orders were placed. */
import type { Company } from '../service/contract/index.ts';
import { indexCompanies } from './company-index.ts';
import { z } from 'zod';
import type { Database, Tables } from './tables.ts';
import { batchesOf, distinctBy } from './query-batches.ts';
import { LedgerError } from './ledger-error.ts';
import { jsonNamesForgotten } from './redaction/redact-slot.ts';
import type { Tombstones } from './tombstones.ts';

export type BlacklistRow = Tables['blacklists'];

/** Ids of the service's blacklists, by configured name. */
export function createBlacklistStore(db: Database) {
  return {
    get(name: string): Promise<BlacklistRow | undefined> {
      return db.selectFrom('blacklists').selectAll().where('name', '=', name).executeTakeFirst();
    },

    /** Whether the ledger is that of an installation that has neither synced nor ordered anything yet. */
    async isUnused(): Promise<boolean> {
      const rows = await Promise.all([
        db.selectFrom('blacklists').select('name').limit(1).executeTakeFirst(),
        db.selectFrom('exclusionScans').select('name').limit(1).executeTakeFirst(),
        db.selectFrom('orders').select('orderId').limit(1).executeTakeFirst(),
      ]);
      return rows.every((row) => row === undefined);
    },

    async isKnown(blacklistId: string): Promise<boolean> {
      const found = await db
        .selectFrom('blacklists')
        .select('name')
        .where('blacklistId', '=', blacklistId)
        .executeTakeFirst();
      return found !== undefined;
    },

    /** Replaces an earlier name of the blacklist. */
    save: ({ name, blacklistId }: BlacklistRow): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom('blacklists')
          .where('blacklistId', '=', blacklistId)
          .where('name', '<>', name)
          .execute();
        await transaction
          .insertInto('blacklists')
          .values({ name, blacklistId })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ blacklistId }))
          .execute();
      }),

    async forget(blacklistId: string): Promise<void> {
      await db.deleteFrom('blacklists').where('blacklistId', '=', blacklistId).execute();
    },
  };
}

export const listedEntrySchema = z.object({
  id: z.string(),
  company_name: z.string(),
  website_url: z.string().nullable(),
  city: z.string().nullable(),
  external_id: z.string().nullable(),
  reason: z.string().nullable(),
  created_at: z.string(),
});

/** The fields of an entry that matching, evidence and readers need: the JSON of a frozen entry. */
export type ListedEntry = z.infer<typeof listedEntrySchema>;

export function parseEntry(json: string): ListedEntry {
  return listedEntrySchema.parse(JSON.parse(json));
}

export type FrozenEntry = Tables['frozenEntries'];

/** `company`: the fields of the entry by which it is found. */
export type DescribedEntry = FrozenEntry & { readonly company: Pick<Company, 'name' | 'website_url'> };
export type FrozenBlacklist = Tables['frozenBlacklists'];
export type OrderBlacklist = Tables['orderBlacklists'];

/** An order's blacklist as it was when the order was placed. */
export type AttachedBlacklist = Omit<OrderBlacklist, 'matchedDigest'>;

const idsPerPart = 1_000;

/**
 * Snapshots of blacklists when an order was placed. The service never changes an entry, so each entry is stored once, and a snapshot is
 * a list of entry ids: 37 bytes an entry. Equal snapshots are stored once.
 */
export function createBlacklistSnapshots(db: Database, tombstones: Tombstones) {
  return {
    async has(digest: string): Promise<boolean> {
      const row = await db
        .selectFrom('frozenBlacklists')
        .select('digest')
        .where('digest', '=', digest)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Stores the content of entries, except of forgotten companies. Replaces the content of a known id. */
    describe: (entries: readonly DescribedEntry[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const test = await tombstones.test(transaction);
        const kept = test === null ? entries : entries.filter(({ json }) => !jsonNamesForgotten(json, test));
        for (const chunk of batchesOf(distinctBy(kept, ({ entryId }) => entryId))) {
          await transaction
            .insertInto('frozenEntries')
            .values(chunk.map(({ company: _company, ...entry }) => entry))
            .onConflict((conflict) =>
              conflict
                .column('entryId')
                .doUpdateSet((eb) => ({ json: eb.ref('excluded.json'), lastSeenAt: eb.ref('excluded.lastSeenAt') })),
            )
            .execute();
          await indexCompanies(
            transaction,
            'entry',
            chunk.map(({ entryId, company }) => ({ ref: entryId, position: 0, company })),
          );
        }
      }),

    /**
     * Stores the ids in parts under the digest. The snapshot exists once all parts are stored.
     * @throws LedgerError `changed` when the number of entries differs from that of the digest
     */
    async save(snapshot: FrozenBlacklist, entryIds: AsyncIterable<readonly string[]>): Promise<void> {
      const { digest } = snapshot;
      let entries = 0;
      let part = 0;
      const savePart = async (ids: readonly string[]) => {
        await db
          .insertInto('frozenMembers')
          .values({ digest, part, entryIds: ids.join(' ') })
          // Replaces parts that an unfinished attempt left. A complete snapshot never changes.
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
        throw new LedgerError(
          'changed',
          `a blacklist of ${snapshot.entries} entries had ${entries} when its snapshot was stored`,
        );
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

    /** Entries that snapshots of the blacklist had, by their ids; those that the blacklist has no longer were seen earlier than the others. */
    page(
      blacklistId: string,
      { after, limit }: { readonly after: string; readonly limit: number },
    ): Promise<FrozenEntry[]> {
      return db
        .selectFrom('frozenEntries')
        .selectAll()
        .where('blacklistId', '=', blacklistId)
        .where('entryId', '>', after)
        .orderBy('entryId')
        .limit(limit)
        .execute();
    },

    /** Keeps the first snapshot of an order, which was taken before the order was placed. */
    async attach(rows: readonly AttachedBlacklist[]): Promise<void> {
      if (rows.length === 0) return;
      await db
        .insertInto('orderBlacklists')
        .values(rows.map((row) => ({ ...row, matchedDigest: null })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Keeps the first snapshot of the time when the service matched. */
    async saveMatched(orderId: string, blacklistId: string, matchedDigest: string): Promise<void> {
      await db
        .updateTable('orderBlacklists')
        .set({ matchedDigest })
        .where('orderId', '=', orderId)
        .where('blacklistId', '=', blacklistId)
        .where('matchedDigest', 'is', null)
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
