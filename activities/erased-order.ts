import { nonRetryable } from '../src/base/failures/application-failure.ts';
import { describeErasedOrder } from '../src/delivery/erasure/describe-erasure.ts';
import type { Ledger } from '../src/ledger/ledger.ts';

/** @throws OrderErased, non-retryable, when retention has erased the order */
export async function assertNotErased({ erasures }: Ledger, orderId: string): Promise<void> {
  const erased = await erasures.ofOrder(orderId);
  if (erased !== undefined && erased.scope !== 'people') throw nonRetryable('OrderErased', describeErasedOrder(erased));
}
