/**
 * Parses and formats cron expressions. A calendar is their parsed form, as in Temporal: a time matches if all fields match, both
 * the day of the month and the day of the week. Temporal returns cron expressions only as calendars, so calendars are compared.
 */

export const calendarFields = ['second', 'minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek', 'year'] as const;
export type CalendarField = (typeof calendarFields)[number];

/** Ascending, without duplicates. Months count from 1, days of the week from 0 (Sunday). An empty list of years means every year. */
export type Calendar = Readonly<Record<CalendarField, readonly number[]>>;

/** Both ends are included. */
export interface NumberRange {
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

const bounds: Readonly<Record<CalendarField, readonly [number, number]>> = {
  second: [0, 59],
  minute: [0, 59],
  hour: [0, 23],
  dayOfMonth: [1, 31],
  month: [1, 12],
  dayOfWeek: [0, 6],
  year: [2000, 2100],
};
const months = 'january february march april may june july august september october november december'.split(' ');
const days = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

const shorthands: ReadonlyMap<string, string> = new Map([
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@monthly', '0 0 1 * *'],
  ['@yearly', '0 0 1 1 *'],
]);

/** Five fields (minute, hour, day of month, month, day of week) or @hourly to @yearly; null for anything else. */
export function parseCron(text: string): Calendar | null {
  const fields = (shorthands.get(text.trim()) ?? text).trim().split(/\s+/);
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = ''] = fields;
  return fields.length === 5 ? parseCalendar({ minute, hour, dayOfMonth, month, dayOfWeek }) : null;
}

/** Absent fields default to 0 (second, minute, hour) or to every value (the others). null: a field is invalid. */
export function parseCalendar(texts: Partial<Readonly<Record<CalendarField, string>>>): Calendar | null {
  const read = (field: CalendarField) => parseField(field, texts[field] ?? defaultText(field));
  const [second, minute, hour] = [read('second'), read('minute'), read('hour')];
  const [dayOfMonth, month, dayOfWeek, year] = [read('dayOfMonth'), read('month'), read('dayOfWeek'), read('year')];
  if (second === null || minute === null || hour === null) return null;
  if (dayOfMonth === null || month === null || dayOfWeek === null || year === null) return null;
  return { second, minute, hour, dayOfMonth, month, dayOfWeek, year };
}

function defaultText(field: CalendarField): string {
  return ['second', 'minute', 'hour'].includes(field) ? '0' : '*';
}

/** A number, the name of a month or day, a range, a step, or several of them separated by commas; null for anything else. */
export function parseField(field: CalendarField, text: string): readonly number[] | null {
  if (field === 'year' && text === '*') return [];
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const range = parseRange(field, part.trim());
    if (range === null) return null;
    // 7 is Sunday too.
    for (const value of expand(range)) values.add(field === 'dayOfWeek' ? value % 7 : value);
  }
  return [...values].toSorted((a, b) => a - b);
}

function parseRange(field: CalendarField, text: string): NumberRange | null {
  const match = /^(?:(\*)|([a-z]+|\d+)(?:-([a-z]+|\d+))?)(?:\/(\d+))?$/i.exec(text);
  if (match === null) return null;
  const [, star, first = '', last, steps] = match;
  const step = steps === undefined ? 1 : Number(steps);
  const [least, most] = bounds[field];
  if (step < 1 || step > most) return null;
  if (star !== undefined) return { start: least, end: most, step };
  const start = toNumber(field, first);
  // `3/5` means `3-59/5`: it continues to the end of the field.
  const end = last === undefined ? (steps === undefined ? start : most) : toNumber(field, last);
  const highest = field === 'dayOfWeek' ? 7 : most;
  if (start === null || end === null || start < least || end > highest || start > end) return null;
  return { start, end, step };
}

function toNumber(field: CalendarField, text: string): number | null {
  if (/^\d+$/.test(text)) return Number(text);
  const names = field === 'month' ? months : field === 'dayOfWeek' ? days : [];
  const word = text.toLowerCase();
  const index = names.findIndex((name) => name === word || name.slice(0, 3) === word);
  return index === -1 ? null : index + (field === 'month' ? 1 : 0);
}

/** Both are midnights in UTC, and both are included. */
export interface Days {
  readonly from: Date;
  readonly to: Date;
}

/** The calendar repeats after 400 years. */
const repetitionYears = 400;
const always: Days = { from: new Date(Date.UTC(2000, 0, 1)), to: new Date(Date.UTC(2399, 11, 31)) };

/** False if no day matches, for example February 31, or no day between `from` and `to`. */
export function canFire({ year, month, dayOfMonth, dayOfWeek }: Calendar, { from, to }: Days = always): boolean {
  const [first, last] = [from.getUTCFullYear(), to.getUTCFullYear()];
  const count = Math.max(0, Math.min(last - first + 1, repetitionYears + 1));
  const years = year.length === 0 ? Array.from({ length: count }, (_, index) => first + index) : year;
  return years.some((each) =>
    month.some((eachMonth) =>
      dayOfMonth.some((day) => {
        const date = new Date(Date.UTC(each, eachMonth - 1, day));
        const isDay = date.getUTCMonth() === eachMonth - 1 && dayOfWeek.includes(date.getUTCDay());
        return isDay && date >= from && date <= to;
      }),
    ),
  );
}

/** The numbers of a range. */
export function expand({ start, end, step }: NumberRange): number[] {
  return Array.from({ length: Math.floor((end - start) / step) + 1 }, (_, index) => start + index * step);
}

/** The ranges of ascending numbers. */
export function toNumberRanges(values: readonly number[]): NumberRange[] {
  const [first, second] = values;
  const last = values.at(-1);
  if (first === undefined || last === undefined) return [];
  const step = (second ?? first + 1) - first;
  const isEven = values.length > 2 && values.every((value, index) => value === first + index * step);
  if (isEven) return [{ start: first, end: last, step }];
  const ranges: NumberRange[] = [];
  for (const value of values) {
    const open = ranges.at(-1);
    if (open !== undefined && open.end === value - 1) ranges[ranges.length - 1] = { ...open, end: value };
    else ranges.push({ start: value, end: value, step: 1 });
  }
  return ranges;
}

/** The normalized cron text of a calendar: five fields, or seven if it has seconds or years. */
export function toCronText(calendar: Calendar): string {
  const { second, year } = calendar;
  const hasFiveFields = year.length === 0 && second.length === 1 && second[0] === 0;
  const fields = hasFiveFields ? calendarFields.slice(1, -1) : calendarFields;
  return fields.map((field) => toFieldText(field, calendar[field])).join(' ');
}

export function toFieldText(field: CalendarField, values: readonly number[]): string {
  const [least, most] = bounds[field];
  const [only, ...others] = toNumberRanges(values);
  if (only === undefined) return '*';
  if (others.length === 0 && only.start === least && only.end === most && only.step === 1) return '*';
  if (others.length === 0 && only.start === least && only.end + only.step > most && only.step > 1)
    return `*/${only.step}`;
  return [only, ...others].map(toRangeText).join(',');
}

function toRangeText({ start, end, step }: NumberRange): string {
  if (start === end) return String(start);
  return `${start}-${end}${step === 1 ? '' : `/${step}`}`;
}
