import type { Backfill, Client, ScheduleDescription } from '@temporalio/client';
import { ScheduleError } from './schedule-errors.ts';
import { getManaged, type ManagedScheduleKey } from './managed-schedules.ts';
import { findStartedWorkflow } from './describe-schedule.ts';
import { listTimes, type Period, type ScheduledTime } from './schedule-times.ts';

export interface BackfillRequest extends Period {
  /** `all`: includes times that have already started, which orders them again. */
  readonly which: 'open' | 'all';
  readonly now: Date;
}

/** Times before jitter. */
export interface BackfillResult {
  readonly started: readonly Date[];
  /** Times whose workflow already exists. */
  readonly leftOut: readonly Date[];
}

/** A start that is later than this after its time comes from a backfill. */
const onTimeMs = 60_000;
/** Concurrent requests. */
const atOnce = 20;

/**
 * Starts a run for each time of the period that has not started one. Each places its own order. They run one after another,
 * since the overlap setting of the schedule would skip most of them.
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
      `the schedule of ${schedule.runName} has no time from ${from.toISOString()} to ${to.toISOString()}. Nothing was started.`,
    );
  const done = which === 'all' ? new Set<ScheduledTime>() : await findStartedTimes(client, description, times);
  const open = times.filter((each) => !done.has(each));
  if (open.length > 0) await client.schedule.getHandle(scheduleId).backfill(toRanges(times, done));
  return { started: open.map(({ time }) => time), leftOut: [...done].map(({ time }) => time) };
}

/**
 * Starts that Temporal has accepted but still holds back have no workflow yet. Servers report their number; the newer
 * scheduler (1.31, off by default) does not, but a late start in progress shows that a backfill is under way.
 */
function refuseWhileStartsWait(runName: string, { raw, info, spec }: ScheduleDescription): void {
  const remedy = 'Nothing was started. Try again when they have ended, or use --again to start anyway.';
  const waiting = Number(raw.info?.bufferSize ?? 0);
  if (waiting > 0)
    throw new ScheduleError(
      `${waiting} starts of ${runName} are waiting in Temporal for the run in progress, for example from an earlier backfill. ${remedy}`,
    );
  const running = new Set(info.runningActions.map(({ workflow }) => workflow.workflowId));
  const late = info.recentActions.find(
    ({ action, scheduledAt, takenAt }) =>
      running.has(action.workflow.workflowId) &&
      takenAt.getTime() - scheduledAt.getTime() > (spec.jitter ?? 0) + onTimeMs,
  );
  if (late !== undefined)
    throw new ScheduleError(
      `${late.action.workflow.workflowId} is in progress from an earlier backfill, and more starts may be waiting for it in Temporal. ${remedy}`,
    );
}

/**
 * Consecutive times form one range, from the first time to the due time of the last one. One range per time would exceed
 * the 100 that newer servers accept at once, and they start ranges in any order.
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
