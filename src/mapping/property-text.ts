/** Values as HubSpot stores them: texts only, and not always the ones that were sent. */
import { cutText } from './transforms.ts';
import { trimEndOf } from '../text/normalize-text.ts';

/** HubSpot takes no longer text into a property (third-party figure). */
export const longestText = 65_536;

/** What is sent for a text: without white space around it, without halves of characters, no longer than HubSpot takes. */
export function toPropertyText(text: string): string {
  return cutText(text.toWellFormed().trim(), longestText);
}

/** A time for a date-time property; empty for what is none. HubSpot keeps milliseconds: microseconds would differ on every reading. */
export function toTimeText(timestamp: string): string {
  const at = Date.parse(timestamp);
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}

/** Whether HubSpot holds what is wanted, in whatever form it gave it back. */
export function isSame(wanted: string, current: string): boolean {
  const [a, b] = [comparableText(wanted), comparableText(current)];
  return a === b || isMomentOf(a, b) || isMomentOf(b, a);
}

/**
 * One text for all forms in which HubSpot takes or gives back a value: times as moments, numbers by value, email
 * addresses and domains in lower case, choices of a multiple checkbox in any order, white space around trimmed.
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

/** Not of what has a leading zero, which a postal code means; as text, for a double has fewer digits than an id. */
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

/** HubSpot takes a time in milliseconds too. */
function isMomentOf(milliseconds: string, time: string): boolean {
  return /^-?\d{1,15}$/.test(milliseconds) && isoTime.test(time) && Number(milliseconds) === Date.parse(time);
}
