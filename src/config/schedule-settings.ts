/** When a run starts by itself: what is written, and what the program runs on. */
import { z } from 'zod';
import { parseCalendar, parseCron, type CalendarField } from '../calendar/calendar.ts';
import { overlaps, type ScheduleConfig } from '../calendar/schedule-config.ts';
import { durationBetween } from './duration.ts';
import { closestMatch } from '../text/suggestions.ts';
import { timezones, toTimezone } from '../calendar/timezones.ts';

/** A field of a calendar in the file: a number, a text as in a cron expression, or a list of both. */
const fieldSchema = z.union([z.int().min(0), z.string(), z.array(z.union([z.int().min(0), z.string()])).min(1)], {
  error: 'must be a number, a text as in a cron expression, or a list of them',
});

/** Names in the file, and of the calendar. */
export const calendarKeys = {
  second: 'second',
  minute: 'minute',
  hour: 'hour',
  day_of_month: 'dayOfMonth',
  month: 'month',
  day_of_week: 'dayOfWeek',
  year: 'year',
} as const satisfies Readonly<Record<string, CalendarField>>;

const calendarSchema = z.strictObject({
  second: fieldSchema.optional().describe('0 to 59; 0 when left out'),
  minute: fieldSchema.optional().describe('0 to 59; 0 when left out'),
  hour: fieldSchema.optional().describe('0 to 23; 0 when left out'),
  day_of_month: fieldSchema.optional().describe('1 to 31; every day when left out'),
  month: fieldSchema.optional().describe('1 to 12 or names; every month when left out'),
  day_of_week: fieldSchema
    .optional()
    .describe(
      '0 (Sunday) to 6 or names such as MON-FRI; every day when left out. Day of month and of week must both match',
    ),
  year: fieldSchema.optional().describe('For example 2027; every year when left out'),
});

/** Temporal keeps times of a schedule in whole seconds. */
const wholeSeconds = (shortest: string, longest: string) =>
  durationBetween(shortest, longest).refine((milliseconds) => milliseconds % 1_000 === 0, 'must be whole seconds');

const timeSchema = z.iso
  .datetime({
    offset: true,
    error: 'must be a time with its offset, such as 2026-12-01T06:00:00Z or 2026-12-01T07:00:00+01:00',
  })
  .transform((text) => new Date(text));

const timezoneSchema = z.string().refine((name) => toTimezone(name) !== null, {
  error: ({ input }) => {
    const near = typeof input === 'string' ? closestMatch(input, timezones) : null;
    return `must be a timezone such as Europe/Berlin or UTC${near === null ? '' : `; did you mean ${near}?`}`;
  },
});

export const scheduleSchema = z.strictObject({
  cron: z
    .union([z.string(), z.array(z.string()).min(1)], { error: 'must be a cron expression or a list of them' })
    .optional()
    .describe('For example "0 6 * * 1": minute, hour, day of month, month, day of week; or a list of several'),
  calendars: z
    .array(calendarSchema)
    .min(1)
    .optional()
    .describe('Times by named fields, for example {hour: 6, day_of_week: monday}'),
  every: wholeSeconds('1s', '366d').optional().describe('Interval, for example 6h or 7d, counted from 1970-01-01 UTC'),
  offset: wholeSeconds('0s', '366d').optional().describe('Moves the times of `every`; shorter than it'),
  timezone: timezoneSchema.default('UTC').describe('Timezone of cron and calendars, for example Europe/Berlin'),
  jitter: wholeSeconds('0s', '24h').prefault('0s').describe('Each start waits a random time up to this'),
  overlap: z.enum(overlaps).default('skip').describe('What becomes of a start while the one before still runs'),
  catch_up: wholeSeconds('10s', '366d')
    .prefault('1h')
    .describe('Starts that Temporal missed, being down, are made up for up to this long after'),
  start_at: timeSchema.optional().describe('No start before, for example 2026-12-01T06:00:00Z'),
  end_at: timeSchema.optional().describe('No start after, for example 2027-12-01T06:00:00Z'),
});

export function toSchedule(schedule: z.infer<typeof scheduleSchema>): ScheduleConfig {
  const { cron = [], calendars = [], every, offset = 0 } = schedule;
  // Rules in schedule-rules.ts have refused what is no calendar.
  const parsed = [
    ...[cron].flat().map(parseCron),
    ...calendars.map((fields) => parseCalendar(toFieldTexts(fields))),
  ].filter((calendar) => calendar !== null);
  return {
    calendars: parsed,
    every: every === undefined ? null : { milliseconds: every, offsetMilliseconds: offset },
    timezone: toTimezone(schedule.timezone) ?? schedule.timezone,
    jitterMilliseconds: schedule.jitter,
    overlap: schedule.overlap,
    catchUpMilliseconds: schedule.catch_up,
    startAt: schedule.start_at ?? null,
    endAt: schedule.end_at ?? null,
  };
}

function toFieldTexts(fields: z.infer<typeof calendarSchema>): Partial<Record<CalendarField, string>> {
  return Object.fromEntries(
    Object.entries(calendarKeys).flatMap(([key, field]) => {
      const value = new Map<string, unknown>(Object.entries(fields)).get(key);
      return value === undefined ? [] : [[field, toFieldInput(value)]];
    }),
  );
}

/** A field as the text of a cron expression. */
export function toFieldInput(value: unknown): string {
  return [value].flat().join(',');
}
