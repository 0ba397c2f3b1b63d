/** An example of a value without the value: `Xxxxx Xxxxxx`, `xxxx.xxxx@xxxxx.xx`, `00-000`. */
import { isRange } from './leaves.ts';

const longest = 24;

export function maskedExample(value: unknown): string {
  if (typeof value === 'string') {
    const masked = value
      .trim()
      .slice(0, longest)
      .replaceAll(/\p{Lu}/gu, 'X')
      .replaceAll(/\p{L}/gu, 'x')
      .replaceAll(/\p{N}/gu, '0');
    return `"${masked}${value.trim().length > longest ? '…' : ''}"`;
  }
  if (typeof value === 'number') return Number.isInteger(value) ? 'a whole number' : 'a number';
  if (typeof value === 'boolean') return 'true or false';
  if (isRange(value)) return 'a range';
  return Array.isArray(value) ? 'a list' : 'a record';
}
