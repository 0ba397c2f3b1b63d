/** Finds, lists and triggers managed schedules: those with our kind attribute that start runs on our task queue. Others are never changed. */
import { closestMatch } from '../../base/text/suggestions.ts';
import type { Client, ScheduleDescription } from '@temporalio/client';
import { kindAttribute, runAttribute } from '../search-attributes.ts';
import { describeSchedule } from './describe-schedule.ts';
import { scheduleIdOf, scheduleKind } from './desired-schedule.ts';
import { ScheduleError } from './schedule-errors.ts';

/** A namespace has at most one schedule for each run name. */
export interface ManagedScheduleKey {
  readonly runName: string;
  /** Task queue of this installation. */
  readonly queue: string;
}

/** null: there is none. @throws {ScheduleError} if the schedule of that id is not managed by this installation */
export async function findManaged(
  client: Client,
  { runName, queue }: ManagedScheduleKey,
): Promise<ScheduleDescription | null> {
  const description = await describeSchedule(client, scheduleIdOf(runName));
  if (description === null) return null;
  const { scheduleId, action } = description;
  if (!isManaged(description))
    throw new ScheduleError(
      `schedule ${scheduleId} already exists and was not created by prospect-sync. Nothing was changed. Delete it or rename the run.`,
    );
  if (action.taskQueue !== queue) throw toForeignQueueError(scheduleId, action.taskQueue, queue);
  return description;
}

/** Why Temporal lacks a schedule: this installation applied it; the configuration has it; or neither is known. */
export type MissingSchedule = 'deleted' | 'not applied' | 'unknown';

/** @throws {ScheduleError} if there is none, with what is known of it */
export async function getManaged(
  client: Client,
  { runName, queue }: ManagedScheduleKey,
  missing: MissingSchedule = 'unknown',
): Promise<ScheduleDescription> {
  const description = await findManaged(client, { runName, queue });
  if (description !== null) return description;
  if (missing === 'deleted')
    throw new ScheduleError(
      `The schedule of run ${runName} was deleted in Temporal since the last apply. To create it again, run: prospect-sync apply`,
    );
  if (missing === 'not applied')
    throw new ScheduleError(
      `The schedule of run ${runName} is in the configuration, but not in Temporal: it was not applied, or was deleted. To create it, run: prospect-sync apply`,
    );
  const known: string[] = [];
  for await (const each of listManaged(client, queue)) known.push(each.runName);
  const meant = closestMatch(runName, known);
  const hint = meant === null ? '' : ` Did you mean ${meant}?`;
  throw new ScheduleError(
    `Temporal has no schedule of run ${runName}.${hint} Managed schedules: ${known.toSorted().join(', ') || 'none'}. To create one, give the run a schedule in the configuration, then run: prospect-sync apply`,
  );
}

/** Temporal lists a new schedule only after up to a second. */
export async function* listManaged(
  client: Client,
  queue: string,
): AsyncIterable<{ runName: string; description: ScheduleDescription }> {
  // The query selects by the attribute alone: payloads of other schedules may be unreadable.
  for await (const { scheduleId } of client.schedule.list({ query: `${kindAttribute.name} = "${scheduleKind}"` })) {
    const description = await describeSchedule(client, scheduleId);
    const runName = description?.typedSearchAttributes.get(runAttribute);
    if (description === null || runName === undefined || scheduleId !== scheduleIdOf(runName)) continue;
    if (isManaged(description) && description.action.taskQueue === queue) yield { runName, description };
  }
}

function isManaged({ typedSearchAttributes }: ScheduleDescription): boolean {
  return typedSearchAttributes.get(kindAttribute) === scheduleKind;
}

function toForeignQueueError(scheduleId: string, foundQueue: string, ownQueue: string): ScheduleError {
  const remedy = `Rename the run, or give this installation its own namespace. If both installations are yours, delete the schedule first with TEMPORAL_TASK_QUEUE=${foundQueue}`;
  return new ScheduleError(
    `schedule ${scheduleId} belongs to another installation: it starts runs on task queue ${foundQueue}, not ${ownQueue}. A namespace has one schedule for each run name. Nothing was changed. ${remedy}.`,
  );
}

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
  while (isThisSecond(before.info.recentActions.at(-1)?.scheduledAt)) await pause();
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

/** Temporal names a run after the second of its start: two runs of one second would have the same workflow id. */
function isThisSecond(time: Date | undefined): boolean {
  return time !== undefined && Math.floor(time.getTime() / 1_000) === Math.floor(Date.now() / 1_000);
}
