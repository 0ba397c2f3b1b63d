import { operations, type OrderInput } from '../contract/index.ts';
import type { RequestSettings } from '../contract/request-settings.ts';
import { isEmpty, isRecord } from '../shape/flatten-record.ts';
import { toOrderBody } from '../shape/order-body.ts';
import { findOrderIds, type FoundOrderId } from '../shape/find-order-id.ts';
import { isProblem, readOrder, toKeys, type ReadOrder } from '../shape/read-answers.ts';
import { recordsIn } from '../shape/find-record.ts';
import { ProspectingError } from './prospecting-error.ts';
import { answered, assertRequest, readAs, type Api, type CallOptions } from './service-transport.ts';
import { toStorable } from '../text/storable.ts';

const route = '/api/v1/orders';
const orderRoute = '/api/v1/orders/{order_id}';

type OrderBody = Readonly<Record<string, unknown>>;

export interface OrderSettings {
  readonly requests: RequestSettings;
  /** `service.fields.order.order_id`. */
  readonly orderIdPath: string | null;
}

/** What the service answered to an order. */
export interface PlacedOrder {
  /** The likeliest first; empty where the answer carries no id. */
  readonly candidates: readonly FoundOrderId[];
  /** What the answer held, by names. */
  readonly seen: string;
}

export type ListedOrder = Omit<ReadOrder, 'status'> & { readonly status: string | null };

export function createOrderCalls(api: Api, { requests, orderIdPath }: OrderSettings) {
  return {
    /** The body to place: checked by the contract, then in the words of this service. */
    toBody(input: OrderInput): OrderBody {
      assertRequest({ method: 'POST', path: route }, operations.createOrder.body, input);
      return toOrderBody(input, requests);
    },

    /** Places an order; the same key with the same body answers with the same one. */
    async place(body: OrderBody, idempotencyKey: string, options: CallOptions = {}): Promise<PlacedOrder> {
      const params = { header: { 'Idempotency-Key': idempotencyKey } };
      const call = api.POST(route, { params, body: { ...body }, ...options });
      const { data, response } = await answered<{ data?: unknown; response: Response }>(call, {
        method: 'POST',
        path: route,
      });
      // An order was accepted, whatever its answer looks like.
      return toPlaced(toStorable(data)?.value, response.headers.get('location'), body);
    },

    /** The order ids that an error answer names, as a conflict may. */
    idsIn(error: ProspectingError, body: OrderBody): readonly FoundOrderId[] {
      const { candidates } = toPlaced(error.answer, error.facts.location ?? null, body);
      return candidates.filter(({ isCertain }) => isCertain);
    },

    get(orderId: string, options: CallOptions = {}): Promise<ReadOrder> {
      const call = api.GET(orderRoute, { params: { path: { order_id: orderId } }, ...options });
      const request = { method: 'GET', path: orderRoute.replace('{order_id}', orderId) };
      return readAs((answer) => readOrder(answer, orderId), call, request);
    },

    /** The newest orders of the organization; null where the service has no such list, whose path is not shown (A79). */
    async list(options: CallOptions = {}): Promise<ListedOrder[] | null> {
      try {
        const call = api.GET(route, { params: { query: { limit: listedAtMost } }, ...options });
        const { data } = await answered<{ data?: unknown; response: Response }>(call, { method: 'GET', path: route });
        return toListed(toStorable(data)?.value);
      } catch (error) {
        if (!(error instanceof ProspectingError) || error.facts.kind !== 'http') throw error;
        return null;
      }
    },
  };

  function toPlaced(answer: unknown, location: string | null, body: OrderBody): PlacedOrder {
    const candidates = findOrderIds({ answer, location, setting: orderIdPath, sent: textsIn(body) });
    return { candidates, seen: toKeys(answer) };
  }
}

/** A lost order is among the newest. */
const listedAtMost = 100;

/** Ids among them are no order's; a request's rows hold many. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value.toLowerCase()];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

function toListed(answer: unknown): ListedOrder[] | null {
  const lists = Array.isArray(answer)
    ? [answer]
    : recordsIn(answer).flatMap(({ record }) => Object.values(record).filter((value) => Array.isArray(value)));
  const items = lists.find((list) => list.some(isRecord));
  if (items === undefined) return lists.some((list) => isEmpty(list)) ? [] : null;
  return items.flatMap((item: unknown): ListedOrder[] => {
    const [found] = findOrderIds({ answer: item, location: null, setting: null, sent: [] });
    if (found === undefined) return [];
    const order = readOrder(item, found.orderId);
    return isProblem(order) ? [{ ...unknownOrder, order_id: found.orderId }] : [{ ...order, order_id: found.orderId }];
  });
}

const unknownOrder = {
  status: null,
  briefing_quantity: null,
  available_briefing_quantity: null,
  results_published: false,
  result_summary: null,
  order_type: null,
  profile_id: null,
  title: null,
  features: null,
  created_at: null,
} as const;
