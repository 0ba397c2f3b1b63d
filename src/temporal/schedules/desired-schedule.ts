/**
 * Builds the schedules of the configuration in the form of Temporal. They are always built from scratch: Temporal returns cron
 * expressions as calendars, and times that are added to a described schedule fire in addition (temporalio/sdk-typescript#1351).
 */
import type { ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import { decodeScheduleSpec, encodeScheduleSpec } from '@temporalio/client/lib/schedule-helpers.js';
import type { ScheduleConfig } from '../../config/calendar/schedule-config.ts';
import type { Config } from '../../config/config.ts';
import type { RunConfig } from '../../config/run-settings.ts';
import { toRunPlan, type RunPlan, type RunReference } from '../../config/run-plan.ts';
import { kindAttribute, runAttribute, toRunAttributes } from '../search-attributes.ts';
import { describeRun } from '../workflow-texts.ts';
import { escapeMarkdown, toList } from '../../base/text/markdown.ts';
import {
  installationMemo,
  settingsDigest,
  settingsMemo,
  toSettings,
  type ScheduleSettings,
  toCalendarSpec,
} from './comparable-settings.ts';

/** Value of the kind attribute that marks a schedule as managed by prospect-sync. */
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

export interface ScheduleOwner {
  /** Task queue of the runs that the schedules start. */
  readonly queue: string;
  /** Short name of the installation that applies the schedules: see toInstallationName. */
  readonly installation: string;
}

export function toDesiredSchedules(config: Config, owner: ScheduleOwner): DesiredSchedule[] {
  return Object.entries(config.runs).flatMap(([runName, run]) =>
    run.schedule === null ? [] : [toDesiredSchedule(config, { runName, run, schedule: run.schedule, ...owner })],
  );
}

interface ScheduledRun extends ScheduleOwner {
  readonly runName: string;
  readonly run: RunConfig;
  readonly schedule: ScheduleConfig;
}

function toDesiredSchedule(
  config: Config,
  { runName, run, schedule, queue, installation }: ScheduledRun,
): DesiredSchedule {
  const { calendars, every, startAt, endAt } = schedule;
  const plan = toRunPlan(config, runName, run);
  const reference: RunReference = { runName, digest: run.digest, start: 'scheduled', installation, announced: null };
  const spec = {
    calendars: calendars.map(toCalendarSpec),
    intervals: every === null ? [] : [{ every: every.milliseconds, offset: every.offsetMilliseconds }],
    timezone: schedule.timezone,
    jitter: schedule.jitterMilliseconds,
    ...(startAt === null ? {} : { startAt }),
    ...(endAt === null ? {} : { endAt }),
  };
  const action = {
    type: 'startWorkflow' as const,
    workflowType: 'runProspecting',
    workflowId: `run/${runName}/scheduled`,
    taskQueue: queue,
    args: [reference],
    staticSummary: describeRun(plan).staticSummary,
    staticDetails: describeScheduledRun(plan),
    memo: { [installationMemo]: installation },
    typedSearchAttributes: toRunAttributes(plan),
  };
  const policies = {
    overlap: overlapPolicies[schedule.overlap],
    catchupWindow: schedule.catchUpMilliseconds,
    pauseOnFailure: false,
  };
  const settings = toSettings({
    // As Temporal returns it: every calendar field as ranges.
    spec: decodeScheduleSpec(encodeScheduleSpec(spec)),
    action,
    policies,
    remainingActions: null,
    headerNames: [],
    keyIds: [config.temporal.encryption?.key.id ?? null],
  });
  const options: ScheduleOptions = {
    scheduleId: scheduleIdOf(runName),
    spec,
    action: { ...action, memo: { ...action.memo, [settingsMemo]: settingsDigest(settings) } },
    policies,
    typedSearchAttributes: [
      { key: kindAttribute, value: scheduleKind },
      { key: runAttribute, value: runName },
    ],
  };
  return { runName, schedule, settings, options };
}

/** Details in Markdown. They do not describe the order, because the configuration may change after the schedule was applied. */
function describeScheduledRun({ runName, kind, digest }: RunPlan): string {
  const entries: [string, string][] = [
    ['kind', kind],
    ['configuration', digest],
    ['order', 'as configured on the worker; see the child workflow “ordering/…”'],
  ];
  return `**${escapeMarkdown(`Run ${runName}, started by its schedule`)}**\n\n${toList(entries)}`;
}

const overlapPolicies: Readonly<Record<ScheduleConfig['overlap'], ScheduleOverlapPolicy>> = {
  skip: 'SKIP',
  buffer_one: 'BUFFER_ONE',
  buffer_all: 'BUFFER_ALL',
  cancel_other: 'CANCEL_OTHER',
  terminate_other: 'TERMINATE_OTHER',
  allow_all: 'ALLOW_ALL',
};
