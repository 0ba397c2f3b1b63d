import { orderShapeSchema, type OrderShape } from '../service/reading/shape.ts';
import type { Database, Tables } from './tables.ts';
import { trimEndOf } from '../base/text/normalize-text.ts';
import type { Observation } from '../service/reading/answer-recorder.ts';
import type { RecordedObservation } from '../service/reading/find-drift.ts';
import { batchesOf, distinctBy } from './query-batches.ts';

export type ShapeRow = Tables['shapes'];

/** Where the answers of a service, or the results of an order, hold each field: names of fields, never values. */
export function createShapeStore(db: Database) {
  const shapes = {
    /** How results are read, and since when; null if nothing is learned. */
    async results(scope: string): Promise<(OrderShape & { readonly learntAt: string }) | null> {
      const row = await db
        .selectFrom('shapes')
        .selectAll()
        .where('scope', '=', scope)
        .where('operation', '=', resultsOperation)
        .executeTakeFirst();
      return row === undefined ? null : { ...orderShapeSchema.parse(JSON.parse(row.json)), learntAt: row.learntAt };
    },

    list(scope: string): Promise<ShapeRow[]> {
      return db.selectFrom('shapes').selectAll().where('scope', '=', scope).orderBy('operation').execute();
    },

    async save({ scope, operation, ...facts }: ShapeRow): Promise<void> {
      await db
        .insertInto('shapes')
        .values({ scope, operation, ...facts })
        .onConflict((conflict) => conflict.columns(['scope', 'operation']).doUpdateSet(facts))
        .execute();
    },

    /** @returns the number of deleted shapes */
    async forget(scope: string): Promise<number> {
      const { numDeletedRows } = await db.deleteFrom('shapes').where('scope', '=', scope).executeTakeFirst();
      return Number(numDeletedRows);
    },

    /** null until the results are collected. */
    ofOrder(orderId: string): Promise<OrderShape | null> {
      return shapes.results(orderScope(orderId));
    },
  };
  return shapes;
}

export const resultsOperation = 'listResults';

export function orderScope(orderId: string): string {
  return `order ${orderId}`;
}

/** Shapes are keyed by address, because answers do not name their organization. A ledger belongs to one organization. */
export function serviceScope(baseUrl: string): string {
  return `service ${trimEndOf(baseUrl, '/')} v1`;
}

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
