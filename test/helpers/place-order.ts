import type { OrderInput } from '../../src/service/contract/index.ts';
import type { ProspectingClient } from '../../src/service/client/prospecting-client.ts';
import type { CallOptions } from '../../src/service/client/service-transport.ts';

/** Places an order, and returns the id in the answer. */
export async function placeOrder(
  orders: ProspectingClient['orders'],
  input: OrderInput,
  key: string,
  options: CallOptions = {},
): Promise<{ order_id: string }> {
  const { candidates } = await orders.place(orders.toBody(input), key, options);
  return { order_id: candidates[0]?.orderId ?? 'no order id' };
}
