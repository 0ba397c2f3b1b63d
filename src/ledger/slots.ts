import { reasonCodes, slotStatuses } from '../contract/index.ts';
import { boundTally } from '../text/bound-word.ts';
import { batchRows, batchesOf } from './query-batches.ts';
import { assertUnchanged, distinctSlots } from './slot-changes.ts';
import type { Database } from './tables.ts';

/** `json`: the slot as it was published; `hash`: the digest of it. */
export type StoredSlot = {
  position: number;
  hash: string;
  status: string;
  reasonCodes: string[];
  externalId: string | null;
  json: string;
};

/** Positions from `from` up to, not including, `to`. */
export type Range = { from: number; to: number };

const slotColumns = ['position', 'hash', 'status', 'reasonCodesJson', 'externalId', 'json'] as const;

/** The published set of each order, slot by slot. Immutable: a stored slot is never written again. */
export function createSlots(db: Database) {
  return {
    /**
     * Stores what is not stored yet, all or nothing.
     * @throws {LedgerError} `changed` when a slot is stored with another hash
     */
    async save(orderId: string, slots: readonly StoredSlot[]): Promise<void> {
      const distinct = distinctSlots(orderId, slots);
      await db.transaction().execute(async (transaction) => {
        for (const chunk of batchesOf(distinct)) await saveChunk(transaction, orderId, chunk);
      });
    },

    count: (orderId: string): Promise<number> =>
      db
        .selectFrom('slots')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('orderId', '=', orderId)
        .executeTakeFirstOrThrow()
        .then(({ count }) => count),

    /** The first position of a range that is not stored; positions are stored in their order. */
    async firstMissing(orderId: string, { from, to }: Range): Promise<number> {
      const { count } = await db
        .selectFrom('slots')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('orderId', '=', orderId)
        .where('position', '>=', from)
        .where('position', '<', to)
        .executeTakeFirstOrThrow();
      const [last] = count === 0 ? [] : await readSlots(db, orderId, { from: from + count - 1, to: from + count });
      // Where one between is missing, all are read again.
      return last === undefined ? from : from + count;
    },

    /** In the order of the positions. */
    read: (orderId: string, range: Range): Promise<StoredSlot[]> => readSlots(db, orderId, range),

    /** In the order of the positions, 500 at a time. Holds no lock between two batches. */
    async *stream(orderId: string, { from = 0, to = Number.MAX_SAFE_INTEGER }: Partial<Range> = {}) {
      let next = from;
      for (;;) {
        const batch = await readSlots(db, orderId, { from: next, to }, batchRows);
        const last = batch.at(-1);
        if (!last) return;
        yield batch;
        next = last.position + 1;
      }
    },

    /** The first position whose slot stands at an earlier one as well, or null. */
    async findRepeated(orderId: string): Promise<number | null> {
      const row = await db
        .selectFrom('slots')
        .select(({ fn }) => fn.max<number>('position').as('position'))
        .where('orderId', '=', orderId)
        .groupBy('hash')
        .having(({ fn }) => fn.countAll(), '>', 1)
        .orderBy(({ fn }) => fn.max('position'))
        .limit(1)
        .executeTakeFirst();
      return row?.position ?? null;
    },

    /**
     * External ids of rows that turned out to be the company of an earlier row, by the position of that row, each list
     * in the order of positions. `originalOf`: what a stored slot says of it.
     */
    async duplicates(orderId: string, originalOf: (json: string) => number | null): Promise<Map<number, string[]>> {
      const rows = await db
        .selectFrom('slots')
        .select(['externalId', 'json'])
        .where('orderId', '=', orderId)
        .where('status', '=', 'DUPLICATE')
        .where('externalId', 'is not', null)
        .orderBy('position')
        .execute();
      const found = new Map<number, string[]>();
      for (const { externalId, json } of rows) {
        const original = originalOf(json);
        if (original !== null && externalId) found.set(original, [...(found.get(original) ?? []), externalId]);
      }
      return found;
    },

    async countByStatus(orderId: string): Promise<Record<string, number>> {
      const rows = await db
        .selectFrom('slots')
        .select((eb) => ['status', eb.fn.countAll<number>().as('count')])
        .where('orderId', '=', orderId)
        .groupBy('status')
        .orderBy('status')
        .execute();
      return boundTally(
        rows.map(({ status, count }) => [status, count]),
        slotStatuses,
      );
    },

    /** How many slots carry each reason code. */
    async countByReason(orderId: string): Promise<Record<string, number>> {
      const rows = await db
        .selectFrom('slotReasons')
        .select((eb) => ['code', eb.fn.countAll<number>().as('count')])
        .where('orderId', '=', orderId)
        .groupBy('code')
        .orderBy('code')
        .execute();
      return boundTally(
        rows.map(({ code, count }) => [code, count]),
        Object.keys(reasonCodes),
      );
    },
  };
}

async function saveChunk(db: Database, orderId: string, slots: readonly StoredSlot[]): Promise<void> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('slots')
    .values(slots.map((slot) => toRow(orderId, slot)))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== BigInt(slots.length)) await assertUnchanged(db, orderId, slots);
  const reasons = slots.flatMap(({ position, reasonCodes }) =>
    [...new Set(reasonCodes)].map((code) => ({ orderId, code, position })),
  );
  for (const chunk of batchesOf(reasons)) {
    await db
      .insertInto('slotReasons')
      .values([...chunk])
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

async function readSlots(
  db: Database,
  orderId: string,
  { from, to }: Range,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<StoredSlot[]> {
  const rows = await db
    .selectFrom('slots')
    .select(slotColumns)
    .where('orderId', '=', orderId)
    .where('position', '>=', from)
    .where('position', '<', to)
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map(({ reasonCodesJson, ...row }) => ({ ...row, reasonCodes: toCodes(reasonCodesJson) }));
}

function toRow(orderId: string, { position, hash, status, reasonCodes, externalId, json }: StoredSlot) {
  return { orderId, position, hash, status, reasonCodesJson: JSON.stringify(reasonCodes), externalId, json };
}

export function toCodes(text: string): string[] {
  const codes: unknown = JSON.parse(text);
  return Array.isArray(codes) ? codes.filter((code) => typeof code === 'string') : [];
}
