import type { Client, ScheduleDescription } from '@temporalio/client';
import { ScheduleError } from './error.ts';
import { getOwned, type RunOfQueue } from './owned.ts';
import { findStarted } from './started.ts';
import { listTimes, type Period, type ScheduledTime } from './times.ts';

export interface BackfillRequest extends Period {
  /** `all`: also what has started already, which orders it again. */
  readonly which: 'open' | 'all';
  readonly now: Date;
}

/** Times before jitter. */
export interface Backfilled {
  readonly started: readonly Date[];
  /** Those whose workflow there is already. */
  readonly leftOut: readonly Date[];
}

/** So many questions are asked at a time. */
const atOnce = 20;

/**
 * Starts a run for the times that the schedule has in the period and that have started none. Each places an order of its
 * own, one after another: the schedule's own overlap setting would mostly skip them.
 */
export async function backfillSchedule(
  client: Client,
  schedule: RunOfQueue,
  { from, to, which, now }: BackfillRequest,
): Promise<Backfilled> {
  const description = await getOwned(client, schedule);
  const { scheduleId, spec } = description;
  if (which === 'open') refuseWaiting(schedule.runName, description);
  const times = await listTimes(client, { scheduleId, jitterMs: spec.jitter ?? 0 }, { from, to }, now);
  if (times.length === 0)
    throw new ScheduleError(
      `the schedule of ${schedule.runName} has no time from ${from.toISOString()} to ${to.toISOString()}: nothing was started`,
    );
  const done = which === 'all' ? new Set<ScheduledTime>() : await findDone(client, description, times);
  const open = times.filter((each) => !done.has(each));
  if (open.length > 0)
    // From its time until it is due: no other time of the schedule lies between.
    await client.schedule
      .getHandle(scheduleId)
      .backfill(open.map(({ time, due }) => ({ start: time, end: due, overlap: 'BUFFER_ALL' })));
  return { started: open.map(({ time }) => time), leftOut: [...done].map(({ time }) => time) };
}

/** What Temporal has accepted and not started yet has no workflow: whether it is among the times cannot be told. */
function refuseWaiting(runName: string, { raw }: ScheduleDescription): void {
  const waiting = Number(raw.info?.bufferSize ?? 0);
  if (waiting === 0) return;
  throw new ScheduleError(
    `${waiting} accepted starts of ${runName} wait in Temporal until the run before has ended, those of an earlier backfill for example: ask again when none waits, or with --again start all the same. Nothing was started.`,
  );
}

async function findDone(
  client: Client,
  { action }: ScheduleDescription,
  times: readonly ScheduledTime[],
): Promise<Set<ScheduledTime>> {
  const done = new Set<ScheduledTime>();
  for (let index = 0; index < times.length; index += atOnce)
    await Promise.all(
      times.slice(index, index + atOnce).map(async (each) => {
        const id = `${action.workflowId}-${each.time.toISOString().replace('.000', '')}`;
        if ((await findStarted(client, id)) !== null) done.add(each);
      }),
    );
  return new Set(times.filter((each) => done.has(each)));
}
