import { z } from 'zod';

const unitMilliseconds = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);
const pattern = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$/;
/** Timers of Node overflow at 2^31 ms; nothing here has a reason to wait longer than a day. */
const longest = 24 * 3_600_000;

/** `500ms`, `2s`, `10m`, `1.5h`; the output is in milliseconds. */
export const durationSchema = z
  .string({ error: 'must be a duration such as 500ms, 2s, 10m or 1h' })
  .regex(pattern, 'must be a duration such as 500ms, 2s, 10m or 1h')
  .refine(isWithinADay, 'must lie between 1ms and 24h')
  .transform((text) => toMilliseconds(text) ?? 0);

/** null for a text that is no duration. */
export function toMilliseconds(text: string): number | null {
  const [, amount, unit] = pattern.exec(text) ?? [];
  const factor = unitMilliseconds.get(unit ?? '');
  return factor === undefined ? null : Math.round(Number(amount) * factor);
}

function isWithinADay(text: string): boolean {
  const milliseconds = toMilliseconds(text);
  // A text that is no duration has its own message already.
  return milliseconds === null || (milliseconds >= 1 && milliseconds <= longest);
}
