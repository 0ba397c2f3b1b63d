/** Applies planned changes to the schedules in Temporal. */
import { withSentence } from '../../base/text/normalize-text.ts';
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
import { ScheduleError, isUnavailable, reasonOfTemporal } from './schedule-errors.ts';
import { findManaged } from './managed-schedules.ts';
import { isDifferent, type PlannedSchedule } from './plan-schedules.ts';

/** After this many concurrent changes another program probably manages the schedule too. */
const maxAttempts = 5;
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
  if (!('description' in planned)) await client.schedule.create(planned.desired.options);
  else if (planned.status === 'delete') await client.schedule.getHandle(planned.description.scheduleId).delete();
  else if ('desired' in planned) await replace(client, planned);
}

type Replaced = Extract<PlannedSchedule, { endedPause: string | null }>;

/** Replaces everything except a manual pause and its note, including one that a user sets at the same time. Restores a pause that a drift ended. */
async function replace(client: Client, { status, desired, description, endedPause }: Replaced): Promise<void> {
  const { runName, settings } = desired;
  const restoredPause = status === 'drift' ? endedPause : null;
  let current = description;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    await update(client, desired, current, restoredPause);
    const now = await findManaged(client, { runName, queue: settings['task queue'] });
    if (now === null) throw new ScheduleError(`the schedule of run ${runName} was deleted during the update`);
    const isPaused = restoredPause === null || now.state.paused;
    if (isPaused && diffSettings(readSettings(now), settings).length === 0) return;
    current = now;
  }
  throw new ScheduleError(
    `the schedule of run ${runName} was changed by someone else during each of ${maxAttempts} updates`,
  );
}

/** Has no effect if the schedule has changed since it was described: Temporal then ignores or rejects the update. */
async function update(
  client: Client,
  { options }: DesiredSchedule,
  described: ScheduleDescription,
  restoredPause: string | null,
): Promise<void> {
  const { namespace, loadedDataConverter, identity } = client.options;
  const { spec, action, policies } = compileScheduleOptions(options);
  const { paused, note } =
    described.state.paused || restoredPause === null ? described.state : { paused: true, note: restoredPause };
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

/** Changes that were applied stay: schedules are independent. */
function toInterruptedError(
  error: unknown,
  runName: string,
  { done, left }: { done: readonly string[]; left: readonly string[] },
): unknown {
  if (!(error instanceof Error)) return error;
  const uncertain = isUnavailable(error) ? `; possibly applied: ${runName}` : '';
  const state = `Applied: ${done.join(', ') || 'none'}${uncertain}; not tried: ${left.join(', ') || 'none'}`;
  const remedy = 'Correct the cause, then run `prospect-sync apply` again to apply the rest';
  return new ScheduleError(withSentence(toCause(error, runName), `${state}. ${remedy}.`), { cause: error });
}

function toCause(error: Error, runName: string): string {
  if (error instanceof ScheduleError) return error.message;
  return isUnavailable(error)
    ? `Temporal is unavailable: ${reasonOfTemporal(error)}`
    : `Temporal rejected the schedule of run ${runName}: ${reasonOfTemporal(error)}`;
}
