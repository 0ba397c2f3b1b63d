/** One value of an answer as the kind that a field has. Nothing throws: what cannot be used costs that value alone. */
import type { FieldKind } from '../contract/field-table.ts';
import { isEmpty, isRange } from './leaves.ts';

/** `undefined`: there is something, and it cannot be used. `null`: nothing was said. */
type Read<T> = T | null | undefined;

const readers = {
  text: readText,
  id: readId,
  url: readUrl,
  integer: (value: unknown) => {
    const number = readNumber(value, true);
    return typeof number === 'number' ? Math.round(number) : number;
  },
  number: (value: unknown) => readNumber(value, false),
  boolean: readBoolean,
} as const;

export type ScalarKind = Exclude<FieldKind, 'people'>;

export function readValue<K extends ScalarKind>(kind: K, value: unknown): ReturnType<(typeof readers)[K]>;
export function readValue(kind: ScalarKind, value: unknown): Read<string | number | boolean> {
  if (isEmpty(value)) return null;
  return readers[kind](Array.isArray(value) ? value.find((item) => !isEmpty(item)) : value);
}

export function readText(value: unknown): Read<string> {
  if (isEmpty(value)) return null;
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number') return String(value);
  if (isRange(value)) return Object.values(value).map(String).join('-');
  return undefined;
}

function readId(value: unknown): Read<string> {
  const isId = typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
  return isId ? String(value).trim() : undefined;
}

/** An address or a bare domain. */
function readUrl(value: unknown): Read<string> {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return /^[^\s@]+\.[^\s@]+$/.test(text) ? text : undefined;
}

/** A number, a text with one number in it, or a range, of which the lower bound counts: so many there are at least. */
function readNumber(value: unknown, isWhole: boolean): Read<number> {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (isRange(value))
    return readNumber(
      Object.values(value).find((bound) => !isEmpty(bound)),
      isWhole,
    );
  if (typeof value !== 'string') return undefined;
  const plain = isWhole
    ? value.replaceAll(/(?<=\d)[.,' \u00a0\u202f](?=\d{3}(?!\d))/g, '')
    : value.replace(/^(-?\d+),(\d+)$/, '$1.$2');
  const found = /-?\d+(?:\.\d+)?/.exec(plain)?.[0];
  return found === undefined ? undefined : Number(found);
}

const yes = ['true', 'yes', 'y', '1', 'ja', 'deliverable'];
const no = ['false', 'no', 'n', '0', 'nein', 'undeliverable', 'not_deliverable'];

function readBoolean(value: unknown): Read<boolean> {
  if (typeof value === 'boolean') return value;
  const word = String(value).trim().toLowerCase();
  if (yes.includes(word)) return true;
  return no.includes(word) ? false : undefined;
}

/** ISO 8601 with Z; seconds or milliseconds since the epoch and the usual text forms are read as well. */
export function readTime(value: unknown): Read<string> {
  if (isEmpty(value)) return null;
  // Microseconds would be lost in a Date.
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return value;
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d{10,13}$/.test(value));
  const number = isNumber ? Number(value) : NaN;
  const at = isNumber
    ? new Date(number < 1e11 ? number * 1_000 : number)
    : new Date(typeof value === 'string' ? value : NaN);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

export function readCount(value: unknown): Read<number> {
  if (isEmpty(value)) return null;
  const isCount =
    (typeof value === 'number' && Number.isInteger(value)) || (typeof value === 'string' && /^\d+$/.test(value));
  return isCount && Number(value) >= 0 ? Number(value) : undefined;
}
