import type { Backfill, Client, ScheduleDescription } from '@temporalio/client';
import { ScheduleError } from './schedule-errors.ts';
import { getManaged, type ManagedScheduleKey } from './managed-schedules.ts';
import { findStartedWorkflow } from './started-workflow.ts';
import { listTimes, type Period, type ScheduledTime } from './schedule-times.ts';

export interface BackfillRequest extends Period {
  /** `all`: also what has started already, which orders it again. */
  readonly which: 'open' | 'all';
  readonly now: Date;
}

/** Times before jitter. */
export interface BackfillResult {
  readonly started: readonly Date[];
  /** Those whose workflow there is already. */
  readonly leftOut: readonly Date[];
}

/** A start that comes later than this after its time was made up for. */
const onTimeMs = 60_000;
/** So many questions are asked at a time. */
const atOnce = 20;

/**
 * Starts a run for the times that the schedule has in the period and that have started none. Each places an order of its
 * own, one after another: the schedule's own overlap setting would mostly skip them.
 */
export async function backfillSchedule(
  client: Client,
  schedule: ManagedScheduleKey,
  { from, to, which, now }: BackfillRequest,
): Promise<BackfillResult> {
  const description = await getManaged(client, schedule);
  const { scheduleId, spec } = description;
  if (which === 'open') refuseWhileStartsWait(schedule.runName, description);
  const times = await listTimes(client, { scheduleId, jitterMs: spec.jitter ?? 0 }, { from, to }, now);
  if (times.length === 0)
    throw new ScheduleError(
      `the schedule of ${schedule.runName} has no time from ${from.toISOString()} to ${to.toISOString()}: nothing was started`,
    );
  const done = which === 'all' ? new Set<ScheduledTime>() : await findStartedTimes(client, description, times);
  const open = times.filter((each) => !done.has(each));
  if (open.length > 0) await client.schedule.getHandle(scheduleId).backfill(toRanges(times, done));
  return { started: open.map(({ time }) => time), leftOut: [...done].map(({ time }) => time) };
}

/**
 * What Temporal has accepted and not started yet has no workflow that would tell of it. Servers up to now tell how many
 * wait; the newer scheduler (1.31, off by default) does not, but what a backfill starts shows that there is one.
 */
function refuseWhileStartsWait(runName: string, { raw, info, spec }: ScheduleDescription): void {
  const remedy = 'ask again when none is left, or with --again start all the same. Nothing was started.';
  const waiting = Number(raw.info?.bufferSize ?? 0);
  if (waiting > 0)
    throw new ScheduleError(
      `accepted starts of ${runName} wait in Temporal until the run before has ended (${waiting}), those of an earlier backfill for example: ${remedy}`,
    );
  const running = new Set(info.runningActions.map(({ workflow }) => workflow.workflowId));
  const late = info.recentActions.find(
    ({ action, scheduledAt, takenAt }) =>
      running.has(action.workflow.workflowId) &&
      takenAt.getTime() - scheduledAt.getTime() > (spec.jitter ?? 0) + onTimeMs,
  );
  if (late !== undefined)
    throw new ScheduleError(
      `${late.action.workflow.workflowId} goes on, which an earlier backfill has started, and others may wait for it in Temporal: ${remedy}`,
    );
}

/**
 * Each begins with a time and ends when its last one is due; between two of them lies a time that is left out. Few, not
 * one a time: newer servers take 100 at once, and begin them in any order.
 */
function toRanges(times: readonly ScheduledTime[], done: ReadonlySet<ScheduledTime>): Backfill[] {
  const ranges: Backfill[] = [];
  let isOpen = false;
  for (const each of times) {
    const last = isOpen ? ranges.at(-1) : undefined;
    if (done.has(each)) isOpen = false;
    else if (last !== undefined) last.end = each.due;
    else {
      ranges.push({ start: each.time, end: each.due, overlap: 'BUFFER_ALL' });
      isOpen = true;
    }
  }
  return ranges;
}

async function findStartedTimes(
  client: Client,
  { action }: ScheduleDescription,
  times: readonly ScheduledTime[],
): Promise<Set<ScheduledTime>> {
  const done = new Set<ScheduledTime>();
  for (let index = 0; index < times.length; index += atOnce)
    await Promise.all(
      times.slice(index, index + atOnce).map(async (each) => {
        const id = `${action.workflowId}-${each.time.toISOString().replace('.000', '')}`;
        if ((await findStartedWorkflow(client, id)) !== null) done.add(each);
      }),
    );
  return new Set(times.filter((each) => done.has(each)));
}
