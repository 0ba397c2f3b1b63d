import type { Client } from '@temporalio/client';
import { getManaged, type ManagedScheduleKey } from './managed-schedules.ts';

export interface Triggered {
  readonly run: string;
  /** `waiting`: it starts as soon as the overlap setting allows. */
  readonly result: 'started' | 'skipped' | 'waiting';
  readonly workflow_id: string | null;
  readonly overlap: string;
}

/** Temporal usually acts on a trigger within a fraction of a second. */
const maxPolls = 25;

/** Uses the overlap setting of the schedule, since the default of the client lets runs overlap. `pause` waits between two polls. */
export async function triggerSchedule(
  client: Client,
  schedule: ManagedScheduleKey,
  pause: () => Promise<void>,
): Promise<Triggered> {
  const before = await getManaged(client, schedule);
  const { overlap } = before.policies;
  await client.schedule.getHandle(before.scheduleId).trigger(overlap);
  const answer = { run: schedule.runName, overlap: String(overlap).toLowerCase() };
  for (let poll = 0; poll < maxPolls; poll += 1) {
    const { info } = await getManaged(client, schedule);
    const started = info.recentActions.at(-1)?.action.workflow.workflowId ?? null;
    if (info.numActionsTaken > before.info.numActionsTaken)
      return { ...answer, result: 'started', workflow_id: started };
    if (info.numActionsSkippedOverlap > before.info.numActionsSkippedOverlap)
      return { ...answer, result: 'skipped', workflow_id: null };
    await pause();
  }
  return { ...answer, result: 'waiting', workflow_id: null };
}
