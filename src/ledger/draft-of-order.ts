import type { Database } from './tables.ts';

/** A draft has the run key as id; several requests of a run may have led to one order. */
export function draftOfOrder(db: Database) {
  return db
    .selectFrom('orderRequests')
    .select(({ fn }) => ['orderId', fn.max('runKey').as('draftId')])
    .where('orderId', 'is not', null)
    .groupBy('orderId');
}
