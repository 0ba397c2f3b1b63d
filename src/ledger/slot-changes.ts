import { LedgerError } from './ledger-error.ts';
import { keepFormerPath } from './order-files.ts';
import type { Database } from './tables.ts';
import { discardTallies } from './tally-outcomes.ts';

type Hashed = { position: number; hash: string };

/** One slot per position, by position. @throws {LedgerError} `changed` when a position has two different hashes */
export function distinctSlots<T extends Hashed>(orderId: string, slots: readonly T[]): T[] {
  const byPosition = new Map<number, T>();
  for (const slot of slots) {
    const earlier = byPosition.get(slot.position);
    if (earlier && earlier.hash !== slot.hash) throw changedSlot(orderId, slot.position);
    byPosition.set(slot.position, slot);
  }
  return [...byPosition.values()].sort((a, b) => a.position - b.position);
}

/** @throws {LedgerError} `changed` when a slot is already stored with another hash */
export async function assertUnchanged(db: Database, orderId: string, slots: readonly Hashed[]): Promise<void> {
  const positions = slots.map((slot) => slot.position);
  const stored = await db
    .selectFrom('slots')
    .select(['position', 'hash'])
    .where('orderId', '=', orderId)
    .where('position', 'in', positions)
    .execute();
  const hashes = new Map(stored.map(({ position, hash }) => [position, hash]));
  const changed = slots.find((slot) => hashes.get(slot.position) !== slot.hash);
  if (changed) throw changedSlot(orderId, changed.position);
}

function changedSlot(orderId: string, position: number): LedgerError {
  return new LedgerError(
    'changed',
    `slot ${position} of order ${orderId} differs from the one that was collected before: a published set never changes. Contact the service's support`,
  );
}

interface ReplacedSlots {
  readonly orderId: string;
  readonly positions: readonly number[];
  /** ISO 8601. */
  readonly replacedAt: string;
}

/** Moves slots to `replacedSlots`, and deletes their reasons, digests, website texts, and outcomes of people. */
export async function removeReplaced(db: Database, { orderId, positions, replacedAt }: ReplacedSlots): Promise<void> {
  const known = await db
    .selectFrom('slots')
    .select(['position', 'hash', 'json'])
    .where('orderId', '=', orderId)
    .where('position', 'in', positions)
    .execute();
  if (known.length === 0) return;
  await db
    .insertInto('replacedSlots')
    .values(known.map((slot) => ({ orderId, ...slot, replacedAt })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await discardTallies(db, [orderId]);
  await db
    .deleteFrom('outcomes')
    .where('orderId', '=', orderId)
    .where('position', 'in', positions)
    .where('item', '<>', 'company')
    .execute();
  const websites = db.selectFrom('websites').where('orderId', '=', orderId).where('position', 'in', positions);
  // An erasure still finds the file of the deleted text.
  for (const file of await websites.select(['path', 'sha256']).execute()) await keepFormerPath(db, orderId, file, null);
  for (const table of ['slotReasons', 'slotDigests', 'websites', 'slots'] as const)
    await db.deleteFrom(table).where('orderId', '=', orderId).where('position', 'in', positions).execute();
}
