/** An example of a value without the value: `Xxxxx Xxxxxx`, `xxxx.xxxx@xxxxx.xx`, `00-000`. */
import { isRange } from './leaves.ts';

const longest = 24;

export function maskedExample(value: unknown): string {
  if (typeof value === 'string') {
    const start = value.trim().slice(0, longest);
    const masked = start.replaceAll(/[\p{L}\p{N}]/gu, (sign) =>
      /\p{N}/u.test(sign) ? '0' : /\p{Lu}/u.test(sign) ? 'X' : 'x',
    );
    return `"${masked}${value.trim().length > longest ? '…' : ''}"`;
  }
  if (typeof value === 'number') return Number.isInteger(value) ? 'a whole number' : 'a number';
  if (typeof value === 'boolean') return 'true or false';
  if (isRange(value)) return 'a range';
  return Array.isArray(value) ? 'a list' : 'a record';
}
