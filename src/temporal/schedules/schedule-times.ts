/** Lists the times of a schedule in a period, as Temporal calculates them. */
import type { Client } from '@temporalio/client';
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js';
import { ScheduleError } from './schedule-errors.ts';

export interface Period {
  readonly from: Date;
  readonly to: Date;
}

export interface ScheduledTime {
  /** The time of the calendar or interval; workflow ids contain it. */
  readonly time: Date;
  /** The time plus jitter. */
  readonly due: Date;
}

/** A schedule; `jitterMs` may be 0. */
export interface TimedSchedule {
  readonly scheduleId: string;
  readonly jitterMs: number;
}

const maxTimes = 1_000;
/** Larger numbers are not counted exactly. */
const maxCounted = 20_000;
const secondMs = 1_000;
/** Concurrent requests. */
const atOnce = 20;

/**
 * Ascending; both ends of the period are included. Times that are due after `now` are left out: the schedule will start
 * them. Throws if there are more than 1,000.
 */
export async function listTimes(
  client: Client,
  schedule: TimedSchedule,
  { from, to }: Period,
  now: Date,
): Promise<ScheduledTime[]> {
  const before = from.getTime() - 1; // Temporal excludes the start of a range
  const due = await listDue(client, schedule, { after: before, end: Math.min(to.getTime(), now.getTime()) });
  if (schedule.jitterMs > 0) {
    // The last time may be due after the period. Jitter never reaches the time that follows, so there is one at most.
    const end = Math.min(to.getTime() + schedule.jitterMs, now.getTime());
    due.push(...(await listPage(client, schedule, { after: due.at(-1) ?? before, end })).slice(0, 1));
  }
  if (due.length > maxTimes) throw tooManyTimes(due.length, { from, to });
  const times: ScheduledTime[] = [];
  for (let index = 0; index < due.length; index += atOnce)
    times.push(...(await Promise.all(due.slice(index, index + atOnce).map((each) => toTime(client, schedule, each)))));
  return times.filter(({ time }) => time <= to);
}

interface Range {
  readonly after: number;
  readonly end: number;
}

async function listDue(client: Client, schedule: TimedSchedule, { after, end }: Range): Promise<number[]> {
  const due: number[] = [];
  for (let last: number | undefined = after; last !== undefined && due.length <= maxCounted;) {
    const page = await listPage(client, schedule, { after: last, end });
    due.push(...page);
    last = page.at(-1);
  }
  return due;
}

/** Temporal returns at most 1,000 times. */
async function listPage(client: Client, { scheduleId }: TimedSchedule, { after, end }: Range): Promise<number[]> {
  const { startTime } = await client.workflowService.listScheduleMatchingTimes({
    namespace: client.options.namespace,
    scheduleId,
    startTime: msToTs(after),
    endTime: msToTs(end),
  });
  return startTime.map(tsToMs);
}

/** Temporal returns due times only. A range that starts at the time before jitter no longer contains them: bisect finds it. */
async function toTime(client: Client, schedule: TimedSchedule, due: number): Promise<ScheduledTime> {
  if (schedule.jitterMs === 0) return { time: new Date(due), due: new Date(due) };
  let before = Math.floor((due - schedule.jitterMs) / secondMs) - 1;
  let after = Math.floor(due / secondMs);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    const page = await listPage(client, schedule, { after: middle * secondMs, end: due });
    if (page.length === 0) after = middle;
    else before = middle;
  }
  return { time: new Date(after * secondMs), due: new Date(due) };
}

function tooManyTimes(count: number, { from, to }: Period): ScheduleError {
  const found = count > maxCounted ? `more than ${maxCounted.toLocaleString('en')}` : count.toLocaleString('en');
  return new ScheduleError(
    `the schedule has ${found} times from ${from.toISOString()} to ${to.toISOString()}, but a backfill starts at most ${maxTimes.toLocaleString('en')}. Nothing was started. Choose a shorter period.`,
  );
}
