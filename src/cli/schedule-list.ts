import type { Client } from '@temporalio/client';
import { decodeTypedSearchAttributes } from '@temporalio/common/lib/converter/payload-search-attributes.js';
import proto from '@temporalio/proto';
import { toTimezone } from '../calendar/timezones.ts';
import { hasEnded } from '../calendar/schedule-has-ended.ts';
import { planSchedules, type PlannedSchedule } from '../schedules/plan-schedules.ts';
import { findStartedWorkflow } from '../schedules/started-workflow.ts';
import { outcomeAttribute } from '../temporal/workflow-ids.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { withTemporal } from './schedule-session.ts';
import type { Terminal } from './terminal.ts';
import { toPrintable } from '../text/printable-text.ts';

export interface ListedSchedule {
  readonly run: string;
  /** `create`: not in Temporal yet; `delete`: no longer in the configuration. */
  readonly status: PlannedSchedule['status'];
  readonly paused: boolean;
  readonly note: string | null;
  /** Of calendars; the times here are UTC. null: not in Temporal yet. */
  readonly timezone: string | null;
  /** Empty while it is paused. */
  readonly next: readonly string[];
  readonly never_fires_again: boolean;
  /** null: it has not started a run yet. */
  readonly last: LastStart | null;
}

interface LastStart {
  readonly workflow_id: string;
  readonly started_at: string;
  /** Outcome or status of the run; `no longer kept` after the retention of Temporal. */
  readonly outcome: string;
}

const timesShown = 5;
const { WorkflowExecutionStatus } = proto.temporal.api.enums.v1;

export async function list(terminal: Terminal, options: GlobalOptions): Promise<ListedSchedule[]> {
  const config = await readConfiguration(options.config, terminal.env);
  return withTemporal(terminal, options, async ({ client, queue }) => {
    const planned = await planSchedules(client, config, queue);
    return Promise.all(planned.map((each) => toListed(client, each)));
  });
}

export function toListText(listed: readonly ListedSchedule[]): string {
  if (listed.length === 0) return 'no run has a schedule, and there are no managed schedules in Temporal';
  return listed.flatMap(toLines).map(toPrintable).join('\n');
}

function toLines(listed: ListedSchedule): string[] {
  const { run, status, timezone, next, last } = listed;
  const zone = timezone === null || timezone === 'UTC' ? null : timezone;
  const toZoned = (time: string) => (zone === null ? time : `${time}  (${toLocalTime(time, zone)})`);
  return [
    `${run}  ${status === 'create' ? 'not in Temporal yet. Create it with: prospect-sync apply' : toState(listed)}`,
    ...next.map((time, index) => `  ${(index === 0 ? 'next' : '').padEnd(6)} ${toZoned(time)}`),
    ...(last === null ? [] : [`  ${'last'.padEnd(6)} ${last.started_at}  ${last.outcome}  ${last.workflow_id}`]),
    ...(status === 'unchanged' || status === 'create' ? [] : [`  ${'differs'.padEnd(6)} ${differences[status]}`]),
  ];
}

function toState({ paused, note, never_fires_again: isEnded }: ListedSchedule): string {
  const end = isEnded ? 'ended: no start times left; schedule trigger still works' : null;
  if (!paused) return end ?? 'active';
  return `paused${note ? `: ${note}` : ''}${end === null ? '' : ` (${end})`}`;
}

function toLocalTime(time: string, zone: string): string {
  // A user may have set a timezone in Temporal that this machine does not know.
  if (toTimezone(zone) === null) return zone;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  return `${format.format(new Date(time))} ${zone}`;
}

const differences = {
  change: 'the configuration has changed since the last apply',
  drift: 'changed in Temporal since the last apply, or unreadable with the configured keys',
  delete: 'the configuration no longer has a schedule for this run',
} as const;

async function toListed(client: Client, planned: PlannedSchedule): Promise<ListedSchedule> {
  const { runName: run, status } = planned;
  if (planned.status === 'create') {
    const isEnded = hasEnded(planned.desired.schedule, new Date());
    return { run, status, paused: false, note: null, timezone: null, next: [], never_fires_again: isEnded, last: null };
  }
  const { spec, state, info } = planned.description;
  // For a paused schedule Temporal keeps the times that followed the pause, even when they have passed.
  const next = state.paused ? [] : info.nextActionTimes.slice(0, timesShown).map((time) => time.toISOString());
  return {
    run,
    status,
    paused: state.paused,
    note: state.note ?? null,
    timezone: spec.timezone || 'UTC',
    next,
    never_fires_again: isEnded(planned),
    last: await findLast(client, info.recentActions.at(-1)),
  };
}

/** By the schedule in Temporal, which may differ from the configuration. Of a paused one Temporal shows no next times. */
function isEnded(planned: Exclude<PlannedSchedule, { status: 'create' }>): boolean {
  const { state, info } = planned.description;
  if (!state.paused) return info.nextActionTimes.length === 0;
  return planned.status === 'unchanged' && hasEnded(planned.desired.schedule, new Date());
}

type RecentAction = Exclude<PlannedSchedule, { status: 'create' }>['description']['info']['recentActions'][number];

async function findLast(client: Client, recent: RecentAction | undefined): Promise<LastStart | null> {
  if (recent === undefined) return null;
  const { workflowId } = recent.action.workflow;
  return {
    workflow_id: workflowId,
    started_at: recent.takenAt.toISOString(),
    outcome: await findOutcome(client, workflowId),
  };
}

async function findOutcome(client: Client, workflowId: string): Promise<string> {
  const found = await findStartedWorkflow(client, workflowId);
  if (found === null) return 'no longer kept';
  const outcome = decodeTypedSearchAttributes(found.searchAttributes?.indexedFields).get(outcomeAttribute);
  const status = WorkflowExecutionStatus[found.status ?? 0] ?? '';
  return outcome ?? status.replace('WORKFLOW_EXECUTION_STATUS_', '').toLowerCase();
}
