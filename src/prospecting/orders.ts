import {
  operations,
  orderReferenceSchema,
  type Order,
  type OrderInput,
  type OrderReference,
} from '../contract/index.ts';
import { assertRequest, read, type Api, type CallOptions } from './transport.ts';

const route = '/api/v1/orders';
const orderRoute = '/api/v1/orders/{order_id}';

export function createOrderCalls(api: Api) {
  return {
    /** The order's id; the same key with the same body answers with the same one. The rest of the answer is not shown (A03). */
    async create(input: OrderInput, idempotencyKey: string, options: CallOptions = {}): Promise<OrderReference> {
      assertRequest({ method: 'POST', path: route }, operations.createOrder.body, input);
      const params = { header: { 'Idempotency-Key': idempotencyKey } };
      const call = api.POST(route, { params, body: input, ...options });
      return read(orderReferenceSchema, call, { method: 'POST', path: route });
    },

    async get(orderId: string, options: CallOptions = {}): Promise<Order> {
      const call = api.GET(orderRoute, { params: { path: { order_id: orderId } }, ...options });
      return read(operations.getOrder.responses[200], call, {
        method: 'GET',
        path: orderRoute.replace('{order_id}', orderId),
      });
    },
  };
}
