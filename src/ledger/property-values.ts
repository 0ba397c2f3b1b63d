/** Texts of CRM properties: their limits, and the comparison with the texts that HubSpot returns. */
import { createHash } from 'node:crypto';
import { trimEndOf } from '../base/text/normalize-text.ts';

/** Cuts to a length in UTF-16 units, as HubSpot may count them, but never inside a character. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return text.slice(0, end).trimEnd();
}

/** HubSpot accepts no longer text for a property (third-party figure). */
export const longestPropertyText = 65_536;

/** The text that is sent: trimmed, without halves of characters, cut to HubSpot's limit. */
export function toPropertyText(text: string): string {
  return cutText(text.toWellFormed().trim(), longestPropertyText);
}

/** A time for a date-time property; empty for an invalid one. HubSpot stores milliseconds: microseconds would differ on every read. */
export function toTimeText(timestamp: string): string {
  const at = Date.parse(timestamp);
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}

/** True when HubSpot has the value, in any of the forms in which it returns values. */
export function isSame(value: string, current: string): boolean {
  if (value === current) return true;
  const [a, b] = [comparableText(value), comparableText(current)];
  return a === b || isEpochOf(a, b) || isEpochOf(b, a);
}

/**
 * One text for all forms in which HubSpot accepts or returns a value: times in UTC, numbers by value, email addresses and domains in
 * lower case, choices of a multiple checkbox sorted, trimmed.
 */
export function comparableText(text: string): string {
  const value = text.trim();
  if (isoTime.test(value)) return toTimeText(value) || value;
  if (/^(?:true|false)$/i.test(value) || address.test(value)) return value.toLowerCase();
  if (value.includes(';')) return comparableChoices(value);
  return comparableNumber(value) ?? value;
}

const isoTime = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d))?$/;
const address = /^(?:[^\s@;]+@)?[^\s@./:;]+(?:\.[^\s@./:;]+)*\.[^\s@./:;\d]+$/;

/** null with a leading zero, as postal codes have. Compares texts, because a double has fewer digits than an id. */
function comparableNumber(value: string): string | null {
  const match = /^(-?(?:0|[1-9]\d*))(?:\.(\d*))?$/.exec(value);
  if (match === null) return null;
  const [, whole = '', digits = ''] = match;
  const fraction = trimEndOf(digits, '0');
  if (fraction !== '') return `${whole}.${fraction}`;
  return whole === '-0' ? '0' : whole;
}

function comparableChoices(value: string): string {
  const choices = new Set(value.split(';').map(comparableText));
  return [...choices]
    .filter((choice) => choice !== '')
    .sort()
    .join(';');
}

/** HubSpot also accepts times in milliseconds since 1970. */
function isEpochOf(milliseconds: string, time: string): boolean {
  return /^-?\d{1,15}$/.test(milliseconds) && isoTime.test(time) && Number(milliseconds) === Date.parse(time);
}

/** Digest of a value in the form in which values are compared, 32 hex digits. */
export function valueDigest(value: string): string {
  return createHash('sha256').update(comparableText(value)).digest('hex').slice(0, 32);
}
