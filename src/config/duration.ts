import { z } from 'zod';
import { dayMs } from '../base/day-milliseconds.ts';

const unitMilliseconds = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', dayMs],
]);
export const durationPattern = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)$/;

/** `500ms`, `2s`, `10m`, `1.5h`; the output is in milliseconds. Timers of Node overflow at 2^31 ms, so it is at most a day. */
export const durationSchema = durationBetween('1ms', '24h');

/** Like `durationSchema`, with other bounds; `shortest` and `longest` are durations too. */
export function durationBetween(shortest: string, longest: string) {
  const [least, most] = [toMilliseconds(shortest) ?? 0, toMilliseconds(longest) ?? 0];
  const rule = ({ input }: { readonly input?: unknown }) => {
    const units = unitsOf(input, { least, most });
    return `must be a duration such as ${toAlternatives(examplesBetween(least, most))}${units.length === 0 ? '' : `; write ${toAlternatives(units)}`}`;
  };
  return z
    .string({ error: rule })
    .regex(durationPattern, { error: rule })
    .refine((text) => {
      const milliseconds = toMilliseconds(text);
      // The regex has its own message.
      return milliseconds === null || (milliseconds >= least && milliseconds <= most);
    }, `must lie between ${shortest} and ${longest}`)
    .transform((text) => toMilliseconds(text) ?? 0);
}

/** A number with the units that it may have been meant in. Where days are allowed, a number alone is one of days. */
function unitsOf(input: unknown, { least, most }: { readonly least: number; readonly most: number }): string[] {
  if (typeof input !== 'number' && typeof input !== 'string') return [];
  const units = most > dayMs ? ['d'] : ['s', 'm', 'h'];
  return units
    .map((unit) => `${input}${unit}`)
    .filter((text) => {
      const milliseconds = toMilliseconds(text);
      return milliseconds !== null && milliseconds >= least && milliseconds <= most;
    });
}

function toAlternatives(texts: readonly string[]): string {
  return texts.join(', ').replace(/, (?=[^,]*$)/, ' or ');
}

/** The largest that are allowed, one of each unit. */
function examplesBetween(least: number, most: number): string[] {
  const allowed = ['500ms', '2s', '10m', '1h', '7d'].filter((text) => {
    const milliseconds = toMilliseconds(text) ?? 0;
    return milliseconds >= least && milliseconds <= most;
  });
  return allowed.slice(-4);
}

/** null: the text is not a duration. */
export function toMilliseconds(text: string): number | null {
  const [, amount, unit] = durationPattern.exec(text) ?? [];
  const factor = unitMilliseconds.get(unit ?? '');
  return factor === undefined ? null : Math.round(Number(amount) * factor);
}

/** The shortest way to write it, for example `90m`. */
export function toDurationText(milliseconds: number): string {
  const { amount, unit } = toAmount(milliseconds);
  return `${amount}${unit}`;
}

/** `90 minutes`: says what the unit is. */
export function toDurationWords(milliseconds: number): string {
  const { amount, unit } = toAmount(milliseconds);
  return amount.toLocaleString('en', { style: 'unit', unit: unitNames[unit], unitDisplay: 'long', useGrouping: false });
}

function toAmount(milliseconds: number): { readonly amount: number; readonly unit: string } {
  const units = [...unitMilliseconds].toReversed();
  const [unit, size] = units.find(([, each]) => milliseconds >= each && milliseconds % each === 0) ?? ['s', 1_000];
  return { amount: milliseconds / size, unit };
}

const unitNames: Readonly<Record<string, string>> = {
  ms: 'millisecond',
  s: 'second',
  m: 'minute',
  h: 'hour',
  d: 'day',
};
