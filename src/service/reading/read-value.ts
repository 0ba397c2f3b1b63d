/** Reads a value of an answer as the kind of its field. Never throws: an unusable value affects only itself. */
import type { FieldKind } from '../contract/field-definition.ts';
import { isEmpty, isRange } from './flatten-record.ts';
import { boundText, longestId } from '../../base/text/bound-text.ts';

/** `undefined`: the value cannot be used. `null`: there is no value. */
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
  if (typeof value === 'string') return boundText(value.trim());
  if (typeof value === 'number') return String(value);
  if (!isRange(value)) return undefined;
  const bounds = Object.values(value).flatMap((bound) => (isEmpty(bound) ? [] : (readText(bound) ?? [])));
  return bounds.length === 0 ? null : boundText(bounds.join('-'));
}

/** An id that is too long cannot be used: a truncated id is not an id. */
export function readId(value: unknown): Read<string> {
  const isId = typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
  const id = isId ? String(value).trim() : '';
  return id === '' || id.length > longestId ? undefined : id;
}

/** An address or a bare domain. */
function readUrl(value: unknown): Read<string> {
  if (typeof value !== 'string') return undefined;
  const text = boundText(value.trim());
  return /^[^\s@]+$/.test(text) && text.slice(1, -1).includes('.') ? text : undefined;
}

/** A number, a text with one number, or the lower bound of a range. */
function readNumber(value: unknown, isWhole: boolean): Read<number> {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'string') return finite(numberIn(boundText(value), isWhole));
  if (isRange(value)) {
    const bounds = Object.values(value).flatMap((bound) => (isEmpty(bound) ? [] : (readNumber(bound, isWhole) ?? [])));
    return bounds.length === 0 ? undefined : Math.min(...bounds);
  }
  return undefined;
}

function finite(number: number): Read<number> {
  return Number.isFinite(number) ? number : undefined;
}

/** NaN when the text has no number. */
function numberIn(text: string, isWhole: boolean): number {
  const found = /-?\d+(?:[.,' \u00a0\u202f]\d+)*/.exec(text);
  if (found === null) return NaN;
  const [number] = found;
  const isThousands = /^\s*k\b/i.test(text.slice(found.index + number.length));
  return toNumber(number, isWhole) * (isThousands ? 1_000 : 1);
}

/** `1,234.5`, `1.234,5`, `80,5`. Three digits after a sign are thousands; for fractional numbers only when another sign follows. */
function toNumber(text: string, isWhole: boolean): number {
  const decimal = /^(.*\d)([.,])(\d+)$/.exec(text);
  const [, whole = text, sign = '', fraction = ''] = decimal ?? [];
  const others = whole.replaceAll(/[\d-]/g, '');
  const isGroup = fraction.length === 3 && (isWhole || (others !== '' && others.includes(sign)));
  if (decimal === null || isGroup) return Number(text.replaceAll(/[^\d-]/g, ''));
  return Number(`${whole.replaceAll(/[^\d-]/g, '')}.${fraction}`);
}

const yes = ['true', 'yes', 'y', '1', 'ja', 'deliverable'];
const no = ['false', 'no', 'n', '0', 'nein', 'undeliverable', 'not_deliverable'];

function readBoolean(value: unknown): Read<boolean> {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const word = boundText(String(value)).trim().toLowerCase();
  if (yes.includes(word)) return true;
  return no.includes(word) ? false : undefined;
}

const isoTime = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(Z|[+-]\d\d:?\d\d)?$/;

/** ISO 8601 with Z. Also reads seconds or milliseconds since the epoch, HTTP dates, and times without zone as UTC. */
export function readTime(value: unknown): Read<string> {
  if (isEmpty(value)) return null;
  if (typeof value === 'number') return fromEpoch(value);
  return typeof value === 'string' ? timeIn(boundText(value)) : undefined;
}

function fromEpoch(time: number): Read<string> {
  return toIso(time < 1e11 ? time * 1_000 : time);
}

function timeIn(value: string): Read<string> {
  if (/^\d{10,13}$/.test(value)) return fromEpoch(Number(value));
  const [, day, time = '00:00', zone = 'Z'] = isoTime.exec(value.trim()) ?? [];
  if (day === undefined) return /^[A-Za-z]{3},? /.test(value) ? toIso(Date.parse(value)) : undefined;
  const read = toIso(Date.parse(`${day}T${time}${zone}`));
  // Microseconds would be lost in a Date.
  return read !== undefined && value.endsWith('Z') && value.includes('T') ? value : read;
}

function toIso(milliseconds: number): string | undefined {
  const at = new Date(milliseconds);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

export function readCount(value: unknown): Read<number> {
  if (isEmpty(value)) return null;
  const isCount = typeof value === 'number' || (typeof value === 'string' && /^\d{1,16}$/.test(value));
  const count = isCount ? Number(value) : -1;
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
