import type { Client } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { ScheduleError } from './error.ts';
import { getOwned } from './owned.ts';

export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/**
 * Starts a run for every time that the schedule has in the period, and returns these times, before jitter. Each places an
 * order of its own, one after another: the schedule's own overlap setting would mostly skip them.
 */
export async function backfillSchedule(client: Client, runName: string, { from, to }: Period): Promise<Date[]> {
  const { scheduleId } = await getOwned(client, runName);
  const { startTime } = await client.workflowService.listScheduleMatchingTimes({
    namespace: client.options.namespace,
    scheduleId,
    startTime: msToTs(from.getTime()),
    endTime: msToTs(to.getTime()),
  });
  const times = (startTime ?? []).map(({ seconds }) => new Date(Number(seconds ?? 0) * 1_000));
  if (times.length === 0)
    throw new ScheduleError(
      `the schedule of ${runName} has no time from ${from.toISOString()} to ${to.toISOString()}: nothing was started`,
    );
  await client.schedule.getHandle(scheduleId).backfill({ start: from, end: to, overlap: 'BUFFER_ALL' });
  return times;
}
