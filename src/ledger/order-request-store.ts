/** Requests that create something in the service: orders, and the profiles that orders use. */
import { sql } from 'kysely';
import type { Database, DatabaseKind, Tables } from './tables.ts';

export type OrderRequest = Tables['orderRequests'];

/** The content of an order request, stored before it was sent. */
export interface Submission {
  readonly kind: 'discovery' | 'enrichment';
  /** Rows of an enrichment, companies of a discovery. */
  readonly quantity: number;
  readonly profileId: string;
  readonly title: string;
  /** When the request was stored, ISO 8601. */
  readonly at: string;
}

/**
 * Requests to place orders, with their exact body. They are stored before they are sent, so that a retry under the same key is identical,
 * and no run orders again while the outcome of a request is unknown.
 */
export function createOrderRequestStore(db: Database, kind: DatabaseKind) {
  return {
    /** Requests of all runs, in whatever state. */
    count: (): Promise<number> => countRequests(db),

    /**
     * Keeps the stored request of a key. With `known`, the request is stored only if the ledger still has that many: whoever compared it
     * with the others has seen all of them.
     * @returns whether the key is stored
     */
    open(request: Omit<OrderRequest, 'state' | 'orderId'>, known: number | null = null): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        // In PostgreSQL, of two transactions that begin before the other ends, each misses the request of the other.
        if (kind === 'postgres')
          await sql`select pg_advisory_xact_lock(hashtext('prospect_sync.orders'))`.execute(transaction);
        if (known !== null && (await countRequests(transaction)) !== known) return false;
        await transaction
          .insertInto('orderRequests')
          .values({ ...request, state: 'open', orderId: null })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        return true;
      });
    },

    get(idempotencyKey: string): Promise<OrderRequest | undefined> {
      return db.selectFrom('orderRequests').selectAll().where('idempotencyKey', '=', idempotencyKey).executeTakeFirst();
    },

    /** The oldest request of a run whose outcome is unknown. */
    unresolvedOf(runName: string): Promise<OrderRequest | undefined> {
      return db
        .selectFrom('orderRequests')
        .selectAll()
        .where('runName', '=', runName)
        .where('state', '=', 'open')
        .orderBy('at')
        .limit(1)
        .executeTakeFirst();
    },

    /** True when a request of that run key was accepted, or any request of the run has an unknown outcome. */
    async isRequested({ runName, runKey }: { runName: string; runKey: string }): Promise<boolean> {
      const found = await db
        .selectFrom('orderRequests')
        .select('state')
        .where((eb) =>
          eb.or([
            eb.and([eb('runName', '=', runName), eb('state', '=', 'open')]),
            eb.and([eb('runKey', '=', runKey), eb('state', '=', 'placed')]),
          ]),
        )
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },

    /** True if a request under another key has placed the order. */
    async isPlacedByAnother(orderId: string, idempotencyKey: string): Promise<boolean> {
      const other = await db
        .selectFrom('orderRequests')
        .select('idempotencyKey')
        .where('orderId', '=', orderId)
        .where('idempotencyKey', '<>', idempotencyKey)
        .executeTakeFirst();
      return other !== undefined;
    },

    /** Deletes the body, because the key is not used again. */
    async settle(
      idempotencyKey: string,
      outcome: { state: 'placed'; orderId: string } | { state: 'refused' },
    ): Promise<void> {
      await db
        .updateTable('orderRequests')
        .set({ orderId: null, bodyJson: null, ...outcome })
        .where('idempotencyKey', '=', idempotencyKey)
        .execute();
    },

    /** The request that led to the order; null if no run of this ledger placed it. */
    async submission(orderId: string): Promise<Submission | null> {
      const row = await db
        .selectFrom('orderRequests')
        .select(['kind', 'quantity', 'profileId', 'title', 'at'])
        .where('orderId', '=', orderId)
        .orderBy('at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row ?? null;
    },

    /**
     * The fields of an order that mappings and file columns can read. For an order that no run of this ledger placed: the title that the
     * service returned, or an empty text, and the run that delivers it.
     */
    async source(orderId: string): Promise<{ id: string; run: string; title: string }> {
      const row = await db
        .selectFrom('orders')
        .leftJoin('orderRequests', 'orderRequests.orderId', 'orders.orderId')
        .select(['orders.runName', 'orders.deliveringRun', 'orderRequests.title', 'orders.title as returnedTitle'])
        .where('orders.orderId', '=', orderId)
        .orderBy('orderRequests.at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return {
        id: orderId,
        run: row?.runName ?? row?.deliveringRun ?? '',
        title: row?.title ?? row?.returnedTitle ?? '',
      };
    },

    /** Closes the open requests of a run with the order that a user named as their outcome. */
    async settleRun(runName: string, orderId: string): Promise<void> {
      await db
        .updateTable('orderRequests')
        .set({ orderId, bodyJson: null, state: 'placed' })
        .where('runName', '=', runName)
        .where('state', '=', 'open')
        .execute();
    },
  };
}

async function countRequests(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('orderRequests')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export type ProfileRow = Tables['profiles'];

/** Created profiles by content, so that a profile is not created twice. */
export function createProfileStore(db: Database) {
  return {
    get(contentHash: string): Promise<ProfileRow | undefined> {
      return db.selectFrom('profiles').selectAll().where('contentHash', '=', contentHash).executeTakeFirst();
    },

    /** Ids of the profiles that search the same, under whatever name. */
    async idsOfSearch(searchHash: string): Promise<Set<string>> {
      const rows = await db.selectFrom('profiles').select('profileId').where('searchHash', '=', searchHash).execute();
      return new Set(rows.flatMap(({ profileId }) => (profileId === null ? [] : [profileId])));
    },

    /** Ids of the profiles that this ledger has created; existing ones that a setting names have generation 0. */
    async createdIds(): Promise<Set<string>> {
      const rows = await db.selectFrom('profiles').select('profileId').where('generation', '>', 0).execute();
      return new Set(rows.flatMap(({ profileId }) => (profileId === null ? [] : [profileId])));
    },

    async save({ contentHash, ...facts }: ProfileRow): Promise<void> {
      await db
        .insertInto('profiles')
        .values({ contentHash, ...facts })
        .onConflict((conflict) => conflict.column('contentHash').doUpdateSet(facts))
        .execute();
    },
  };
}
