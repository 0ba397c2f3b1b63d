/** Which schedules of a namespace are ours: those with our mark. All others are never touched. */
import { ScheduleNotFoundError, type Client, type ScheduleDescription } from '@temporalio/client';
import { kindAttribute, runAttribute } from '../search-attributes.ts';
import { scheduleIdOf, scheduleKind } from './desired.ts';
import { ScheduleError } from './error.ts';

/** null when there is none; an error when there is one of that id which this program has not made. */
export async function findOwned(client: Client, runName: string): Promise<ScheduleDescription | null> {
  const description = await describe(client, scheduleIdOf(runName));
  if (description === null || isOurs(description)) return description;
  throw new ScheduleError(
    `schedule ${description.scheduleId} exists and was not made by prospect-sync: delete it or rename the run. Nothing was changed.`,
  );
}

export async function getOwned(client: Client, runName: string): Promise<ScheduleDescription> {
  const description = await findOwned(client, runName);
  if (description !== null) return description;
  const known: string[] = [];
  for await (const each of listOwned(client)) known.push(each.runName);
  throw new ScheduleError(
    `Temporal has no schedule of run ${runName}; it has those of ${known.toSorted().join(', ') || 'none'}. \`prospect-sync apply\` makes what the configuration asks for.`,
  );
}

/** Ours, as far as Temporal lists them: one that was made just now is missing for up to a second. */
export async function* listOwned(client: Client): AsyncIterable<{ runName: string; description: ScheduleDescription }> {
  // Asked for by the mark alone, so that nothing of the others has to be readable.
  for await (const { scheduleId } of client.schedule.list({ query: `${kindAttribute.name} = "${scheduleKind}"` })) {
    const description = await describe(client, scheduleId);
    const runName = description?.typedSearchAttributes.get(runAttribute);
    if (description === null || runName === undefined || scheduleId !== scheduleIdOf(runName)) continue;
    if (isOurs(description)) yield { runName, description };
  }
}

async function describe(client: Client, scheduleId: string): Promise<ScheduleDescription | null> {
  try {
    return await client.schedule.getHandle(scheduleId).describe();
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  }
}

function isOurs({ typedSearchAttributes }: ScheduleDescription): boolean {
  return typedSearchAttributes.get(kindAttribute) === scheduleKind;
}
