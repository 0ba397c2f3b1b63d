/** Schedules that are valid and probably start more orders than is meant. */
import { countStarts, shortestInterval } from './calendar/schedule-config.ts';
import { formatDuration } from '../base/text/format-time.ts';
import type { Config } from './config.ts';
import { toDurationText } from './duration.ts';

/** A cron expression without a minute, such as `* 6 * * 1`, starts sixty times in an hour. */
const frequentMs = 3_600_000;

/** Of `validate`, `plan` and `apply`. */
export function warnOfSchedules(config: Pick<Config, 'runs' | 'exclusions'>): string[] {
  return [
    ...warnOfFrequentStarts(config),
    ...warnOfBothDays(config),
    ...warnOfMissedStarts(config),
    ...warnOfRepeatedFiles(config),
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

/** A file has the same rows at every start; a query or a selection of HubSpot may leave out what was delivered. */
function warnOfRepeatedFiles({ runs, exclusions }: Pick<Config, 'runs' | 'exclusions'>): string[] {
  return Object.entries(runs).flatMap(([name, { companies, schedule, exclusions: used }]) => {
    if (schedule === null || companies === null || !('path' in companies)) return [];
    if (used.some((each) => exclusions[each]?.source.delivered !== undefined)) return [];
    return [
      `runs.${name}.schedule orders all rows of companies.${companies.from} again at each start. To leave out what was delivered before, add an exclusion with within (exclusions: {delivered: {within: 365d}}) and name it in runs.${name}.exclusions`,
    ];
  });
}
