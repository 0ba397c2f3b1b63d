/** Makes Temporal's schedules what the configuration says. What a plan calls unchanged is left alone. */
import { isGrpcServiceError, type Client, type ScheduleDescription } from '@temporalio/client';
import {
  compileScheduleOptions,
  encodeScheduleAction,
  encodeSchedulePolicies,
  encodeScheduleSpec,
  encodeScheduleState,
} from '@temporalio/client/lib/schedule-helpers.js';
import { randomUUID } from 'node:crypto';
import type { DesiredSchedule } from './desired-schedule.ts';
import { diffSettings, readSettings } from './comparable-settings.ts';
import { ScheduleError, isUnavailable, reasonOf } from './schedule-errors.ts';
import { findManaged } from './managed-schedules.ts';
import { isDifferent, type PlannedSchedule } from './plan-schedules.ts';

/** Somebody who changes a schedule each time that it is replaced is a program. */
const attempts = 5;
/** gRPC's FAILED_PRECONDITION. */
const failedPrecondition = 9;

export async function applySchedules(client: Client, planned: readonly PlannedSchedule[]): Promise<void> {
  const different = planned.filter(isDifferent);
  for (const [index, each] of different.entries()) {
    await apply(client, each).catch((error: unknown) => {
      const names = different.map(({ runName }) => runName);
      throw toInterruptedError(error, each.runName, { done: names.slice(0, index), left: names.slice(index + 1) });
    });
  }
}

async function apply(client: Client, planned: PlannedSchedule): Promise<void> {
  if (planned.status === 'unchanged') return;
  if (planned.status === 'create') await client.schedule.create(planned.desired.options);
  else if (planned.status === 'delete') await client.schedule.getHandle(planned.description.scheduleId).delete();
  else await replace(client, planned.desired, planned.description);
}

/** Of what was there, only a person's pause and its note stay, also one that is set at this very moment. */
async function replace(client: Client, desired: DesiredSchedule, planned: ScheduleDescription): Promise<void> {
  const { runName, settings } = desired;
  let there = planned;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    await update(client, desired, there);
    const now = await findManaged(client, { runName, queue: settings['task queue'] });
    if (now === null) throw new ScheduleError(`somebody has deleted the schedule of run ${runName} meanwhile`);
    if (diffSettings(readSettings(now), settings).length === 0) return;
    there = now;
  }
  throw new ScheduleError(`somebody changes the schedule of run ${runName} each time that it is to be replaced`);
}

/** Without effect where the schedule is no longer as it was described: Temporal then ignores it, or refuses it. */
async function update(client: Client, { options }: DesiredSchedule, described: ScheduleDescription): Promise<void> {
  const { namespace, loadedDataConverter, identity } = client.options;
  const { spec, action, policies } = compileScheduleOptions(options);
  const { paused, note } = described.state;
  const { conflictToken } = described.raw;
  try {
    await client.workflowService.updateSchedule({
      namespace,
      scheduleId: options.scheduleId,
      schedule: {
        spec: encodeScheduleSpec(spec),
        action: await encodeScheduleAction(loadedDataConverter, namespace, action, {}),
        policies: encodeSchedulePolicies(policies),
        state: encodeScheduleState({ paused, ...(note === undefined ? {} : { note }) }),
      },
      conflictToken: conflictToken ?? null,
      requestId: randomUUID(),
      identity,
    });
  } catch (error) {
    const code: number | null = isGrpcServiceError(error) ? error.code : null;
    if (code !== failedPrecondition) throw error;
  }
}

/** What was done stays done: schedules do not hang together. */
function toInterruptedError(
  error: unknown,
  runName: string,
  { done, left }: { done: readonly string[]; left: readonly string[] },
): unknown {
  if (!(error instanceof Error)) return error;
  const unsure = isUnavailable(error) ? `; perhaps done: ${runName}` : '';
  const state = `Done before: ${done.join(', ') || 'nothing'}${unsure}; not tried: ${left.join(', ') || 'nothing'}`;
  const remedy = 'Put it right and run `prospect-sync apply` again: it goes on from here';
  return new ScheduleError(`${toCause(error, runName)}. ${state}. ${remedy}.`, { cause: error });
}

function toCause(error: Error, runName: string): string {
  if (error instanceof ScheduleError) return error.message;
  return isUnavailable(error)
    ? `Temporal cannot be reached any more (${reasonOf(error)})`
    : `Temporal does not take the schedule of run ${runName}: ${reasonOf(error)}`;
}
