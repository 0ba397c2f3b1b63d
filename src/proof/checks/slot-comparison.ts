/** Compares two readings of a published slot ("Results rules" 6: repeated retrieval returns identical content). */
import { isWording } from '../../base/json/slot-digest.ts';
import type { FindingDetail } from './slot-findings.ts';

/**
 * `withdrawn`: people are missing and everything else is equal. The delivery policy is applied again on every read
 * ("Company and prospect records"), so a lowered policy may shorten the list of people.
 */
export type SlotComparison = 'same' | 'withdrawn' | 'changed';

/**
 * Every field of the first reading must be in the second with the same value. A field without a value may be left out, and the
 * second reading may have more fields: they come from a later release of the service.
 * @param peoplePath path of the list of people in the slot, for example `company.prospects`; null if there is none
 */
export function compareReadings(first: unknown, second: unknown, peoplePath: string | null): SlotComparison {
  let isWithdrawn = false;
  const isEqual = (a: unknown, b: unknown, path: string): boolean => {
    if (Array.isArray(a)) {
      if (!Array.isArray(b)) return false;
      const itemsEqual = (x: unknown, y: unknown) => isEqual(x, y, `${path}[]`);
      if (path !== peoplePath) return a.length === b.length && a.every((item, index) => itemsEqual(item, b[index]));
      if (!isPartOf(b, a, itemsEqual)) return false;
      isWithdrawn ||= b.length < a.length;
      return true;
    }
    if (!isFields(a)) return a === b;
    if (!isFields(b)) return false;
    return Object.keys(a).every((key) => {
      const [before, now] = [a[key], Object.hasOwn(b, key) ? b[key] : null];
      if (isWording(key, before) && isWording(key, now)) return true;
      return (before === null && now === null) || isEqual(before, now, path === '' ? key : `${path}.${key}`);
    });
  };
  if (!isEqual(first, second, '')) return 'changed';
  return isWithdrawn ? 'withdrawn' : 'same';
}

const mostFields = 20;

/** Fields with another value in the second reading, and both values as JSON. The first twenty. */
export function differingFields(first: unknown, second: unknown): FindingDetail[] {
  const found: FindingDetail[] = [];
  const compare = (a: unknown, b: unknown, path: string): void => {
    if (found.length === mostFields) return;
    const isOfFields = isFields(a) && isFields(b);
    if (isOfFields || (Array.isArray(a) && Array.isArray(b))) {
      const [before, now] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
      for (const key of new Set([...before.keys(), ...now.keys()]))
        if (!isOfFields || !isWording(key, before.get(key) ?? null) || !isWording(key, now.get(key) ?? null))
          compare(before.get(key) ?? null, now.get(key) ?? null, path === '' ? key : `${path}.${key}`);
    } else if (JSON.stringify(a) !== JSON.stringify(b))
      found.push({ record: null, property: path, written: toText(a), present: toText(b), by: null, at: null });
  };
  compare(first, second, '');
  return found;
}

function toText(value: unknown): string | null {
  return value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);
}

/** Compares two values without a list of people, for example two summaries. */
export function isSameContent(first: unknown, second: unknown): boolean {
  return compareReadings(first, second, null) === 'same';
}

/**
 * Removes fields from the second reading that the first one does not have. For equal readings, the result has the digest of the first
 * reading, computed from the values of the second.
 */
export function withFieldsOf(first: unknown, second: unknown): unknown {
  if (Array.isArray(first) && Array.isArray(second))
    return second.map((item, index): unknown => withFieldsOf(first[index], item));
  if (!isFields(first) || !isFields(second)) return second;
  return Object.fromEntries(
    Object.keys(first).map((key) => [key, Object.hasOwn(second, key) ? withFieldsOf(first[key], second[key]) : null]),
  );
}

/** True when the items are those of the list, in its order, or some of them. */
function isPartOf(
  items: readonly unknown[],
  list: readonly unknown[],
  isSame: (listed: unknown, item: unknown) => boolean,
): boolean {
  let next = 0;
  for (const item of items) {
    while (next < list.length && !isSame(list[next], item)) next += 1;
    if (next === list.length) return false;
    next += 1;
  }
  return true;
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
