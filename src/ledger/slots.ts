import { reasonCodes, slotStatuses, type Slot } from '../service/contract/index.ts';
import { createSlotReader, readSlotFields } from '../service/reading/read-slot.ts';
import { defaultShape } from '../service/reading/shape.ts';
import { boundTally } from '../base/text/bound-text.ts';
import { readStored } from './stored-value.ts';
import { toPublishedSlot, toRow, toLedgerSlot, type PositionRange, type StoredSlot } from './stored-slot.ts';
import type { Database } from './tables.ts';
import { batchRows, batchesOf, pagesOf } from './query-batches.ts';
import { createShapeStore } from './shape-store.ts';
import { keepSlotDigests } from './slot-digest-store.ts';
import { assertUnchanged, distinctSlots, removeReplaced } from './slot-changes.ts';
import { markErased } from './erased-orders.ts';
import type { Tombstones } from './tombstones.ts';
import { keepsExternalIds, redactStoredSlot } from './redact-stored-slot.ts';

/** A slot of the ledger, parsed into the contract's fields. */
export interface ParsedSlot {
  readonly position: number;
  readonly slot: Slot;
}

const slotColumns = ['position', 'hash', 'status', 'reasonCodesJson', 'externalId', 'json'] as const;

/** The published slots of each order. Only erasure changes a stored slot; its digest stays. */
export function createSlots(db: Database, tombstones: Tombstones) {
  const createParser = async (orderId: string) => {
    const shape = (await createShapeStore(db).ofOrder(orderId))?.shape ?? defaultShape;
    const readSlot = createSlotReader(shape);
    return (stored: StoredSlot): ParsedSlot => ({
      position: stored.position,
      slot: readStored(`the slot at position ${stored.position}`, () => readSlot(toPublishedSlot(stored))),
    });
  };

  /** Slots without forgotten people and companies. */
  const saveAllowed = async (transaction: Database, orderId: string, slots: readonly StoredSlot[]) => {
    const test = await tombstones.test(transaction);
    const keepExternalId = test !== null && (await keepsExternalIds(transaction, orderId));
    const redacted =
      test === null ? slots : slots.map((slot) => redactStoredSlot(slot, test, { keepExternalId })?.stored ?? slot);
    await saveChunk(transaction, orderId, redacted);
    const changed = slots.filter((slot, index) => slot !== redacted[index]);
    if (changed.length === 0) return;
    await keepSlotDigests(transaction, orderId, changed);
    await markErased(transaction, orderId, 'people');
  };

  return {
    /**
     * Stores the slots that are not stored yet, all or nothing, without forgotten people and companies.
     * @throws {LedgerError} `changed` when a slot is already stored with another hash
     */
    async save(orderId: string, slots: readonly StoredSlot[]): Promise<void> {
      const distinct = distinctSlots(orderId, slots);
      await db.transaction().execute(async (transaction) => {
        for (const chunk of batchesOf(distinct)) await saveAllowed(transaction, orderId, chunk);
      });
    },

    /**
     * Replaces stored slots by the versions that the service publishes now, and keeps the earlier ones. The outcomes of their people are
     * deleted, because the people of the new version have other places in the list.
     */
    replace: (orderId: string, slots: readonly StoredSlot[], at: Date): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of batchesOf(slots)) {
          const positions = chunk.map(({ position }) => position);
          await removeReplaced(transaction, { orderId, positions, replacedAt: at.toISOString() });
          await saveAllowed(transaction, orderId, chunk);
        }
      }),

    /** The slots at these positions; those without a slot are absent. */
    async readAt(orderId: string, positions: readonly number[]): Promise<StoredSlot[]> {
      const found: StoredSlot[] = [];
      for (const chunk of batchesOf([...new Set(positions)])) {
        const rows = await db
          .selectFrom('slots')
          .select(slotColumns)
          .where('orderId', '=', orderId)
          .where('position', 'in', chunk)
          .execute();
        found.push(...rows.map(toLedgerSlot));
      }
      return found;
    },

    count: (orderId: string): Promise<number> =>
      db
        .selectFrom('slots')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('orderId', '=', orderId)
        .executeTakeFirstOrThrow()
        .then(({ count }) => count),

    /** The first position of a range that is not stored yet; slots are stored in order of position. */
    async firstMissing(orderId: string, { from, to }: PositionRange): Promise<number> {
      const { count } = await db
        .selectFrom('slots')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('orderId', '=', orderId)
        .where('position', '>=', from)
        .where('position', '<', to)
        .executeTakeFirstOrThrow();
      const [last] = count === 0 ? [] : await readSlots(db, orderId, { from: from + count - 1, to: from + count });
      // With a gap in the range, all slots are read again.
      return last === undefined ? from : from + count;
    },

    /** Stored slots with their JSON, by position. */
    read: (orderId: string, range: PositionRange): Promise<StoredSlot[]> => readSlots(db, orderId, range),

    /** See `streamSlots`. */
    stream: (orderId: string, range: Partial<PositionRange> = {}) => streamSlots(db, orderId, range),

    /** Parsed slots, by position. */
    async readParsed(orderId: string, range: PositionRange): Promise<ParsedSlot[]> {
      const parse = await createParser(orderId);
      return (await readSlots(db, orderId, range)).map(parse);
    },

    /** Parses the stored slots of an order one by one: a parsed batch would be several times as large as its JSON. */
    parser: createParser,

    /** The first position whose slot was also published at an earlier position, or null. */
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

    /** External ids of DUPLICATE rows, by the position of the row they repeat; each list in order of position. */
    async readDuplicates(orderId: string): Promise<Map<number, string[]>> {
      const rows = await db
        .selectFrom('slots')
        .select(['externalId', 'json'])
        .where('orderId', '=', orderId)
        .where('status', '=', 'DUPLICATE')
        .where('externalId', 'is not', null)
        .orderBy('position')
        .execute();
      const externalIds = new Map<number, string[]>();
      for (const { externalId, json } of rows) {
        const { duplicate_of_input_position: original } = readSlotFields(toPublishedSlot({ json }));
        if (typeof original !== 'number' || !externalId) continue;
        externalIds.set(original, [...(externalIds.get(original) ?? []), externalId]);
      }
      return externalIds;
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

    /** Number of slots by reason code. */
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

/** Stored slots by position, 500 at a time. No lock is held between two batches. */
export function streamSlots(
  db: Database,
  orderId: string,
  { from = 0, to = Number.MAX_SAFE_INTEGER }: Partial<PositionRange> = {},
): AsyncGenerator<readonly StoredSlot[]> {
  const read = (after: number) => readSlots(db, orderId, { from: after + 1, to }, batchRows);
  return pagesOf(from - 1, ({ position }) => position, read);
}

async function readSlots(
  db: Database,
  orderId: string,
  { from, to }: PositionRange,
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
  return rows.map(toLedgerSlot);
}
