/** When a run starts: its calendars and interval, whether its times have ended, and how far apart they are. */
import { type Calendar, canFire } from './cron-calendar.ts';
import { dayMs } from '../../base/day-milliseconds.ts';

/** What Temporal does with a start while an earlier run is in progress. */
export const overlaps = ['skip', 'buffer_one', 'buffer_all', 'cancel_other', 'terminate_other', 'allow_all'] as const;

/** When a run starts: at the times of the calendars and of the interval; there is at least one of them. */
export interface ScheduleConfig {
  readonly calendars: readonly Calendar[];
  /** Whether some calendars were written as `cron` and others as `calendars`. */
  readonly mixesForms: boolean;
  /** Counted from 1970-01-01 UTC. */
  readonly every: { readonly milliseconds: number; readonly offsetMilliseconds: number } | null;
  readonly timezone: string;
  readonly jitterMilliseconds: number;
  readonly overlap: (typeof overlaps)[number];
  readonly catchUpMilliseconds: number;
  readonly startAt: Date | null;
  readonly endAt: Date | null;
}

/** Days of timezones begin up to 14 hours before and 12 hours after those of UTC. */
const zonesMs = dayMs / 2;
const repetitionMs = 400 * 366 * dayMs;

/** True if no start is left: `end_at` or the last day of its years has passed. */
export function hasEnded({ calendars, every, startAt, endAt }: ScheduleConfig, now: Date): boolean {
  const from = Math.max(now.getTime(), startAt?.getTime() ?? 0);
  const to = endAt?.getTime() ?? from + repetitionMs;
  if (to <= now.getTime()) return true;
  if (every !== null) {
    const { milliseconds, offsetMilliseconds } = every;
    const next = Math.ceil((from - offsetMilliseconds) / milliseconds) * milliseconds + offsetMilliseconds;
    if (next <= to) return false;
  }
  const days = { from: new Date(from - dayMs - zonesMs), to: new Date(to + dayMs) };
  return !calendars.some((calendar) => canFire(calendar, days));
}

/** February 29 occurs at least every eight years. */
const maxDays = 8 * 366;

/** Milliseconds since the last start time, and until the next one; null: there is none. */
interface Gap {
  readonly since: number | null;
  readonly until: number | null;
}

/**
 * Milliseconds between the last start time before `at` and the next one; null: one of them does not exist. Calendars are compared
 * in wall-clock time, so a clock change in between shifts the result by an hour.
 */
export function intervalAt(schedule: ScheduleConfig, at: Date): number | null {
  if (hasEnded(schedule, at)) return null;
  const { calendars, every, timezone } = schedule;
  const wallClock = toWallClock(at, timezone);
  const gaps = calendars.map((calendar) => toCalendarGap(calendar, wallClock));
  if (every !== null) gaps.push(toIntervalGap(every, at.getTime()));
  const since = Math.min(...gaps.map((gap) => gap.since ?? Infinity));
  const until = Math.min(...gaps.map((gap) => gap.until ?? Infinity));
  return Number.isFinite(since + until) ? since + until : null;
}

/** Milliseconds between the two closest start times of one day, of a calendar or of `every`; null: no day has two. */
export function shortestInterval({ calendars, every }: ScheduleConfig): number | null {
  const gaps = calendars.flatMap((calendar) => {
    const times = timesOfDay(calendar);
    return times.slice(1).map((time, index) => time - (times[index] ?? 0));
  });
  if (every !== null) gaps.push(every.milliseconds);
  return gaps.length === 0 ? null : Math.min(...gaps);
}

/** A leap year, whose days stand for those of every year. */
const year = { from: Date.UTC(2028, 0, 1), days: 366 };

/** How many starts a time of this length has on average, rounded up; the years of a calendar do not count. */
export function countStarts({ calendars, every }: ScheduleConfig, milliseconds: number): number {
  const perYear = calendars.map((calendar) => {
    const days = Array.from({ length: year.days }, (_, day) => new Date(year.from + day * dayMs));
    return timesOfDay(calendar).length * days.filter((day) => isDayOf({ ...calendar, year: [] }, day)).length;
  });
  const rates = perYear.map((starts) => starts / (year.days * dayMs));
  if (every !== null) rates.push(1 / every.milliseconds);
  return Math.ceil(Number(rates.reduce((sum, rate) => sum + rate * milliseconds, 0).toFixed(6)));
}

/** Milliseconds since midnight, ascending. */
export function timesOfDay({ hour, minute, second }: Calendar): number[] {
  return hour.flatMap((h) => minute.flatMap((m) => second.map((s) => ((h * 60 + m) * 60 + s) * 1_000)));
}

function toIntervalGap({ milliseconds, offsetMilliseconds }: NonNullable<ScheduleConfig['every']>, at: number): Gap {
  const since = (at - offsetMilliseconds) % milliseconds;
  return { since, until: milliseconds - since };
}

/** `wallClock`: the local time of the timezone, written as UTC. */
function toCalendarGap(calendar: Calendar, wallClock: number): Gap {
  const times = timesOfDay(calendar);
  const today = Math.floor(wallClock / dayMs) * dayMs;
  const find = (step: 1 | -1, pick: (day: number) => number | undefined) => {
    for (let count = 0; count <= maxDays; count += 1) {
      const day = today + step * count * dayMs;
      const time = isDayOf(calendar, new Date(day)) ? pick(day) : undefined;
      if (time !== undefined) return Math.abs(day + time - wallClock);
    }
    return null;
  };
  return {
    since: find(-1, (day) => times.findLast((time) => day + time <= wallClock)),
    until: find(1, (day) => times.find((time) => day + time > wallClock)),
  };
}

export function isDayOf({ year, month, dayOfMonth, dayOfWeek }: Calendar, day: Date): boolean {
  return (
    (year.length === 0 || year.includes(day.getUTCFullYear())) &&
    month.includes(day.getUTCMonth() + 1) &&
    dayOfMonth.includes(day.getUTCDate()) &&
    dayOfWeek.includes(day.getUTCDay())
  );
}

/** The local time of the timezone, written as UTC. */
export function toWallClock(at: Date, timeZone: string): number {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

/** By timezone: a format takes longer to make than to use. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, format);
  return format;
}
