import { isRange } from './flatten-record.ts';

const longestExample = 24;

/** The form of a value without its content: `Xxxxx Xxxxxx`, `xxxx.xxxx@xxxxx.xx`, `00-000`. */
export function describeForm(value: unknown): string {
  if (typeof value === 'string') {
    const start = value.trim().slice(0, longestExample);
    const form = start.replaceAll(/[\p{L}\p{N}]/gu, (sign) =>
      /\p{N}/u.test(sign) ? '0' : /\p{Lu}/u.test(sign) ? 'X' : 'x',
    );
    return `"${form}${value.trim().length > longestExample ? '…' : ''}"`;
  }
  if (typeof value === 'number') return Number.isInteger(value) ? 'a whole number' : 'a number';
  if (typeof value === 'boolean') return 'true or false';
  if (isRange(value)) return 'a range';
  return Array.isArray(value) ? 'a list' : 'a record';
}
