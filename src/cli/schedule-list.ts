/** `schedule list`: the schedules in Temporal with their next and last starts. */
import type { Client } from '@temporalio/client';
import { decodeTypedSearchAttributes } from '@temporalio/common/lib/converter/payload-search-attributes.js';
import proto from '@temporalio/proto';
import { toTimezone } from '../config/calendar/timezones.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import type { Check } from '../hubspot/portal-checks.ts';
import { findStartedWorkflow } from '../temporal/schedules/describe-schedule.ts';
import { isDifferent, toPausedState, type PlannedSchedule } from '../temporal/schedules/plan-schedules.ts';
import { outcomeAttribute } from '../temporal/search-attributes.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { toListedSchedule, type LastStart, type ListedSchedule } from './documents/schedule-document.ts';
import { noSchedules, planUnchanged } from './schedule-plan.ts';
import type { Terminal } from './terminal.ts';
import { withTemporal } from './with-runtime.ts';

const { WorkflowExecutionStatus } = proto.temporal.api.enums.v1;

export async function list(terminal: Terminal, options: GlobalOptions): Promise<ListedSchedule[]> {
  const config = await readConfiguration(options.config, terminal.env);
  return withTemporal(terminal, options, async (session) => {
    const planned = await planUnchanged(terminal, options, session, config);
    return Promise.all(
      planned.map(async (each) => toListedSchedule(each, await findLastStart(session.client, each), new Date())),
    );
  });
}

export function toListText(listed: readonly ListedSchedule[]): string {
  return listed.length === 0 ? noSchedules : listed.flatMap(toListLines).map(toPrintable).join('\n');
}

const differenceTexts: Readonly<Record<PlannedSchedule['status'], string | null>> = {
  create: 'not in Temporal yet',
  gone: 'deleted in Temporal since the last apply',
  unchanged: null,
  change: 'the configuration has changed since the last apply',
  drift: 'changed in Temporal since the last apply, or unreadable with the configured keys',
  delete: 'the configuration no longer has a schedule for this run',
  other: 'the configuration has no schedule for this run; another installation applied it, or it is unreadable',
};

/** Of `doctor`. */
export function checkPlanned(planned: readonly PlannedSchedule[]): Check {
  const pending = planned
    .filter(isDifferent)
    .map(({ runName, status }) => `${runName}: ${differenceTexts[status] ?? status}`);
  if (pending.length === 0) return { check: 'schedules', state: 'ok', message: 'Temporal matches the configuration' };
  const message = `${pending.join('; ')}. To see the changes that prospect-sync apply makes, run: prospect-sync plan`;
  return { check: 'schedules', state: 'warning', message };
}

function toListLines(listed: ListedSchedule): string[] {
  const { run, status, timezone, next, last } = listed;
  const difference = differenceTexts[status];
  const isAbsent = status === 'create' || status === 'gone';
  const zone = timezone === null || timezone === 'UTC' ? null : timezone;
  const toZoned = (time: string) => (zone === null ? time : `${time}  (${toLocalTime(time, zone)})`);
  return [
    `${run}  ${isAbsent ? `${difference}. Create it ${status === 'gone' ? 'again ' : ''}with: prospect-sync apply` : toState(listed)}`,
    ...next.map((time, index) => `  ${(index === 0 ? 'next' : '').padEnd(6)} ${toZoned(time)}`),
    ...(last === null ? [] : [`  ${'last'.padEnd(6)} ${last.started_at}  ${last.outcome}  ${last.workflow_id}`]),
    ...(difference === null || isAbsent ? [] : [`  ${'differs'.padEnd(6)} ${difference}`]),
  ];
}

function toState({ paused, note, never_fires_again: isEnded }: ListedSchedule): string {
  const end = isEnded ? 'ended: no start times left; schedule trigger still works' : null;
  if (!paused) return end ?? 'active';
  return `${toPausedState(note ?? '')}${end === null ? '' : ` (${end})`}`;
}

function toLocalTime(time: string, zone: string): string {
  // A user may have set a timezone in Temporal that this machine does not know.
  if (toTimezone(zone) === null) return zone;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  return `${format.format(new Date(time))} ${zone}`;
}

async function findLastStart(client: Client, planned: PlannedSchedule): Promise<LastStart | null> {
  const recent = 'description' in planned ? planned.description.info.recentActions.at(-1) : undefined;
  if (recent === undefined) return null;
  const { workflowId } = recent.action.workflow;
  const outcome = await findOutcome(client, workflowId);
  return { workflow_id: workflowId, started_at: recent.takenAt.toISOString(), outcome };
}

async function findOutcome(client: Client, workflowId: string): Promise<string> {
  const found = await findStartedWorkflow(client, workflowId);
  if (found === null) return 'no longer kept';
  const outcome = decodeTypedSearchAttributes(found.searchAttributes?.indexedFields).get(outcomeAttribute);
  const status = WorkflowExecutionStatus[found.status ?? 0] ?? '';
  return outcome ?? status.replace('WORKFLOW_EXECUTION_STATUS_', '').toLowerCase();
}
