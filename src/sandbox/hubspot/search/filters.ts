import { invalid } from '../failures.ts';
import type { PropertyValues } from '../objects/record.ts';
import { toMilliseconds } from '../properties/property-values.ts';
import { matchesTokens } from './tokens.ts';
import type { Filter } from './search-body.ts';

export type Predicate = (values: PropertyValues) => boolean;
type Test = (stored: string) => boolean;

/** `type` is the type of the filter's property, `matchesEmpty` whether negations hold for a record without a value. */
export function toPredicate(filter: Filter, type: string, matchesEmpty: boolean): Predicate {
  const name = filter.propertyName;
  switch (filter.operator) {
    case 'HAS_PROPERTY':
      return (values) => values[name] !== undefined;
    case 'NOT_HAS_PROPERTY':
      return (values) => values[name] === undefined;
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
  const orderOf = (stored: string) => compare(type, stored, one(filter));
  switch (filter.operator) {
    case 'EQ':
      return equals(type, one(filter));
    case 'IN':
      return isAmong(type, many(filter));
    case 'CONTAINS_TOKEN':
      return matchesTokens(one(filter));
    case 'LT':
      return (stored) => orderOf(stored) < 0;
    case 'LTE':
      return (stored) => orderOf(stored) <= 0;
    case 'GT':
      return (stored) => orderOf(stored) > 0;
    case 'GTE':
      return (stored) => orderOf(stored) >= 0;
    default:
      return isBetween(type, one(filter), filter.highValue);
  }
}

/** Numbers and times by size, text by its lower case. NaN when one of them is neither. */
export function compare(type: string, a: string, b: string): number {
  if (type === 'number') return Number(a) - Number(b);
  if (type === 'date' || type === 'datetime') return toMilliseconds(a) - toMilliseconds(b);
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  return left < right ? -1 : left > right ? 1 : 0;
}

// Options of enumerations are internal names and keep their case; text does not.
function equals(type: string, value: string): Test {
  if (type === 'enumeration' || type === 'bool') return (stored) => stored === value;
  return (stored) => compare(type, stored, value) === 0;
}

// In a list, HubSpot expects text in lower case: another spelling finds nothing.
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
  if (high === undefined) throw invalid('BETWEEN needs value and highValue.');
  return (stored) => compare(type, stored, low) >= 0 && compare(type, stored, high) <= 0;
}

function has(name: string, test: Test): Predicate {
  return (values) => {
    const stored = values[name];
    return stored !== undefined && test(stored);
  };
}

function not(name: string, test: Test, matchesEmpty: boolean): Predicate {
  return (values) => {
    const stored = values[name];
    return stored === undefined ? matchesEmpty : !test(stored);
  };
}

function one({ propertyName, operator, value }: Filter): string {
  if (value === undefined) throw invalid(`The filter ${operator} on ${propertyName} needs a value.`);
  return value;
}

function many({ propertyName, operator, values }: Filter): readonly string[] {
  if (!values || values.length === 0) throw invalid(`The filter ${operator} on ${propertyName} needs values.`);
  return values;
}
