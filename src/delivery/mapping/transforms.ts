/** How values of a result become texts of CRM properties: named transforms. */
import { cutText } from '../../ledger/property-values.ts';
import { hostOf } from '../../service/contract/website-domain.ts';

/** One value, a list of values, or a list of records, of which only the count can be written. */
export type SourceKind = 'text' | 'number' | 'boolean' | 'list' | 'records';

/** Never throws; returns an empty text for an empty field. */
export interface Transform {
  /** The kinds of fields that it can be applied to. */
  readonly takes: readonly SourceKind[];
  /** `values`: all values of the field, as texts that are not empty. */
  readonly apply: (values: readonly string[]) => string;
}

export const transformNames = [
  'lowercase',
  'uppercase',
  'first',
  'join',
  'join-lines',
  'count',
  'integer',
  'year',
  'date',
  'domain',
  'truncate-255',
] as const;
export type TransformName = (typeof transformNames)[number];

const shortLength = 255;

export const transforms: Readonly<Record<TransformName, Transform>> = {
  lowercase: { takes: ['text'], apply: each((text) => text.toLowerCase()) },
  uppercase: { takes: ['text'], apply: each((text) => text.toUpperCase()) },
  first: { takes: ['list'], apply: ([text]) => text ?? '' },
  // HubSpot separates the options of a multiple checkbox by semicolons.
  join: { takes: ['list'], apply: (texts) => texts.map((text) => text.replaceAll(';', ',')).join(';') },
  'join-lines': { takes: ['list'], apply: (texts) => texts.join('\n') },
  count: { takes: ['list', 'records'], apply: ({ length }) => (length === 0 ? '' : String(length)) },
  integer: { takes: ['text', 'number'], apply: each(toInteger) },
  year: { takes: ['text', 'number'], apply: each((text) => /^(\d{4})(?:$|-)/.exec(text)?.[1] ?? '') },
  date: { takes: ['text'], apply: each(toDate) },
  domain: { takes: ['text'], apply: each((text) => hostOf(text) ?? '') },
  'truncate-255': { takes: ['text'], apply: each((text) => cutText(text, shortLength)) },
};

function each(map: (text: string) => string): Transform['apply'] {
  return ([text]) => (text === undefined ? '' : map(text));
}

/** A rounded whole number in plain digits; empty for any other text, such as `10-50`. */
function toInteger(text: string): string {
  const value = /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Math.round(Number(text)) : NaN;
  return Number.isSafeInteger(value) ? String(value + 0) : '';
}

/** The day in UTC, as HubSpot accepts and returns it for date properties. */
function toDate(text: string): string {
  if (!/^\d{4}-\d\d-\d\d(?:$|T)/.test(text)) return '';
  const time = Date.parse(text);
  return Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, 10);
}
