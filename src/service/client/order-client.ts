import { operations, type OrderInput } from '../contract/index.ts';
import type { RequestSettings } from '../contract/request-settings.ts';
import { isEmpty } from '../reading/flatten-record.ts';
import { toOrderBody } from '../reading/order-requests.ts';
import { findOrderIds, type FoundOrderId, recordsIn } from '../reading/find-record.ts';
import { isProblem, readOrder, describeKeys, type ReadOrder } from '../reading/read-answers.ts';
import { ProspectingError } from './prospecting-error.ts';
import { assertRequest, awaitAnswer, readUnspecified } from './contract-calls.ts';
import type { Api, CallOptions } from './service-transport.ts';
import { toStorable } from '../../base/text/storable.ts';
import { isRecord } from '../../base/json/own-property.ts';

const route = '/api/v1/orders';
const orderRoute = '/api/v1/orders/{order_id}';

type OrderBody = Readonly<Record<string, unknown>>;

export interface OrderSettings {
  readonly requests: RequestSettings;
  /** `service.fields.order.order_id`. */
  readonly orderIdPath: string | null;
}

export interface OrderReceipt {
  /** Most likely first; empty when the answer has no id. */
  readonly candidates: readonly FoundOrderId[];
  /** Field names of the answer. */
  readonly seen: string;
}

export type ListedOrder = Omit<ReadOrder, 'status'> & { readonly status: string | null };

export function createOrderClient(api: Api, { requests, orderIdPath }: OrderSettings) {
  return {
    /** Checks the input by the contract and converts it as `service.requests` says. */
    toBody(input: OrderInput): OrderBody {
      assertRequest({ method: 'POST', path: route }, operations.createOrder.body, input);
      return toOrderBody(input, requests);
    },

    /** Places an order. The same key and body return the same order. */
    async place(body: OrderBody, idempotencyKey: string, options: CallOptions = {}): Promise<OrderReceipt> {
      const params = { header: { 'Idempotency-Key': idempotencyKey } };
      const call = api.POST(route, { params, body: { ...body }, ...options });
      const { data, response } = await awaitAnswer<{ data?: unknown; response: Response }>(call, {
        method: 'POST',
        path: route,
      });
      // No check of the answer here: the service has accepted the order in any case.
      return toPlaced(toStorable(data)?.value, response.headers.get('location'), body);
    },

    /** Order ids in an error answer, for example in a conflict. */
    idsIn(error: ProspectingError, body: OrderBody): readonly FoundOrderId[] {
      const { candidates } = toPlaced(error.answer, error.facts.location ?? null, body);
      return candidates.filter(({ isCertain }) => isCertain);
    },

    get(orderId: string, options: CallOptions = {}): Promise<ReadOrder> {
      const call = api.GET(orderRoute, { params: { path: { order_id: orderId } }, ...options });
      const request = { method: 'GET', path: orderRoute.replace('{order_id}', orderId) };
      return readUnspecified((answer) => readOrder(answer, orderId), call, request);
    },

    /** The newest orders of the organization; null when the service has no such list (A79). */
    async list(options: CallOptions = {}): Promise<ListedOrder[] | null> {
      try {
        const call = api.GET(route, { params: { query: { limit: listedAtMost } }, ...options });
        const { data } = await awaitAnswer<{ data?: unknown; response: Response }>(call, {
          method: 'GET',
          path: route,
        });
        return toListed(toStorable(data)?.value);
      } catch (error) {
        if (!(error instanceof ProspectingError) || error.facts.kind !== 'http') throw error;
        return null;
      }
    },
  };

  function toPlaced(answer: unknown, location: string | null, body: OrderBody): OrderReceipt {
    const candidates = findOrderIds({ answer, location, setting: orderIdPath, sent: textsIn(body) });
    return { candidates, seen: describeKeys(answer) };
  }
}

/** Enough to find an order whose answer was lost. */
const listedAtMost = 100;

/** Texts of the request, which may contain other ids. */
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
