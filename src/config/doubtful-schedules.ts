/** Schedules that are valid and probably start more or fewer orders than is meant. */
import { findClockChangeTimes, type ClockChangeTime } from './calendar/clock-changes.ts';
import { countStarts, hasEnded, shortestInterval } from './calendar/schedule-config.ts';
import { dayMs } from '../base/day-milliseconds.ts';
import { formatDuration } from '../base/text/format-time.ts';
import { isManagedProperty } from '../delivery/mapping/crm-properties.ts';
import type { Config } from './config.ts';
import { toDurationText } from './duration.ts';
import type { CompaniesSource } from './enrichment-source-settings.ts';

/** A cron expression without a minute, such as `* 6 * * 1`, starts sixty times in an hour. */
const frequentMs = 3_600_000;

/** Of `validate`, `plan` and `apply`. */
export function warnOfSchedules(config: Pick<Config, 'runs' | 'exclusions' | 'mapping'>, now: Date): string[] {
  return [
    ...warnOfFrequentStarts(config),
    ...warnOfBothDays(config),
    ...warnOfMissedStarts(config),
    ...warnOfRepeatedRows(config),
    ...warnOfClockChanges(config, now),
    ...warnOfDistantStarts(config, now),
  ];
}

/**
 * crontab starts on both: on each such day of the month, and on each such day of the week. Seven days of a month with a day of the week are
 * meant as they act: `1-7` and `MON` is the first Monday.
 */
function warnOfBothDays({ runs }: Pick<Config, 'runs'>): string[] {
  return Object.entries(runs).flatMap(([name, { schedule }]) =>
    schedule?.calendars.some(({ dayOfMonth, dayOfWeek }) => dayOfMonth.length < 7 && dayOfWeek.length < 7)
      ? [
          `runs.${name}.schedule names days of the month and days of the week, and starts only on days that match both, unlike crontab. To start on either, write two expressions`,
        ]
      : [],
  );
}

function warnOfFrequentStarts({ runs }: Pick<Config, 'runs'>): string[] {
  return Object.entries(runs).flatMap(([name, { schedule }]) => {
    const interval = schedule === null ? null : shortestInterval(schedule);
    if (interval === null || interval >= frequentMs) return [];
    return [
      `runs.${name}.schedule has starts that are ${formatDuration(interval)} apart, and each start places an order, unless the one before is in progress`,
    ];
  });
}

/** As many at once are a surprise: a week of daily starts is not. */
const mostMissedStarts = 7;

/** With `skip` and `buffer_one`, Temporal starts one or two of the missed ones. */
function warnOfMissedStarts({ runs }: Pick<Config, 'runs'>): string[] {
  return Object.entries(runs).flatMap(([name, { schedule }]) => {
    if (schedule === null || ['skip', 'buffer_one'].includes(schedule.overlap)) return [];
    const { overlap, catchUpMilliseconds: catchUp } = schedule;
    const starts = countStarts(schedule, catchUp);
    if (starts <= mostMissedStarts) return [];
    return [
      `runs.${name}.schedule.catch_up is ${toDurationText(catchUp)}: after an absence of Temporal of that length, about ${starts.toLocaleString('en')} starts are made up for at once, and with overlap ${overlap} each may place an order. Write a shorter catch_up, or overlap: skip`,
    ];
  });
}

function warnOfRepeatedRows({ runs, exclusions, mapping }: Pick<Config, 'runs' | 'exclusions' | 'mapping'>): string[] {
  return Object.entries(runs).flatMap(([name, { companies, schedule, exclusions: used, crm }]) => {
    const repeated = findRepeatedRows(companies, crm ? Object.keys(mapping.companies) : null);
    if (schedule === null || repeated === null) return [];
    if (used.some((each) => exclusions[each]?.source.delivered !== undefined)) return [];
    return [
      `runs.${name}.schedule orders ${repeated} again at each start. To leave out what was delivered before, add an exclusion with within (exclusions: {delivered: {within: 365d}}) and name it in runs.${name}.exclusions`,
    ];
  });
}

/**
 * A file has the same rows at every start, and a selection of HubSpot the same companies, unless it depends on a property that the run writes
 * (`written`; null: nothing). A query, and the members of a list, may leave out what was delivered.
 */
function findRepeatedRows(companies: CompaniesSource | null, written: readonly string[] | null): string | null {
  if (companies === null || companies.from === 'sql') return null;
  if (companies.from !== 'hubspot') return `all rows of companies.${companies.from}`;
  const { lists, without, filterGroups } = companies;
  if (lists !== null) return null;
  const [setting, groups] =
    filterGroups !== null
      ? ['filter_groups', filterGroups.map((filters) => filters.map(({ propertyName }) => propertyName))]
      : without !== null
        ? ['without', [[without]]]
        : ['lifecycle_stages', [['lifecyclestage']]];
  const isWritten = (property: string) =>
    written !== null && (written.includes(property) || isManagedProperty(property) || changedByWrites.has(property));
  if (groups.every((properties) => properties.some(isWritten))) return null;
  return `all companies of companies.hubspot.${setting}, which reads no property that the run writes,`;
}

/** By HubSpot itself. */
const changedByWrites = new Set(['hs_lastmodifieddate', 'num_associated_contacts']);

const yearMs = 366 * dayMs;

/** Temporal starts a repeated time once or twice, depending on the timezone. */
function warnOfClockChanges({ runs }: Pick<Config, 'runs'>, now: Date): string[] {
  return Object.entries(runs).flatMap(([name, { schedule }]) => {
    if (schedule === null) return [];
    const { startAt, endAt, timezone } = schedule;
    const from = new Date(Math.max(now.getTime(), startAt?.getTime() ?? 0));
    const to = new Date(Math.min(from.getTime() + yearMs, endAt?.getTime() ?? Infinity));
    const times = findClockChangeTimes(schedule, { from, to });
    const describe = (wanted: ClockChangeTime['kind'], start: string) =>
      times
        .filter(({ kind }) => kind === wanted)
        .slice(0, 1)
        .map(({ local }) => `${start} ${toLocalText(local)}`);
    const starts = [...describe('skipped', 'does not start at'), ...describe('repeated', 'starts once or twice at')];
    if (starts.length === 0) return [];
    return [
      `runs.${name}.schedule ${starts.join(', and ')}, when the clock of ${timezone} changes. To start once on each day, choose another time, or timezone: UTC`,
    ];
  });
}

/** `2027-03-28 02:30` */
function toLocalText(local: Date): string {
  return local.toISOString().slice(0, 16).replace('T', ' ');
}

/** A mistyped year, such as 2062. */
function warnOfDistantStarts({ runs }: Pick<Config, 'runs'>, now: Date): string[] {
  return Object.entries(runs).flatMap(([name, { schedule }]) => {
    if (schedule === null) return [];
    const { startAt, endAt } = schedule;
    const field = `runs.${name}.schedule`;
    if (hasEnded(schedule, now)) {
      const end = endAt !== null && endAt <= now ? `.end_at is ${endAt.toISOString()}, which` : ': its last time';
      return [`${field}${end} has passed, and it never starts again. Correct the year, or remove the schedule`];
    }
    const inOneYear = new Date(now.getTime() + yearMs);
    if (!hasEnded({ ...schedule, endAt: endAt !== null && endAt < inOneYear ? endAt : inOneYear }, now)) return [];
    const remedy = 'Correct the year if that is not intended';
    return startAt !== null && startAt > inOneYear
      ? [`${field}.start_at is ${startAt.toISOString()}, and nothing starts before it, for more than a year. ${remedy}`]
      : [`${field} has no start within a year. ${remedy}`];
  });
}
