import type { Client } from '@temporalio/client';
import { getManaged, type ManagedScheduleKey } from './managed-schedules.ts';

export interface Triggered {
  readonly run: string;
  /** `waiting`: it starts as soon as its overlap setting lets it. */
  readonly result: 'started' | 'skipped' | 'waiting';
  readonly workflow_id: string | null;
  readonly overlap: string;
}

/** Temporal has acted on a trigger within a fraction of a second. */
const maxPolls = 25;

/** With the overlap setting of the schedule: without one the client would have runs overlap. `pause` waits between two looks. */
export async function triggerSchedule(
  client: Client,
  schedule: ManagedScheduleKey,
  pause: () => Promise<void>,
): Promise<Triggered> {
  const before = await getManaged(client, schedule);
  const { overlap } = before.policies;
  await client.schedule.getHandle(before.scheduleId).trigger(overlap);
  const told = { run: schedule.runName, overlap: String(overlap).toLowerCase() };
  for (let look = 0; look < maxPolls; look += 1) {
    const { info } = await getManaged(client, schedule);
    const started = info.recentActions.at(-1)?.action.workflow.workflowId ?? null;
    if (info.numActionsTaken > before.info.numActionsTaken) return { ...told, result: 'started', workflow_id: started };
    if (info.numActionsSkippedOverlap > before.info.numActionsSkippedOverlap)
      return { ...told, result: 'skipped', workflow_id: null };
    await pause();
  }
  return { ...told, result: 'waiting', workflow_id: null };
}
