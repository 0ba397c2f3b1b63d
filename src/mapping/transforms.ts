/** Named ways to write a field of the result into one CRM property. None throws; nothing in gives nothing out. */
import { hostOf } from './own-domain.ts';

/** What a field holds: one value, a list of them, or a list of records, of which only the number can be written. */
export type SourceKind = 'text' | 'number' | 'boolean' | 'list' | 'records';

export interface Transform {
  /** What it can be asked of. */
  readonly takes: readonly SourceKind[];
  /** All that the field holds, as texts that are not empty. */
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
  // HubSpot parts the options of a multiple checkbox by semicolons.
  join: { takes: ['list'], apply: (texts) => texts.map((text) => text.replaceAll(';', ',')).join(';') },
  'join-lines': { takes: ['list'], apply: (texts) => texts.join('\n') },
  count: { takes: ['list', 'records'], apply: ({ length }) => (length === 0 ? '' : String(length)) },
  integer: { takes: ['text', 'number'], apply: each(toInteger) },
  year: { takes: ['text', 'number'], apply: each((text) => /^(\d{4})(?:$|-)/.exec(text)?.[1] ?? '') },
  date: { takes: ['text'], apply: each(toDate) },
  domain: { takes: ['text'], apply: each((text) => hostOf(text) ?? '') },
  'truncate-255': { takes: ['text'], apply: each((text) => cutText(text, shortLength)) },
};

/** The beginning of a text, in UTF-16 units as HubSpot may count them; never half a character. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return text.slice(0, end).trimEnd();
}

function each(map: (text: string) => string): Transform['apply'] {
  return ([text]) => (text === undefined ? '' : map(text));
}

/** A whole number in plain digits, rounded; nothing for what is no number in plain digits, such as `10-50`. */
function toInteger(text: string): string {
  const value = /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Math.round(Number(text)) : NaN;
  return Number.isSafeInteger(value) ? String(value + 0) : '';
}

/** The day in UTC: what HubSpot takes for a date property and gives back. */
function toDate(text: string): string {
  if (!/^\d{4}-\d\d-\d\d(?:$|T)/.test(text)) return '';
  const time = Date.parse(text);
  return Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, 10);
}
