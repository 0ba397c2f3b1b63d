import { type ScheduleConfig, intervalAt } from '../../../src/config/calendar/schedule-config.ts';
import { parseCron } from '../../../src/config/calendar/cron-calendar.ts';

const hour = 3_600_000;
const day = 24 * hour;

function schedule(crons: string[], changes: Partial<ScheduleConfig> = {}): ScheduleConfig {
  return {
    mixesForms: false,
    calendars: crons.map(parseCron).filter((calendar) => calendar !== null),
    every: null,
    timezone: 'UTC',
    jitterMilliseconds: 0,
    overlap: 'skip',
    catchUpMilliseconds: hour,
    startAt: null,
    endAt: null,
    ...changes,
  };
}
const every = (milliseconds: number) => ({ milliseconds, offsetMilliseconds: 0 });
/** A Wednesday. */
const at = new Date('2026-11-25T10:00:00Z');

describe('intervalAt', () => {
  it.each([
    ['a week, on Mondays', schedule(['0 6 * * 1']), 7 * day],
    ['a day, on a working day', schedule(['0 6 * * MON-FRI']), day],
    ['a month, of its own length', schedule(['0 6 1 * *']), 30 * day],
    ['an hour, also at the very time', schedule(['0 * * * *']), hour],
    ['four years, around a 29th of February', schedule(['0 0 29 2 *']), (3 * 365 + 366) * day],
    ['six hours, where every says so', schedule([], { every: every(6 * hour) }), 6 * hour],
    ['the nearest times of several', schedule(['0 6 * * 1', '0 18 * * 3']), 2 * day + 12 * hour],
    ['the nearer one of cron and every', schedule(['0 11 * * *'], { every: every(8 * hour) }), 3 * hour],
  ])('is %s', (_, given, expected) => {
    expect(intervalAt(given, at)).toBe(expected);
  });

  it('evaluates calendars in their time zone', () => {
    // 10:00 in UTC is 23:00 in Auckland, 05:00 in New York.
    const times = ['0 12 * * 3', '0 12 * * 4'];
    expect(intervalAt(schedule(times, { timezone: 'Pacific/Auckland' }), at)).toBe(day);
    expect(intervalAt(schedule(times, { timezone: 'America/New_York' }), at)).toBe(6 * day);
  });

  it('is null when a schedule has ended, or has no earlier time', () => {
    expect(intervalAt(schedule(['0 6 * * 1'], { endAt: new Date('2026-11-24T00:00:00Z') }), at)).toBeNull();
    const [calendar] = schedule(['0 6 * * *']).calendars;
    if (calendar === undefined) throw new Error('no calendar');
    expect(intervalAt(schedule([], { calendars: [{ ...calendar, year: [2027] }] }), at)).toBeNull();
  });
});
