import { z } from 'zod';
import { validationError } from '../api-error.ts';
import { valueOf, type RecordPredicate } from '../portal/crm-record.ts';
import { toMilliseconds } from '../properties/property-values.ts';

export const filterSchema = z.object({
  propertyName: z.string(),
  operator: z.enum([
    'EQ',
    'NEQ',
    'LT',
    'LTE',
    'GT',
    'GTE',
    'BETWEEN',
    'IN',
    'NOT_IN',
    'HAS_PROPERTY',
    'NOT_HAS_PROPERTY',
    'CONTAINS_TOKEN',
    'NOT_CONTAINS_TOKEN',
  ]),
  value: z.union([z.string(), z.number(), z.boolean()]).transform(String).optional(),
  highValue: z.union([z.string(), z.number()]).transform(String).optional(),
  values: z.array(z.union([z.string(), z.number()]).transform(String)).optional(),
});
export type Filter = z.infer<typeof filterSchema>;

type Test = (stored: string) => boolean;

/** `type` is the type of the filter's property, `matchesEmpty` whether negations hold for a record without a value. */
export function toPredicate(filter: Filter, type: string, matchesEmpty: boolean): RecordPredicate {
  const name = filter.propertyName;
  switch (filter.operator) {
    case 'HAS_PROPERTY':
      return (values) => valueOf(values, name) !== undefined;
    case 'NOT_HAS_PROPERTY':
      return (values) => valueOf(values, name) === undefined;
    case 'NEQ':
      return not(name, equals(type, one(filter)), matchesEmpty);
    case 'NOT_IN':
      return not(name, isAmong(type, many(filter)), matchesEmpty);
    case 'NOT_CONTAINS_TOKEN':
      return not(name, matchesTokens(one(filter)), matchesEmpty);
    default:
      return has(name, positiveTest(filter, type));
  }
}

/** The values by which an index can find candidates, or undefined when only a scan can. */
export function indexableValues(filter: Filter): readonly string[] | undefined {
  if (filter.operator === 'EQ') return [one(filter)];
  return filter.operator === 'IN' ? many(filter) : undefined;
}

function positiveTest(filter: Filter, type: string): Test {
  switch (filter.operator) {
    case 'EQ':
      return equals(type, one(filter));
    case 'IN':
      return isAmong(type, many(filter));
    case 'CONTAINS_TOKEN':
      return matchesTokens(one(filter));
    case 'LT':
      return compares(type, one(filter), (key, to) => key < to);
    case 'LTE':
      return compares(type, one(filter), (key, to) => key <= to);
    case 'GT':
      return compares(type, one(filter), (key, to) => key > to);
    case 'GTE':
      return compares(type, one(filter), (key, to) => key >= to);
    default:
      return isBetween(type, one(filter), filter.highValue);
  }
}

/** The sort key of a value: a number for numbers and times, otherwise the text in lower case. NaN for an invalid number or time. */
export function sortKey(type: string, value: string): number | string {
  if (type === 'number') return Number(value);
  return type === 'date' || type === 'datetime' ? toMilliseconds(value) : value.toLowerCase();
}

function compares(type: string, value: string, holds: (key: number | string, to: number | string) => boolean): Test {
  const to = sortKey(type, value);
  return (stored) => holds(sortKey(type, stored), to);
}

// Options of enumerations are internal names and keep their case; text does not.
function equals(type: string, value: string): Test {
  if (type === 'enumeration' || type === 'bool') return (stored) => stored === value;
  return compares(type, value, (key, to) => key === to);
}

// IN and NOT_IN require text in lower case: another spelling finds nothing.
function isAmong(type: string, values: readonly string[]): Test {
  const known = new Set(values.map((value) => (type === 'string' ? value : listKey(type, value))));
  return (stored) => known.has(listKey(type, stored));
}

function listKey(type: string, value: string): string | number {
  if (type === 'number') return Number(value);
  if (type === 'date' || type === 'datetime') return toMilliseconds(value);
  return type === 'string' ? value.toLowerCase() : value;
}

function isBetween(type: string, low: string, high: string | undefined): Test {
  if (high === undefined) throw validationError('BETWEEN needs value and highValue.');
  const isAbove = compares(type, low, (key, to) => key >= to);
  const isBelow = compares(type, high, (key, to) => key <= to);
  return (stored) => isAbove(stored) && isBelow(stored);
}

function has(name: string, test: Test): RecordPredicate {
  return (values) => {
    const stored = valueOf(values, name);
    return stored !== undefined && test(stored);
  };
}

function not(name: string, test: Test, matchesEmpty: boolean): RecordPredicate {
  return (values) => {
    const stored = valueOf(values, name);
    return stored === undefined ? matchesEmpty : !test(stored);
  };
}

function one({ propertyName, operator, value }: Filter): string {
  if (value === undefined) throw validationError(`The filter ${operator} on ${propertyName} needs a value.`);
  return value;
}

function many({ propertyName, operator, values }: Filter): readonly string[] {
  if (!values || values.length === 0) throw validationError(`The filter ${operator} on ${propertyName} needs values.`);
  return values;
}

/** True if a text has every token of the pattern, in any case and order; `*` matches any part of a token. */
function matchesTokens(pattern: string): (text: string) => boolean {
  const wanted = tokensOf(pattern, /[^\p{L}\p{N}*]+/u).map(toTest);
  return (text) => {
    const tokens = tokensOf(text, /[^\p{L}\p{N}]+/u);
    return wanted.length > 0 && wanted.every((test) => tokens.some(test));
  };
}

/** True if each word of the query is the beginning of a token of the text. */
export function matchesWords(query: string): (text: string) => boolean {
  const wanted = tokensOf(query, /[^\p{L}\p{N}]+/u);
  return (text) => {
    const tokens = tokensOf(text, /[^\p{L}\p{N}]+/u);
    return wanted.every((word) => tokens.some((token) => token.startsWith(word)));
  };
}

function tokensOf(text: string, separator: RegExp): string[] {
  return text
    .toLowerCase()
    .split(separator)
    .filter((token) => token !== '');
}

function toTest(pattern: string): (token: string) => boolean {
  if (!pattern.includes('*')) return (token) => token === pattern;
  const parts = pattern.split('*');
  const [beginning = ''] = parts;
  const ending = parts.at(-1) ?? '';
  const middle = parts.slice(1, -1);
  return (token) => {
    if (token.length < beginning.length + ending.length) return false;
    if (!token.startsWith(beginning) || !token.endsWith(ending)) return false;
    let rest = token.slice(beginning.length, token.length - ending.length);
    return middle.every((part) => {
      const at = rest.indexOf(part);
      rest = rest.slice(at + part.length);
      return at >= 0;
    });
  };
}
