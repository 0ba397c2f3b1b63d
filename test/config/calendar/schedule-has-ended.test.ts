import { hasEnded } from '../../../src/config/calendar/schedule-config.ts';
import { configuration } from '../../temporal/schedules/scheduled-configuration.ts';

const now = new Date('2026-11-21T12:00:00Z');

function over(schedule: string): boolean {
  const found = configuration({ weekly: schedule }).runs['weekly']?.schedule;
  if (!found) throw new Error('there is no schedule');
  return hasEnded(found, now);
}

describe('hasEnded', () => {
  it.each([
    '{cron: "@daily", end_at: 2026-11-21T12:00:00Z}',
    '{every: 1d, end_at: 2026-11-21T23:59:59Z}',
    '{calendars: [{year: 2025}]}',
    '{calendars: [{year: 2026, month: 1-10}, {year: 2020-2025}]}',
    '{cron: "0 6 1 2 *", end_at: 2027-01-15T00:00:00Z}',
    '{cron: "0 6 29 2 *", start_at: 2028-03-05T00:00:00Z, end_at: 2031-12-31T00:00:00Z}',
  ])('is true for %s', (schedule) => expect(over(schedule)).toBe(true));

  it.each([
    '{cron: "@daily"}',
    '{cron: "@daily", end_at: 2026-11-21T12:00:01Z}',
    '{every: 1d, end_at: 2026-11-22T00:00:00Z}',
    '{every: 1d, calendars: [{year: 2025}]}',
    '{calendars: [{year: 2026, month: 12}]}',
    '{calendars: [{year: 2025-2027}]}',
    '{cron: "0 6 29 2 *"}',
    '{cron: "0 6 29 2 *", start_at: 2028-03-01T00:00:00Z}',
    '{calendars: [{year: 2026, month: 11, day_of_month: 21, hour: 20}], timezone: Pacific/Honolulu}',
  ])('is false for %s', (schedule) => expect(over(schedule)).toBe(false));
});
