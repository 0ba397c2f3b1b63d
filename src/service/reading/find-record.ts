/** Finds records in a response, also inside wrappers (`{data: {order: {…}}}`), and the id of an order. */
import { wrapperNames } from '../contract/container-names.ts';
import { normalizeKey, readDottedPath } from './flatten-record.ts';
import { isRecord } from '../../base/json/own-property.ts';

type Json = Readonly<Record<string, unknown>>;

export interface LocatedRecord {
  readonly record: Json;
  /** Keys of the wrappers, joined by dots; empty without a wrapper. */
  readonly path: string;
}

const wrappers = new Set(wrapperNames.map(normalizeKey));

/** The outermost record that has all of `fields`; null when there is none within three levels. */
export function findRecordWith(answer: unknown, fields: readonly string[]): LocatedRecord | null {
  return recordsIn(answer).find(({ record }) => fields.every((field) => Object.hasOwn(record, field))) ?? null;
}

/** The value of the outermost field of this name, for example of `has_more` in `pagination`. */
export function findField(answer: unknown, field: string): unknown {
  return recordsIn(answer, isAnything).find(({ record }) => Object.hasOwn(record, field))?.record[field];
}

const isAnything = () => true;
const isWrapper = (key: string) => wrappers.has(normalizeKey(key)) || /creation|order/i.test(key);

/** The response and the records in its wrappers, outermost first. A list with one record counts as that record. */
export function recordsIn(answer: unknown, enters: (key: string) => boolean = isWrapper): LocatedRecord[] {
  const found: LocatedRecord[] = [];
  let level: LocatedRecord[] = toRecords(answer, '');
  for (let depth = 0; depth < 4 && level.length > 0; depth += 1) {
    found.push(...level);
    level = level.flatMap(({ record, path }) =>
      Object.entries(record).flatMap(([key, value]) =>
        enters(key) ? toRecords(value, path === '' ? key : `${path}.${key}`) : [],
      ),
    );
  }
  return found;
}

function toRecords(value: unknown, path: string): LocatedRecord[] {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isRecord(only) ? [{ record: only, path }] : [];
}

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

/** Candidates for the order id in the response to order creation, whose body the specification does not show; most likely first. */
export function findOrderIds({ answer, location, setting, sent }: Creation): FoundOrderId[] {
  const found = new Map<string, FoundOrderId>();
  const add = (value: unknown, at: string, isCertain: boolean, isNamed = false) => {
    if (typeof value !== 'string' || !uuid.test(value)) return;
    const orderId = value.toLowerCase();
    // A sent id that comes back counts only when its field is named like an order id.
    if ((isNamed || !sent.includes(orderId)) && !found.has(orderId)) found.set(orderId, { orderId, at, isCertain });
  };
  if (setting) add(readDottedPath(answer, setting), setting, true, true);
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
