/** Makes Temporal's schedules what the configuration says. What a plan calls unchanged is left alone. */
import type { Client, ScheduleOptions } from '@temporalio/client';
import { ScheduleError } from './error.ts';
import type { PlannedSchedule } from './plan.ts';

export async function applySchedules(client: Client, planned: readonly PlannedSchedule[]): Promise<void> {
  for (const each of planned) {
    await apply(client, each).catch((error: unknown) => {
      throw refused(each.runName, error);
    });
  }
}

async function apply(client: Client, planned: PlannedSchedule): Promise<void> {
  if (planned.status === 'unchanged') return;
  if (planned.status === 'delete') {
    await client.schedule.getHandle(planned.description.scheduleId).delete();
    return;
  }
  const { options } = planned.desired;
  if (planned.status === 'create') await client.schedule.create(options);
  else await replace(client, options);
}

/** Of what was there, only a person's pause and its note stay. */
async function replace(client: Client, { scheduleId, ...options }: ScheduleOptions): Promise<void> {
  await client.schedule.getHandle(scheduleId).update(({ state: { paused, note } }) => ({
    ...options,
    state: { paused, ...(note === undefined ? {} : { note }) },
  }));
}

/** The client's own message says only that it failed; the reason is the server's. */
function refused(runName: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const details = error.cause instanceof Error && 'details' in error.cause ? error.cause.details : undefined;
  const reason = typeof details === 'string' && details !== '' ? details : error.message;
  return new ScheduleError(`Temporal does not take the schedule of run ${runName}: ${reason}`, { cause: error });
}
