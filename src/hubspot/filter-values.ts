/** What HubSpot's search compares a property with: it rejects no value, and reads `1.000` as 1 and a label as no option. */
import { describeMissingDay, findMissingDay } from '../base/text/missing-day.ts';
import { findNumberRemedy } from '../base/text/decimal-number.ts';
import { closestMatch } from '../base/text/suggestions.ts';
import { ownerProperty, type Property } from './crm-property.ts';
import { operands, type SearchFilter } from './search-filter.ts';
import { listFirst } from '../base/text/named-rows.ts';

/** The first value that the property cannot have, and what to write; null: there is none. */
export function findValueProblem(property: Property, filter: SearchFilter): string | null {
  const given = operands[filter.operator].flatMap((key) => filter[key] ?? []);
  for (const value of given) {
    const problem = judgeValue(property, filter, value);
    if (problem !== null) return `${filter.propertyName} ${filter.operator} ${JSON.stringify(value)}: ${problem}`;
  }
  return null;
}

interface OperandProblem {
  readonly key: 'value' | 'values' | 'highValue';
  readonly problem: string;
  readonly remedy: string;
}

/** What no property can have, so that the filter finds nothing, or with NEQ and NOT_IN everything. */
export function findOperandProblems(filter: SearchFilter): OperandProblem[] {
  const { propertyName, operator, value = '', highValue = '' } = filter;
  const problems = operands[operator].flatMap((key): OperandProblem[] => {
    const given = [filter[key] ?? []].flat();
    if (given.some((text) => text !== text.trim()))
      return [{ key, problem: 'has blanks around it, which HubSpot compares too', remedy: 'Remove them' }];
    const address = domainProperties.has(propertyName) ? given.find((text) => /[/:]/.test(text)) : undefined;
    if (address === undefined) return [];
    const problem = `is a web address, and ${propertyName} has domains only`;
    return [{ key, problem, remedy: `Write ${toHost(address)}` }];
  });
  if (operator !== 'BETWEEN' || !(toOrder(value) > toOrder(highValue))) return problems;
  return [...problems, { key: 'highValue', problem: `is below value, ${value}`, remedy: 'Swap value and highValue' }];
}

const domainProperties: ReadonlySet<string> = new Set(['domain', 'hs_additional_domains']);

function toHost(address: string): string {
  return address
    .toLowerCase()
    .replace(/^(?:[a-z]+:)?\/*(?:www\.)?/, '')
    .replace(/[/:?#].*/, '');
}

/** NaN: neither a number, which may be milliseconds, nor a time. */
function toOrder(value: string): number {
  return isoTime.test(value) ? Date.parse(value) : value.trim() === '' ? NaN : Number(value);
}

function judgeValue(property: Property, { operator }: SearchFilter, value: string): string | null {
  const isPart = operator === 'CONTAINS_TOKEN' || operator === 'NOT_CONTAINS_TOKEN';
  if (property.name === ownerProperty)
    return /^\d+$/.test(value) ? null : 'no id of an owner. Owner ids are in the settings of HubSpot, under Users';
  switch (property.type) {
    case 'number':
      return isPart ? null : toProblem('no clear number', findNumberRemedy(value));
    case 'date':
    case 'datetime':
      return isPart ? null : toProblem(`no clear time${describeMissingDay(value)}`, findTimeRemedy(value));
    case 'bool':
    case 'enumeration':
      return ordered.has(operator) ? null : judgeOption(property, value, isPart);
    default:
      return null;
  }
}

const ordered: ReadonlySet<string> = new Set(['LT', 'LTE', 'GT', 'GTE', 'BETWEEN']);

function toProblem(problem: string, remedy: string | null): string | null {
  return remedy === null ? null : `${problem}. ${remedy}`;
}

type Options = readonly { readonly value: string; readonly label?: string | undefined }[];
const yesNo: Options = [
  { value: 'true', label: 'yes' },
  { value: 'false', label: 'no' },
];

function judgeOption(property: Property, value: string, isPart: boolean): string | null {
  const { type, fieldType, externalOptions = false, options: listed = [] } = property;
  const options = listed.length === 0 && type === 'bool' ? yesNo : listed;
  if (externalOptions || options.length === 0) return null;
  const parts = fieldType === 'checkbox' ? value.split(';') : [value];
  const isKnown = (part: string) =>
    options.some((option) => (isPart ? option.value.includes(part.replaceAll('*', '')) : option.value === part));
  const unknown = parts.find((part) => !isKnown(part));
  return unknown === undefined ? null : `no option of the property.${hintOfOption(unknown, options)}`;
}

const mostOptions = 20;

/** The internal name that is probably meant by a label or a misspelt name, and the known ones. */
export function hintOfOption(unknown: string, options: Options): string {
  const labels = new Map(options.map(({ value, label = value }) => [label.toLowerCase(), value]));
  const label = closestMatch(unknown, [...labels.keys()]) ?? '';
  const meant =
    labels.get(unknown.toLowerCase()) ??
    closestMatch(
      unknown,
      options.map(({ value }) => value),
    ) ??
    labels.get(label);
  const named = options.map(({ value, label }) => (label === undefined ? value : `${value} (${label})`));
  return `${meant === undefined ? '' : ` Did you mean ${meant}?`} Internal names are needed: ${listFirst(named, mostOptions)}`;
}

/** Times from 1973 on, earlier ones before 1970, and 1970 itself; fewer digits are seconds or a year. */
const milliseconds = /^(?:0|-\d+|\d{12,})$/;
const seconds = /^\d{10}$/;
const isoTime = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;
const dayMonthYear = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;

function findTimeRemedy(value: string): string | null {
  const day = isoTime.exec(value)?.[1];
  if (milliseconds.test(value) || (day !== undefined && findMissingDay(day) === null)) return null;
  if (seconds.test(value)) return `Write milliseconds since 1970: ${value}000`;
  const [, date = '', month = '', year = ''] = dayMonthYear.exec(value) ?? [];
  const meant = toDay(`${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`);
  const example = meant === null ? 'for example ' : '';
  const time = meant ?? Date.UTC(2026, 10, 1);
  return `Write milliseconds since 1970: ${example}${time}, which is ${new Date(time).toISOString().slice(0, 10)}`;
}

/** null: the calendar does not have the day. */
function toDay(day: string): number | null {
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? time : null;
}
