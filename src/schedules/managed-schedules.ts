/** Which schedules of a namespace are ours: those with our mark that start runs on our task queue. All others are never touched. */
import type { Client, ScheduleDescription } from '@temporalio/client';
import { kindAttribute, runAttribute } from '../temporal/search-attributes.ts';
import { describeSchedule } from './describe-schedule.ts';
import { scheduleIdOf, scheduleKind } from './desired-schedule.ts';
import { ScheduleError } from './schedule-errors.ts';

/** Of one name there is one schedule in a namespace. */
export interface ManagedScheduleKey {
  readonly runName: string;
  /** Task queue of this installation. */
  readonly queue: string;
}

/** null when there is none; an error when there is one of that id that is not this installation's. */
export async function findManaged(
  client: Client,
  { runName, queue }: ManagedScheduleKey,
): Promise<ScheduleDescription | null> {
  const description = await describeSchedule(client, scheduleIdOf(runName));
  if (description === null) return null;
  const { scheduleId, action } = description;
  if (!isManaged(description))
    throw new ScheduleError(
      `schedule ${scheduleId} exists and was not made by prospect-sync: delete it or rename the run. Nothing was changed.`,
    );
  if (action.taskQueue !== queue) throw toForeignQueueError(scheduleId, action.taskQueue, queue);
  return description;
}

export async function getManaged(client: Client, { runName, queue }: ManagedScheduleKey): Promise<ScheduleDescription> {
  const description = await findManaged(client, { runName, queue });
  if (description !== null) return description;
  const known: string[] = [];
  for await (const each of listManaged(client, queue)) known.push(each.runName);
  throw new ScheduleError(
    `Temporal has no schedule of run ${runName}; it has those of ${known.toSorted().join(', ') || 'none'}. \`prospect-sync apply\` makes what the configuration asks for.`,
  );
}

/** Ours, as far as Temporal lists them: one that was made just now is missing for up to a second. */
export async function* listManaged(
  client: Client,
  queue: string,
): AsyncIterable<{ runName: string; description: ScheduleDescription }> {
  // Asked for by the mark alone, so that nothing of the others has to be readable.
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

function toForeignQueueError(scheduleId: string, theirs: string, ours: string): ScheduleError {
  const remedy = `rename the run, or give this installation a namespace of its own (or, where both are yours, delete it first with TEMPORAL_TASK_QUEUE=${theirs})`;
  return new ScheduleError(
    `schedule ${scheduleId} starts runs on task queue ${theirs}, not on ours, ${ours}: another installation has it. A run's name is taken in the whole namespace: ${remedy}. Nothing was changed.`,
  );
}
