import type { ErasedOrder } from '../../ledger/erased-orders.ts';

/** One line for every command that needs data that is no longer there. */
export function describeErasedOrder({ orderId, at }: ErasedOrder): string {
  return `data of order ${orderId} was removed by retention on ${at.slice(0, 10)}: outcomes, digests and certificates are kept. Place a new order to get new results`;
}
