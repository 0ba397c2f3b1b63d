import { parseJsonWithinLimits } from '../base/json/json-limits.ts';
import { slotDigest } from '../base/json/slot-digest.ts';
import type { Database } from './tables.ts';
import { batchesOf, batchRows, pagesOf } from './query-batches.ts';
import type { PositionRange } from './stored-slot.ts';

/** SHA-256 of a slot without `message` and `label`, in hex; null if the reading has no such slot. */
export interface SlotDigests {
  readonly position: number;
  /** Digest of the collected slot. */
  readonly digest: string | null;
  /** Digest of the slot at the last reconciliation. */
  readonly rereadDigest: string | null;
}

/** Call before slots are erased, with their complete content. Keeps stored digests. */
export async function keepSlotDigests(
  db: Database,
  orderId: string,
  slots: readonly { readonly position: number; readonly json: string }[],
): Promise<void> {
  // A slot that cannot be read was changed in the ledger, so its published digest is unknown.
  const digests = slots.flatMap(({ position, json }) => {
    const slot = parseJsonWithinLimits(json);
    return slot === undefined ? [] : [{ orderId, position, digest: slotDigest(slot), rereadDigest: null }];
  });
  for (const chunk of batchesOf(digests)) {
    await db
      .insertInto('slotDigests')
      .values([...chunk])
      .onConflict((conflict) =>
        conflict
          .columns(['orderId', 'position'])
          .doUpdateSet((eb) => ({ digest: eb.fn.coalesce(eb.ref('slotDigests.digest'), eb.ref('excluded.digest')) })),
      )
      .execute();
  }
}

/** Digests of both readings. They stay when the content of a slot is erased. */
export function createSlotDigests(db: Database) {
  const read = (
    orderId: string,
    { from, to }: PositionRange,
    limit = Number.MAX_SAFE_INTEGER,
  ): Promise<SlotDigests[]> =>
    db
      .selectFrom('slotDigests')
      .select(['position', 'digest', 'rereadDigest'])
      .where('orderId', '=', orderId)
      .where('position', '>=', from)
      .where('position', '<', to)
      .orderBy('position')
      .limit(limit)
      .execute();

  return {
    /** A stored digest of the collected slot is kept; the digest of the slot that was read again is replaced. All or nothing. */
    save: (orderId: string, rows: readonly SlotDigests[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of batchesOf(rows)) {
          await transaction
            .insertInto('slotDigests')
            .values(chunk.map((row) => ({ orderId, ...row })))
            .onConflict((conflict) =>
              conflict.columns(['orderId', 'position']).doUpdateSet((eb) => ({
                digest: eb.fn.coalesce(eb.ref('slotDigests.digest'), eb.ref('excluded.digest')),
                rereadDigest: eb.ref('excluded.rereadDigest'),
              })),
            )
            .execute();
        }
      }),

    /** Digests by position. */
    read: (orderId: string, range: PositionRange): Promise<SlotDigests[]> => read(orderId, range),

    /** Digests of the first `total` positions, 500 at a time. */
    stream(orderId: string, total: number): AsyncGenerator<readonly SlotDigests[]> {
      const after = (position: number) => read(orderId, { from: position + 1, to: total }, batchRows);
      return pagesOf(-1, ({ position }) => position, after);
    },
  };
}
