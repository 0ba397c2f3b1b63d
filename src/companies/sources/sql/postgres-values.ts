/** Values of PostgreSQL as cells. PostgreSQL sends texts, in the formats that the reader has set: ISO dates in UTC. */
import type { SourceCell } from '../../../base/spreadsheet/table.ts';

/** bytea, see pg_type. */
export const binaryType = 17;

const boolean = 16;
const decimals = new Set([20, 21, 23, 26, 1700]);
const floats = new Set([700, 701]);
const [date, timestamp, timestampWithZone] = [1082, 1114, 1184];

export function parserOf(type: number): (text: string | null) => SourceCell {
  const parse = selectParser(type);
  return (text) => (text === null ? '' : parse(text));
}

function selectParser(type: number): (text: string) => SourceCell {
  if (type === boolean) return (text) => text === 't';
  if (decimals.has(type)) return toNumber;
  if (floats.has(type)) return (text) => (Number.isFinite(Number(text)) ? Number(text) : text);
  if (type === date || type === timestamp) return (text) => toDate(text, 'Z');
  if (type === timestampWithZone) return (text) => toDate(text.replace(/\+00$/, ''), 'Z');
  return (text) => text;
}

/** What a number of JavaScript cannot hold exactly stays a text: a long id must not change. */
function toNumber(text: string): SourceCell {
  const digits = text.replaceAll(/\D/g, '').length;
  const number = Number(text);
  return digits <= 15 && Number.isFinite(number) ? number : text;
}

/** `infinity` and dates before Christ stay texts. */
function toDate(text: string, zone: string): SourceCell {
  const moment = new Date(text.includes(' ') ? text.replace(' ', 'T') + zone : text);
  return Number.isNaN(moment.getTime()) || text.endsWith(' BC') ? text : moment;
}
