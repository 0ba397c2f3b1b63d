/** Start times that a change of the clock skips or repeats, such as 02:30 at the start and the end of summer time. */
import { dayMs } from '../../base/day-milliseconds.ts';
import { isDayOf, timesOfDay, toWallClock, type ScheduleConfig } from './schedule-config.ts';

/** `local`: wall-clock time, written as UTC. */
export interface ClockChangeTime {
  readonly kind: 'skipped' | 'repeated';
  readonly local: Date;
}

/** A clock stays changed for longer. */
const stepMs = 7 * dayMs;
const hoursOfDay = 24;

/** Of the schedule from `from` to `to`, ascending. A calendar of every hour has other starts beside these. */
export function findClockChangeTimes(
  { calendars, timezone }: ScheduleConfig,
  { from, to }: { readonly from: Date; readonly to: Date },
): ClockChangeTime[] {
  const affected = calendars.filter(({ hour }) => hour.length < hoursOfDay);
  if (timezone === 'UTC' || affected.length === 0) return [];
  const found: ClockChangeTime[] = [];
  for (let start = from.getTime(); start < to.getTime(); start += stepMs) {
    const end = Math.min(start + stepMs, to.getTime());
    const [before, after] = [offsetAt(start, timezone), offsetAt(end, timezone)];
    if (before === after) continue;
    const change = findChange({ start, end, before }, timezone);
    const [first, last] = [change + Math.min(before, after), change + Math.max(before, after)];
    const kind = after > before ? 'skipped' : 'repeated';
    const locals = affected.flatMap((calendar) =>
      [first, last - 1].flatMap((local) => {
        const day = Math.floor(local / dayMs) * dayMs;
        return isDayOf(calendar, new Date(day)) ? timesOfDay(calendar).map((time) => day + time) : [];
      }),
    );
    const within = [...new Set(locals)].filter((local) => local >= first && local < last);
    found.push(...within.toSorted((a, b) => a - b).map((local) => ({ kind, local: new Date(local) }) as const));
  }
  return found;
}

/** The second at which the offset changes. */
function findChange(
  { start, end, before }: { readonly start: number; readonly end: number; readonly before: number },
  timezone: string,
): number {
  let [last, next] = [Math.floor(start / 1_000), Math.floor(end / 1_000)];
  while (next - last > 1) {
    const middle = Math.floor((last + next) / 2);
    if (offsetAt(middle * 1_000, timezone) === before) last = middle;
    else next = middle;
  }
  return next * 1_000;
}

function offsetAt(at: number, timezone: string): number {
  const second = Math.floor(at / 1_000) * 1_000;
  return toWallClock(new Date(second), timezone) - second;
}
