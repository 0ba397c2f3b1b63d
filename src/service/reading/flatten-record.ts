/** Flattens the nested records of a response into fields with paths. */
import { fieldGroupNames } from '../contract/container-names.ts';
import { isRecord } from '../../base/json/own-property.ts';

/** A value with its path: keys joined by dots. Of a list of records only the first is read. */
export interface FlatField {
  readonly path: string;
  readonly value: unknown;
}

/** More levels and fields than any record of a person or company has. */
const deepest = 5;
const mostFields = 400;

const rangeKeys = new Set([
  'min',
  'max',
  'from',
  'to',
  'low',
  'high',
  'lower',
  'upper',
  'minimum',
  'maximum',
  'gte',
  'lte',
]);

/** Every value of a record, except those at or below the path `except`. */
export function flattenRecord(record: Readonly<Record<string, unknown>>, except: string | null = null): FlatField[] {
  const leaves: FlatField[] = [];
  visit(record, '', 1);
  return leaves;

  function visit(holder: Readonly<Record<string, unknown>>, prefix: string, depth: number): void {
    for (const [key, value] of Object.entries(holder)) {
      if (leaves.length >= mostFields) return;
      if (!isFieldName(key)) continue;
      const path = prefix === '' ? key : `${prefix}.${key}`;
      if (path === except) continue;
      const tagged = taggedRecords(value);
      if (tagged !== null && depth < deepest) {
        for (const { tag, record: item } of tagged) visit(item, `${path}[${tag}]`, depth + 1);
        continue;
      }
      const inner = innerRecord(value);
      if (inner === null || depth === deepest || isRange(inner)) leaves.push({ path, value });
      else visit(inner, path, depth + 1);
    }
  }
}

/** Tags that name a field; lists with other tags (`work`, `headquarters`) are lists of one kind. */
const fieldTags = new Set([
  'email',
  'mail',
  'phone',
  'tel',
  'telephone',
  'telefon',
  'mobile',
  'fax',
  'web',
  'website',
  'homepage',
  'url',
  'linkedin',
  'xing',
  'twitter',
  'facebook',
]);
const tagKeys = ['type', 'kind', 'typ', 'channel', 'label', 'network', 'platform', 'category'];

interface Tagged {
  /** `kind=EMAIL` */
  readonly tag: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** `[{kind: "EMAIL", value: …}, {kind: "PHONE", value: …}]`: records that name their own kind. Null for other lists. */
function taggedRecords(value: unknown): Tagged[] | null {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRecord)) return null;
  const records: readonly Readonly<Record<string, unknown>>[] = value;
  const key = tagKeys.find((candidate) => records.every((item) => /^[\p{L}_-]{2,30}$/u.test(textOf(item[candidate]))));
  if (key === undefined) return null;
  if (!records.some((item) => fieldTags.has(normalizeKey(textOf(item[key]))))) return null;
  const tags = records.map((item) => `${key}=${textOf(item[key])}`);
  return records.flatMap((record, index) => {
    const tag = tags[index] ?? '';
    return tags.indexOf(tag) === index ? [{ tag, record }] : [];
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** False for a key that holds personal data, such as an address or a phone number: it must not appear in messages. */
export function isFieldName(key: string): boolean {
  return /^[\p{L}\p{N}_ -]{1,60}$/u.test(key) && !/\d{5}/.test(key);
}

/** The record itself, or the first of a list of records; null for anything else. */
export function innerRecord(value: unknown): Readonly<Record<string, unknown>> | null {
  if (isRecord(value)) return value;
  return Array.isArray(value) ? (value.find(isRecord) ?? null) : null;
}

/** `{min, max}` and similar records: one value. */
export function isRange(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.length <= 3 && keys.every((key) => rangeKeys.has(key.toLowerCase()));
}

/** The value at a path. In a list of records: of the first record that has one. */
export function readDottedPath(record: unknown, path: string): unknown {
  return createPathReader(path)(record);
}

/** `readDottedPath` of many records: the path is split once. */
export function createPathReader(path: string): (record: unknown) => unknown {
  const keys = path.split('.').map((key): PathKey => ({ key, tagged: taggedKey(key) }));
  return (record) => descend(record, keys, 0);
}

interface PathKey {
  readonly key: string;
  /** null for a key without a tag. */
  readonly tagged: TaggedKey | null;
}

/** The parts of `channels[kind=EMAIL]`. */
interface TaggedKey {
  readonly name: string;
  readonly tag: string;
  readonly value: string;
}

/** null for a key without a tag. */
function taggedKey(key: string): TaggedKey | null {
  const open = key.lastIndexOf('[');
  const equals = key.indexOf('=', open);
  if (!key.endsWith(']') || open < 1 || equals < open + 2 || equals > key.length - 3) return null;
  return { name: key.slice(0, open), tag: key.slice(open + 1, equals), value: key.slice(equals + 1, -1) };
}

function descend(value: unknown, keys: readonly PathKey[], at: number): unknown {
  const next = keys[at];
  if (next === undefined) return value;
  const { key, tagged } = next;
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = descend(item, keys, at);
      if (!isEmpty(found)) return found;
    }
    return undefined;
  }
  if (tagged !== null) return descend(itemWith(value, tagged), keys, at + 1);
  return isRecord(value) && Object.hasOwn(value, key) ? descend(value[key], keys, at + 1) : undefined;
}

function itemWith(holder: unknown, { name, tag, value }: TaggedKey): unknown {
  const list = isRecord(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
  return Array.isArray(list)
    ? list.find((item) => isRecord(item) && Object.hasOwn(item, tag) && item[tag] === value)
    : undefined;
}

/** Texts that mean "unknown". */
const emptyText = /^(?:[-–—]*|n\/a|null)$/i;
/** How most other texts begin, which spares them the test. */
const otherStart = /^[0-9A-MO-Za-mo-z]/;

/** True for null, an empty text, a dash or an empty list. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return !otherStart.test(value) && emptyText.test(value.trim());
  return Array.isArray(value) && value.every(isEmpty);
}

/** A name without case, `_`, `-` and blanks: `company_name`, `companyName` and `Company-Name` are one. */
export function normalizeKey(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

const containers = new Set(fieldGroupNames.map(normalizeKey));
/** Keys that do not name a value by themselves; the key above does. */
const genericKeys = [
  'value',
  'name',
  'raw',
  'text',
  'label',
  'display',
  'formatted',
  'address',
  'code',
  'url',
  'number',
];

/**
 * The names by which a path can be recognised: its last key when only containers are above it, the last two keys joined, and
 * the key above when the last one is generic (`email.value`).
 */
export function candidateNamesOf(path: string): string[] {
  // The tag names the value: `channels[kind=EMAIL].value` is an `email`.
  const keys = path.split('.').map((key) => normalizeKey(taggedKey(key)?.value ?? key));
  const last = keys.at(-1) ?? '';
  const above = keys.slice(0, -1);
  const names = above.every((key) => containers.has(key)) ? [last] : [];
  const parent = above.at(-1);
  if (parent === undefined) return names;
  names.push(parent + last);
  if (genericKeys.includes(last) && above.slice(0, -1).every((key) => containers.has(key))) names.push(parent);
  return names;
}
