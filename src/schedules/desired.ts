/**
 * Configuration to schedules, always from scratch: Temporal gives cron expressions back as calendars, and what is added
 * to a described schedule fires beside what was there (temporalio/sdk-typescript#1351).
 */
import type { ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import { toDurationText } from '../config/duration.ts';
import type { ScheduleConfig } from '../calendar/schedule-config.ts';
import type { Config } from '../config/config.ts';
import type { RunConfig } from '../config/run-settings.ts';
import { toRunPlan, type RunReference } from '../config/run-plan.ts';
import { kindAttribute, runAttribute, toRunAttributes } from '../temporal/search-attributes.ts';
import { describeRun } from '../temporal/workflow-texts.ts';
import { toCronText } from '../calendar/calendar.ts';
import {
  nothing,
  settingsDigest,
  settingsMemo,
  toAttributesText,
  toDetailsText,
  toEncryptionText,
  toIntervalText,
  toListText,
  toTimeText,
  type ScheduleSettings,
} from './schedule-record.ts';
import { toCalendarSpec } from './spec.ts';
import { describeScheduled } from './schedule-texts.ts';

/** Value of the kind attribute that marks a schedule as made by this program. */
export const scheduleKind = 'schedule';

export interface DesiredSchedule {
  readonly runName: string;
  readonly schedule: ScheduleConfig;
  readonly settings: ScheduleSettings;
  readonly options: ScheduleOptions;
}

export function scheduleIdOf(runName: string): string {
  return `prospect-sync/${runName}`;
}

/** The schedules that the configuration asks for; what they start goes to `queue`. */
export function toDesiredSchedules(config: Config, queue: string): DesiredSchedule[] {
  return Object.entries(config.runs).flatMap(([runName, run]) =>
    run.schedule === null ? [] : [toDesired(config, { runName, run, schedule: run.schedule, queue })],
  );
}

interface Scheduled {
  readonly runName: string;
  readonly run: RunConfig;
  readonly schedule: ScheduleConfig;
  readonly queue: string;
}

function toDesired(config: Config, { runName, run, schedule, queue }: Scheduled): DesiredSchedule {
  const { calendars, every, startAt, endAt } = schedule;
  const plan = toRunPlan(config, runName, run);
  const reference: RunReference = { runName, digest: run.digest };
  const workflowId = `run/${runName}/scheduled`;
  const { staticSummary } = describeRun(plan);
  const staticDetails = describeScheduled(plan, run.digest);
  const settings: ScheduleSettings = {
    calendars: toListText(calendars.map(toCronText)),
    intervals: toListText(every === null ? [] : [toIntervalText(every.milliseconds, every.offsetMilliseconds)]),
    'skipped calendars': nothing,
    timezone: schedule.timezone,
    jitter: toDurationText(schedule.jitterMilliseconds),
    'start at': toTimeText(startAt),
    'end at': toTimeText(endAt),
    overlap: schedule.overlap,
    'catch up': toDurationText(schedule.catchUpMilliseconds),
    'pause on failure': 'no',
    'remaining starts': 'unlimited',
    run: runName,
    configuration: run.digest,
    workflow: 'runProspecting',
    'workflow id': workflowId,
    'task queue': queue,
    summary: staticSummary,
    details: toDetailsText(staticDetails, run.digest),
    memo: nothing,
    header: nothing,
    encryption: toEncryptionText([config.temporal.encryption?.key.id ?? null]),
    'search attributes': toAttributesText(toRunAttributes(plan)),
    'time limits': nothing,
  };
  const options: ScheduleOptions = {
    scheduleId: scheduleIdOf(runName),
    spec: {
      calendars: calendars.map(toCalendarSpec),
      intervals: every === null ? [] : [{ every: every.milliseconds, offset: every.offsetMilliseconds }],
      timezone: schedule.timezone,
      jitter: schedule.jitterMilliseconds,
      ...(startAt === null ? {} : { startAt }),
      ...(endAt === null ? {} : { endAt }),
    },
    action: {
      type: 'startWorkflow',
      workflowType: settings.workflow,
      workflowId,
      taskQueue: queue,
      args: [reference],
      staticSummary,
      staticDetails,
      memo: { [settingsMemo]: settingsDigest(settings) },
      typedSearchAttributes: toRunAttributes(plan),
    },
    policies: {
      overlap: overlapPolicies[schedule.overlap],
      catchupWindow: schedule.catchUpMilliseconds,
      pauseOnFailure: false,
    },
    typedSearchAttributes: [
      { key: kindAttribute, value: scheduleKind },
      { key: runAttribute, value: runName },
    ],
  };
  return { runName, schedule, settings, options };
}

const overlapPolicies: Readonly<Record<ScheduleConfig['overlap'], ScheduleOverlapPolicy>> = {
  skip: 'SKIP',
  buffer_one: 'BUFFER_ONE',
  buffer_all: 'BUFFER_ALL',
  cancel_other: 'CANCEL_OTHER',
  terminate_other: 'TERMINATE_OTHER',
  allow_all: 'ALLOW_ALL',
};
