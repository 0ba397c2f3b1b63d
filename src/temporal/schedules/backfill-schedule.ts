import type { Backfill, Client, ScheduleDescription } from '@temporalio/client';
import { ScheduleError } from './schedule-errors.ts';
import { getManaged, type ManagedScheduleKey } from './managed-schedules.ts';
import { findStartedWorkflow } from './describe-schedule.ts';
import { listTimes, type Period, type ScheduledTime } from './schedule-times.ts';

export interface BackfillRequest extends Period {
  /** Whether runs may start although the schedule is paused. */
  readonly evenPaused: boolean;
  readonly now: Date;
}

/** Preview of a backfill. Times are before jitter. */
export interface BackfillPlan {
  readonly started: readonly Date[];
  /** Times whose workflow already exists. */
  readonly leftOut: readonly Date[];
  readonly isPaused: boolean;
}

export interface PlannedBackfill extends BackfillPlan {
  /**
   * Starts a run for each time of the plan. Each places its own order. They run one after another, since the overlap setting
   * of the schedule would skip most of them.
   * @throws {ScheduleError} if the plan no longer holds, for example because the user took long to confirm it
   */
  readonly start: () => Promise<void>;
}

/** A start that is later than this after its time comes from a backfill. */
const onTimeMs = 60_000;
/** Concurrent requests. */
const atOnce = 20;

/** Finds the times of the period that have not started a run. Starts nothing. */
export async function planBackfill(
  client: Client,
  schedule: ManagedScheduleKey,
  request: BackfillRequest,
): Promise<PlannedBackfill> {
  const { from, to, now } = request;
  const description = await getManaged(client, schedule);
  const { scheduleId, spec, state, info } = description;
  assertMayStart(schedule.runName, description, request);
  const times = await listTimes(client, { scheduleId, jitterMs: spec.jitter ?? 0 }, { from, to }, now);
  if (times.length === 0)
    throw new ScheduleError(
      `the schedule of ${schedule.runName} has no time from ${from.toISOString()} to ${to.toISOString()}. Nothing was started.`,
    );
  const leftOut = await findStartedTimes(client, description, times);
  const open = times.filter((each) => !leftOut.has(each));
  return {
    started: open.map(({ time }) => time),
    leftOut: [...leftOut].map(({ time }) => time),
    isPaused: state.paused,
    start: async () => {
      if (open.length === 0) return;
      const current = await getManaged(client, schedule);
      assertMayStart(schedule.runName, current, request);
      const startedSince = (await findStartedTimes(client, current, times)).size - leftOut.size;
      if (startedSince > 0 || current.info.lastUpdatedAt?.getTime() !== info.lastUpdatedAt?.getTime())
        throw new ScheduleError(
          `the schedule of ${schedule.runName} or its runs changed before the backfill was confirmed. Nothing was started. Repeat the command to see what it would start now.`,
        );
      await client.schedule.getHandle(scheduleId).backfill(toRanges(times, leftOut));
    },
  };
}

function assertMayStart(runName: string, description: ScheduleDescription, { evenPaused }: BackfillRequest): void {
  const { paused, note } = description.state;
  if (paused && !evenPaused)
    throw new ScheduleError(
      `the schedule of ${runName} is paused${note ? ` (${note})` : ''}, and a backfill starts its runs despite the pause. Nothing was started. Resume it with: prospect-sync schedule resume ${runName}, or add --paused to start them anyway.`,
    );
  refuseWhileStartsWait(runName, description);
}

/**
 * Starts that Temporal has accepted but still holds back have no workflow yet. Servers report their number; the newer
 * scheduler (1.31, off by default) does not, but a late start in progress shows that a backfill is under way.
 */
function refuseWhileStartsWait(runName: string, { raw, info, spec }: ScheduleDescription): void {
  const remedy = 'Nothing was started. Try again when they have ended.';
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
