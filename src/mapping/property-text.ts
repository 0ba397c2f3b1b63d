/** Values as HubSpot stores them: texts only, and not always the ones that were sent. */
import { cutText } from './transforms.ts';

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

/**
 * Whether HubSpot holds what is wanted, in whatever form it gave it back: times as moments, numbers by value, email
 * addresses and domains in lower case, choices of a multiple checkbox in any order, white space around trimmed.
 */
export function isSame(wanted: string, current: string): boolean {
  const [a, b] = [wanted.trim(), current.trim()];
  return a === b || forms.some((form) => isSameIn(form, a, b));
}

/** Ways to write a value; null for a text that is no such value. */
const forms: readonly ((text: string) => string | number | null)[] = [toMoment, toNumber, toFlag, toAddress, toChoices];

function isSameIn(form: (text: string) => string | number | null, a: string, b: string): boolean {
  const value = form(a);
  return value !== null && value === form(b) && (form !== toMoment || isIsoTime.test(a) || isIsoTime.test(b));
}

const isIsoTime = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d))?$/;

/** HubSpot takes a time as ISO text or milliseconds and gives it back as ISO text, a day as midnight UTC. */
function toMoment(text: string): number | null {
  const time = isIsoTime.test(text) ? Date.parse(text) : /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** Not what has a leading zero, which a postal code means; compared as text, for a double has fewer digits than an id. */
function toNumber(text: string): string | null {
  const match = /^(-?(?:0|[1-9]\d*))(?:\.(\d*?)0*)?$/.exec(text);
  if (match === null) return null;
  const [, whole = '', fraction = ''] = match;
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

function toFlag(text: string): string | null {
  return /^(?:true|false)$/i.test(text) ? text.toLowerCase() : null;
}

function toAddress(text: string): string | null {
  return /^(?:[^\s@]+@)?[^\s@./:]+(?:\.[^\s@./:]+)+$/.test(text) ? text.toLowerCase() : null;
}

function toChoices(text: string): string | null {
  if (!text.includes(';')) return null;
  const choices = text.split(';').map((choice) => choice.trim());
  return JSON.stringify([...new Set(choices)].filter((choice) => choice !== '').sort());
}
