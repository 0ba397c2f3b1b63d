/** Finds the order id in the response to order creation, whose body the specification does not show. */
import { normalizeKey, isRecord, valueAt } from './flatten-record.ts';
import { recordsIn } from './find-record.ts';

export interface FoundOrderId {
  readonly orderId: string;
  /** Path in the answer, or `Location`. */
  readonly at: string;
  /** False when only its form suggests that it is the id: confirm it with a read. */
  readonly isCertain: boolean;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const orderAddress = /\/orders\/([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})/i;

const certainNames = ['order_id', 'order_uuid', 'order_ref', 'order_reference'].map(normalizeKey);
const likelyNames = ['id', 'uuid', 'order', 'identifier', 'reference', 'ref'].map(normalizeKey);

interface Creation {
  readonly answer: unknown;
  readonly location: string | null;
  /** `service.fields.order.order_id`. */
  readonly setting: string | null | undefined;
  /** Ids of the request, which cannot be the order's. */
  readonly sent: readonly string[];
}

/** Candidates, the likeliest first. */
export function findOrderIds({ answer, location, setting, sent }: Creation): FoundOrderId[] {
  const found = new Map<string, FoundOrderId>();
  const add = (value: unknown, at: string, isCertain: boolean, isNamed = false) => {
    if (typeof value !== 'string' || !uuid.test(value)) return;
    const orderId = value.toLowerCase();
    // A sent id that comes back counts only when its field is named like an order id.
    if ((isNamed || !sent.includes(orderId)) && !found.has(orderId)) found.set(orderId, { orderId, at, isCertain });
  };
  if (setting) add(valueAt(answer, setting), setting, true, true);
  const records = recordsIn(answer);
  for (const [names, isCertain] of [
    [certainNames, true],
    [likelyNames, false],
  ] as const) {
    for (const { record, path } of records) {
      const isOrder = /order/i.test(path);
      for (const [key, value] of Object.entries(record)) {
        if (names.includes(normalizeKey(key))) {
          add(value, path === '' ? key : `${path}.${key}`, isCertain || isOrder, isCertain);
        }
      }
    }
    if (isCertain) add(orderAddress.exec(location ?? '')?.[1], 'Location', true);
  }
  for (const { path, text } of textsIn(answer)) add(orderAddress.exec(text)?.[1], path, true);
  for (const { path, text } of textsIn(answer)) add(text, path, false);
  return [...found.values()].toSorted((a, b) => Number(b.isCertain) - Number(a.isCertain));
}

interface Text {
  readonly path: string;
  readonly text: string;
}

function textsIn(value: unknown, path = '', depth = 0): Text[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (depth === 5) return [];
  if (Array.isArray(value)) return value.slice(0, 20).flatMap((item) => textsIn(item, path, depth + 1));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, path === '' ? key : `${path}.${key}`, depth + 1));
}
