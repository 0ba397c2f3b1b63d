import type { Observation } from '../service/reading/answer-recorder.ts';
import type { RecordedObservation } from '../service/reading/find-drift.ts';
import { batchesOf, distinctBy } from './query-batches.ts';
import type { Database } from './tables.ts';

/** The shapes of all answers of a service: names of fields, types, codes and versions, never other values. */
export function createAnswerShapeStore(db: Database) {
  return {
    list(scope: string): Promise<RecordedObservation[]> {
      return db
        .selectFrom('answerShapes')
        .select(['operation', 'kind', 'path', 'detail', 'firstSeenAt', 'lastSeenAt'])
        .where('scope', '=', scope)
        .orderBy('operation')
        .orderBy('path')
        .execute();
    },

    /** Adds observations. A known observation only gets a new `lastSeenAt`. */
    async save(scope: string, observations: readonly Observation[]): Promise<void> {
      const rows = distinctBy(observations, ({ operation, kind, path, detail }) =>
        JSON.stringify([operation, kind, path, detail]),
      ).map(({ seenAt, ...facts }) => ({ ...facts, scope, firstSeenAt: seenAt, lastSeenAt: seenAt }));
      for (const batch of batchesOf(rows)) {
        await db
          .insertInto('answerShapes')
          .values(batch)
          .onConflict((conflict) =>
            conflict
              .columns(['scope', 'operation', 'kind', 'path', 'detail'])
              .doUpdateSet((row) => ({ lastSeenAt: row.ref('excluded.lastSeenAt') }))
              .whereRef('answerShapes.lastSeenAt', '<', 'excluded.lastSeenAt'),
          )
          .execute();
      }
    },
  };
}
