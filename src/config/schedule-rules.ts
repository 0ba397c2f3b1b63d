/** Rules of a schedule that its schema cannot say; they read the file as written. */
import { canFire, parseCalendar, parseCron, parseField } from '../calendar/calendar.ts';
import { toMilliseconds } from './duration.ts';
import { childOf } from './json-schema.ts';
import { calendarKeys, toFieldInput } from './schedule-settings.ts';
import type { PathProblem } from './schema-problems.ts';

type Path = readonly PropertyKey[];

const neverFires = 'never fires: no day matches';
const bothDays = 'Day of month and day of week must both match; write two schedules of one field each for either';
const cronForm = 'Five fields: minute 0-59, hour 0-23, day of month 1-31, month 1-12, day of week 0-6 (Sunday is 0)';
const fieldForms: Readonly<Record<keyof typeof calendarKeys, string>> = {
  second: 'seconds 0 to 59',
  minute: 'minutes 0 to 59',
  hour: 'hours 0 to 23',
  day_of_month: 'days 1 to 31',
  month: 'months 1 to 12 or their names',
  day_of_week: 'days 0 (Sunday) to 6 or their names',
  year: 'years 2000 to 2100',
};

export function checkSchedule(path: Path, schedule: unknown): PathProblem[] {
  if (typeof schedule !== 'object' || schedule === null || Array.isArray(schedule)) return [];
  const [cron, calendars] = [childOf(schedule, 'cron'), childOf(schedule, 'calendars')];
  return [
    ...checkTimes(path, schedule),
    ...(Array.isArray(cron)
      ? cron.flatMap((text: unknown, index) => checkCron([...path, 'cron', index], text))
      : checkCron([...path, 'cron'], cron)),
    ...(Array.isArray(calendars)
      ? calendars.flatMap((fields: unknown, index) => checkCalendar([...path, 'calendars', index], fields))
      : []),
    ...checkOffset(path, schedule),
    ...checkPeriod(path, schedule),
  ];
}

function checkTimes(path: Path, schedule: object): PathProblem[] {
  const has = (key: string) => childOf(schedule, key) !== undefined;
  const isTimed = has('cron') || has('calendars') || has('every');
  return isTimed ? [] : [problem(path, 'has no times', 'Write cron, calendars or every', 'key')];
}

function checkCron(path: Path, text: unknown): PathProblem[] {
  if (typeof text !== 'string') return [];
  const found = text.length <= 40 ? JSON.stringify(text) : null;
  const calendar = parseCron(text);
  if (calendar === null) return [{ ...problem(path, 'is no cron expression', cronForm), found }];
  return canFire(calendar) ? [] : [{ ...problem(path, neverFires, bothDays), found }];
}

function checkCalendar(path: Path, fields: unknown): PathProblem[] {
  const texts = new Map<string, string>();
  const wrong = Object.entries(calendarKeys).flatMap(([key, field]) => {
    const value = childOf(fields, key);
    if (value === undefined) return [];
    texts.set(field, toFieldInput(value));
    return parseField(field, toFieldInput(value)) === null
      ? [problem([...path, key], `must be ${formOf(key)}: a number, 1-5, */15, or several of them`)]
      : [];
  });
  if (wrong.length > 0) return wrong;
  const calendar = parseCalendar(Object.fromEntries(texts));
  return calendar === null || canFire(calendar) ? [] : [problem(path, neverFires, bothDays)];
}

function formOf(key: string): string {
  return new Map(Object.entries(fieldForms)).get(key) ?? '';
}

function checkOffset(path: Path, schedule: object): PathProblem[] {
  const [every, offset] = [childOf(schedule, 'every'), childOf(schedule, 'offset')];
  if (offset === undefined) return [];
  if (every === undefined) return [problem([...path, 'offset'], 'goes with every only', 'Remove it', 'key')];
  const [interval, shift] = [every, offset].map((text) => (typeof text === 'string' ? toMilliseconds(text) : null));
  const isTooLong = typeof interval === 'number' && typeof shift === 'number' && shift >= interval;
  return isTooLong ? [problem([...path, 'offset'], 'must be shorter than every')] : [];
}

function checkPeriod(path: Path, schedule: object): PathProblem[] {
  const [start, end] = ['start_at', 'end_at'].map((key) => Date.parse(String(childOf(schedule, key))));
  const isTurned = start !== undefined && end !== undefined && start >= end;
  return isTurned ? [problem([...path, 'end_at'], 'must be later than start_at')] : [];
}

function problem(path: Path, rule: string, remedy: string | null = null, at: 'key' | 'value' = 'value'): PathProblem {
  return { path, at, rule, found: null, remedy };
}
