import type { ScheduleConfig } from './schedule-config.ts';
import { canFire } from './calendar.ts';

const dayMs = 86_400_000;
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
