import type { Client } from '@temporalio/client';
import { decodeTypedSearchAttributes } from '@temporalio/common/lib/converter/payload-search-attributes.js';
import proto from '@temporalio/proto';
import { planSchedules, type PlannedSchedule } from '../schedules/plan.ts';
import { findStarted } from '../schedules/started.ts';
import { outcomeAttribute } from '../search-attributes.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { withTemporal } from './schedule-session.ts';
import type { Terminal } from './terminal.ts';

export interface ListedSchedule {
  readonly run: string;
  /** `create`: not in Temporal yet; `delete`: no longer in the configuration. */
  readonly status: PlannedSchedule['status'];
  readonly paused: boolean;
  readonly note: string | null;
  readonly next: readonly string[];
  /** null: it has started nothing yet. */
  readonly last: LastStart | null;
}

interface LastStart {
  readonly workflow_id: string;
  readonly started_at: string;
  /** How it ended, or how it stands; `no longer kept` after Temporal's retention. */
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
  if (listed.length === 0) return 'no run has a schedule, and Temporal has none of ours';
  return listed.flatMap(toLines).join('\n');
}

function toLines({ run, status, paused, note, next, last }: ListedSchedule): string[] {
  const state = paused ? `paused${note ? `: ${note}` : ''}` : 'active';
  return [
    `${run}  ${status === 'create' ? 'not in Temporal yet: prospect-sync apply' : state}`,
    ...(next.length === 0 && status !== 'create' ? ['  next   never again'] : []),
    ...next.map((time, index) => `  ${(index === 0 ? 'next' : '').padEnd(6)} ${time}`),
    ...(last === null ? [] : [`  ${'last'.padEnd(6)} ${last.started_at}  ${last.outcome}  ${last.workflow_id}`]),
    ...(status === 'unchanged' || status === 'create' ? [] : [`  ${'differs'.padEnd(6)} ${differences[status]}`]),
  ];
}

const differences = {
  change: 'the configuration has changed since the last apply',
  drift: 'somebody has changed it in Temporal, or it cannot be read with the keys configured here',
  delete: 'the configuration has no schedule of that run any more',
} as const;

async function toListed(client: Client, planned: PlannedSchedule): Promise<ListedSchedule> {
  const { runName: run, status } = planned;
  if (planned.status === 'create') return { run, status, paused: false, note: null, next: [], last: null };
  const { state, info } = planned.description;
  return {
    run,
    status,
    paused: state.paused,
    note: state.note ?? null,
    next: info.nextActionTimes.slice(0, timesShown).map((time) => time.toISOString()),
    last: await findLast(client, planned.description.info.recentActions.at(-1)),
  };
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
  const found = await findStarted(client, workflowId);
  if (found === null) return 'no longer kept';
  const outcome = decodeTypedSearchAttributes(found.searchAttributes?.indexedFields).get(outcomeAttribute);
  const status = WorkflowExecutionStatus[found.status ?? 0] ?? '';
  return outcome ?? status.replace('WORKFLOW_EXECUTION_STATUS_', '').toLowerCase();
}
