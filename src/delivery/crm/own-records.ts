/** The records that an order may add to: those that no newer order has written. */
import type { ObjectType } from '../../hubspot/hubspot-record.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { SlotRange } from '../../ledger/stored-slot.ts';
import { findNewerOrders } from './newer-orders.ts';

export interface SlotsToDeliver extends SlotRange {
  /** Delivers also to records that a newer order has written. */
  readonly force: boolean;
}

/** A newer order may have written a record since this order did: its delivery may have waited for days. */
export async function withoutNewer(
  ledger: Pick<Ledger, 'orders' | 'writtenRecords'>,
  { orderId, force }: Pick<SlotsToDeliver, 'orderId' | 'force'>,
  type: ObjectType,
  recordIds: readonly string[],
): Promise<string[]> {
  if (force) return [...recordIds];
  const records = recordIds.map((id) => ({ id }));
  const newer = await findNewerOrders(ledger, orderId, type, records);
  return recordIds.filter((id) => !newer.has(id));
}
