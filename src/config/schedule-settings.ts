/** `schedule` of a run: the times at which Temporal starts it. */
import { z } from 'zod';
import { canFire, parseCalendar, parseCron, parseField, type CalendarField } from './calendar/cron-calendar.ts';
import { overlaps, type ScheduleConfig } from './calendar/schedule-config.ts';
import { timezones, toTimezone } from './calendar/timezones.ts';
import { getOwnProperty } from '../base/json/own-property.ts';
import { describeMissingDay } from '../base/text/missing-day.ts';
import { durationBetween } from './duration.ts';
import { closestMatch } from '../base/text/suggestions.ts';
import { problemAt, type PathProblem } from './problems.ts';
import { checkPart, childOf, namedEntries, validEntries, validItems } from './partial-validation.ts';

/** A field of a calendar in the file: a number, a text as in a cron expression, or a list of both. */
const fieldSchema = z.union([z.int().min(0), z.string(), z.array(z.union([z.int().min(0), z.string()])).min(1)], {
  error: 'must be a number, a text as in a cron expression, or a list of them',
});

/** Name of each calendar field in the file. */
const calendarKeys = {
  second: 'second',
  minute: 'minute',
  hour: 'hour',
  day_of_month: 'dayOfMonth',
  month: 'month',
  day_of_week: 'dayOfWeek',
  year: 'year',
} as const satisfies Readonly<Record<string, CalendarField>>;

const calendarSchema = z.strictObject({
  second: fieldSchema.optional().describe('Seconds 0 to 59; by default 0'),
  minute: fieldSchema.optional().describe('Minutes 0 to 59; by default 0'),
  hour: fieldSchema.optional().describe('Hours 0 to 23; by default 0'),
  day_of_month: fieldSchema.optional().describe('Days of the month 1 to 31; by default every day'),
  month: fieldSchema.optional().describe('Months 1 to 12 or names; by default every month'),
  day_of_week: fieldSchema
    .optional()
    .describe(
      'Days of the week 0 (Sunday) to 6 or names such as MON-FRI, by default every day; a day must match day_of_month as well',
    ),
  year: fieldSchema.optional().describe('Years, for example 2027; by default every year'),
});

/** Temporal stores the durations of a schedule in whole seconds. */
const wholeSeconds = (shortest: string, longest: string) =>
  durationBetween(shortest, longest).refine((milliseconds) => milliseconds % 1_000 === 0, 'must be whole seconds');

const timeSchema = z.iso
  .datetime({
    offset: true,
    error: ({ input }) =>
      `must be a time with its offset, such as 2026-12-01T06:00:00Z or 2026-12-01T07:00:00+01:00${describeMissingDay(input)}`,
  })
  .transform((text) => new Date(text));

const timezoneSchema = z.string().refine((name) => toTimezone(name) !== null, {
  error: ({ input }) => {
    // An offset or abbreviation (CEST) is no misspelt place, and the name nearest to it (EST) is another time.
    const isPlace = typeof input === 'string' && !/\d/.test(input) && /\/|^.{5,}$/.test(input);
    const suggestion = isPlace ? closestMatch(input, timezones) : null;
    return `must be a timezone such as Europe/Berlin or UTC${suggestion === null ? '' : `; did you mean ${suggestion}?`}`;
  },
});

const scheduleObject = z.strictObject({
  cron: z
    .union([z.string(), z.array(z.string()).min(1)], { error: 'must be a cron expression or a list of them' })
    .optional()
    .describe(
      'Cron expression of five fields (minute, hour, day of month, month, day of week), for example "0 6 * * 1", or a list of them',
    ),
  calendars: z
    .array(calendarSchema)
    .min(1)
    .optional()
    .describe('Start times by named fields, for example {hour: 6, day_of_week: monday}'),
  every: wholeSeconds('1s', '366d')
    .optional()
    .describe('Interval between starts, for example 6h or 7d, counted from 1970-01-01 UTC'),
  offset: wholeSeconds('0s', '366d').optional().describe('Delay of the times of every; must be shorter than every'),
  timezone: timezoneSchema.default('UTC').describe('Timezone of cron and calendars, for example Europe/Berlin'),
  jitter: wholeSeconds('0s', '24h').prefault('0s').describe('Each start is delayed by a random time up to this'),
  overlap: z
    .enum(overlaps)
    .default('skip')
    .describe('What Temporal does with a start while an earlier run is in progress'),
  catch_up: wholeSeconds('10s', '366d')
    .prefault('1h')
    .describe('Starts that Temporal missed during downtime are made up for if they are no older than this'),
  start_at: timeSchema.optional().describe('No starts before this time, for example 2026-12-01T06:00:00Z'),
  end_at: timeSchema.optional().describe('No starts after this time, for example 2027-12-01T06:00:00Z'),
});

export const scheduleSchema = scheduleObject
  .transform(toSchedule)
  .optional()
  .describe('When Temporal starts the run; takes effect with `prospect-sync apply`');

const fieldForms: Readonly<Record<CalendarField, string>> = {
  second: 'seconds 0 to 59',
  minute: 'minutes 0 to 59',
  hour: 'hours 0 to 23',
  dayOfMonth: 'days 1 to 31',
  month: 'months 1 to 12 or their names',
  dayOfWeek: 'days 0 (Sunday) to 6 or their names',
  year: 'years 2000 to 2100',
};
const neverFires = 'never fires: no day matches';
const bothDays = 'Day of month and day of week must both match; for either of them write two schedules';
const cronForm = 'Five fields: minute 0-59, hour 0-23, day of month 1-31, month 1-12, day of week 0-6 (Sunday is 0)';

const intervalPart = scheduleObject.pick({ every: true, offset: true }).required().strip();
const periodPart = scheduleObject.pick({ start_at: true, end_at: true }).strip();

export function checkSchedule(path: readonly PropertyKey[], schedule: unknown): readonly PathProblem[] {
  if (typeof schedule !== 'object' || schedule === null || Array.isArray(schedule)) return [];
  const cron = childOf(schedule, 'cron');
  const hasTimes = ['cron', 'calendars', 'every'].some((key) => childOf(schedule, key) !== undefined);
  return [
    ...(hasTimes ? [] : [problemAt(path, 'has no times', 'Write cron, calendars or every', 'key')]),
    ...(typeof cron === 'string' ? checkCron([...path, 'cron'], cron) : []),
    ...validItems(z.string(), cron).flatMap(([index, text]) => checkCron([...path, 'cron', index], text)),
    ...validItems(z.unknown(), childOf(schedule, 'calendars')).flatMap(([index, fields]) =>
      checkCalendar([...path, 'calendars', index], fields),
    ),
    ...checkOffset([...path, 'offset'], schedule),
    ...checkPart(periodPart, schedule, ({ start_at: start, end_at: end }) =>
      start !== undefined && end !== undefined && start >= end
        ? [problemAt([...path, 'end_at'], 'must be later than start_at')]
        : [],
    ),
  ];
}

function checkCron(path: readonly PropertyKey[], text: string): PathProblem[] {
  const found = text.length <= 40 ? JSON.stringify(text) : null;
  const calendar = parseCron(text);
  if (calendar === null) return [{ ...problemAt(path, 'is not a cron expression', cronForm), found }];
  return canFire(calendar) ? [] : [{ ...problemAt(path, neverFires, bothDays), found }];
}

function checkOffset(path: readonly PropertyKey[], schedule: object): readonly PathProblem[] {
  if (childOf(schedule, 'offset') === undefined) return [];
  if (childOf(schedule, 'every') === undefined) return [problemAt(path, 'goes with every only', 'Remove it', 'key')];
  return checkPart(intervalPart, schedule, ({ every, offset }) =>
    offset < every ? [] : [problemAt(path, 'must be shorter than every')],
  );
}

/** Field by field: an invalid one is reported by its schema, and the others are checked. */
function checkCalendar(path: readonly PropertyKey[], settings: unknown): PathProblem[] {
  const fields = validEntries(fieldSchema, settings);
  const texts = toFieldTexts(Object.fromEntries(fields));
  const invalid = Object.entries(calendarKeys).flatMap(([key, field]) =>
    texts[field] === undefined || parseField(field, texts[field]) !== null
      ? []
      : [problemAt([...path, key], `must be ${fieldForms[field]}: a number, 1-5, */15, or several of them`)],
  );
  if (invalid.length > 0 || fields.length < namedEntries(settings).length) return invalid;
  const calendar = parseCalendar(texts);
  return calendar === null || canFire(calendar) ? [] : [problemAt(path, neverFires, bothDays)];
}

function toSchedule(schedule: z.infer<typeof scheduleObject>): ScheduleConfig {
  const { cron = [], calendars = [], every, offset = 0 } = schedule;
  // checkSchedule has reported invalid ones.
  const parsed = [
    ...[cron].flat().map(parseCron),
    ...calendars.map((fields) => parseCalendar(toFieldTexts(fields))),
  ].filter((calendar) => calendar !== null);
  return {
    calendars: parsed,
    mixesForms: schedule.cron !== undefined && calendars.length > 0,
    every: every === undefined ? null : { milliseconds: every, offsetMilliseconds: offset },
    timezone: toTimezone(schedule.timezone) ?? schedule.timezone,
    jitterMilliseconds: schedule.jitter,
    overlap: schedule.overlap,
    catchUpMilliseconds: schedule.catch_up,
    startAt: schedule.start_at ?? null,
    endAt: schedule.end_at ?? null,
  };
}

/** Each field as the text of a cron expression. */
function toFieldTexts(
  fields: Readonly<Record<string, z.infer<typeof fieldSchema> | undefined>>,
): Partial<Record<CalendarField, string>> {
  return Object.fromEntries(
    Object.entries(calendarKeys).flatMap(([key, field]) => {
      const value = getOwnProperty(fields, key);
      return value === undefined ? [] : [[field, [value].flat().join(',')]];
    }),
  );
}

export const scheduleTemplate = `    # schedule:                           # when Temporal starts the run; takes effect with \`prospect-sync apply\`
    #   cron: "0 6 * * 1"                 # minute, hour, day of month, month, day of week; or a list of them
    #   calendars:                        # more start times, by named fields; each takes what cron takes, or a list
    #     -
    #       second: 0                     # by default 0
    #       minute: 30                    # by default 0
    #       hour: 8-18/2                  # by default 0
    #       day_of_month: "*"             # by default every day
    #       month: [january, july]        # by default every month
    #       day_of_week: MON-FRI          # by default every day; a day must match day_of_month as well
    #       year: 2027                    # by default every year
    #   every: 7d                         # more start times, counted from 1970-01-01 UTC …
    #   offset: 6h                        # … and delayed by this
    #   timezone: Europe/Berlin           # of cron and calendars; by default UTC
    #   jitter: 5m                        # each start is delayed by a random time up to this
    #   overlap: skip                     # while an earlier run is in progress: skip, buffer_one, buffer_all, cancel_other,
    #                                     # terminate_other, allow_all
    #   catch_up: 1h                      # missed starts are made up for if they are no older than this, at least 10s
    #   start_at: 2026-12-01T06:00:00Z    # no starts before this time
    #   end_at: 2027-12-01T06:00:00Z      # no starts after this time
`;
