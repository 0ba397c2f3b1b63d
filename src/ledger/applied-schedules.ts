/** The schedules that this installation has in Temporal, by run, with what was last known of their pauses. */
import type { Database } from './tables.ts';

/** Schedules of one namespace that start runs on one task queue. */
export interface SchedulePlace {
  readonly namespace: string;
  readonly queue: string;
}

/** The note of the pause by run, which may be empty; null: the schedule was not paused. */
type KnownPauses = ReadonlyMap<string, string | null>;

export function createAppliedSchedules(db: Database) {
  return {
    async list({ namespace, queue }: SchedulePlace): Promise<KnownPauses> {
      const rows = await db
        .selectFrom('appliedSchedules')
        .select(['runName', 'pauseNote'])
        .where('namespace', '=', namespace)
        .where('queue', '=', queue)
        .execute();
      return new Map(rows.map(({ runName, pauseNote }) => [runName, pauseNote]));
    },

    /** Other schedules of the place are forgotten. */
    async replace({ namespace, queue }: SchedulePlace, pauses: KnownPauses): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom('appliedSchedules')
          .where('namespace', '=', namespace)
          .where('queue', '=', queue)
          .execute();
        for (const [runName, pauseNote] of pauses)
          await transaction.insertInto('appliedSchedules').values({ namespace, queue, runName, pauseNote }).execute();
      });
    },

    async save({ namespace, queue }: SchedulePlace, runName: string, pauseNote: string | null): Promise<void> {
      await db
        .insertInto('appliedSchedules')
        .values({ namespace, queue, runName, pauseNote })
        .onConflict((conflict) => conflict.columns(['namespace', 'queue', 'runName']).doUpdateSet({ pauseNote }))
        .execute();
    },

    async forget({ namespace, queue }: SchedulePlace, runName: string): Promise<void> {
      await db
        .deleteFrom('appliedSchedules')
        .where('namespace', '=', namespace)
        .where('queue', '=', queue)
        .where('runName', '=', runName)
        .execute();
    },
  };
}
