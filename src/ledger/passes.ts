/** Passes of an order: each delivery, retry or repair that writes its outcomes. They are numbered from 1. */
import { sql, type ExpressionBuilder } from 'kysely';
import type { OutcomeName } from '../mapping/crm-outcomes.ts';
import type { Database, Tables } from './tables.ts';

/** The number of the pass with this projection; a new one follows the last pass of the order. */
export async function openPass(db: Database, orderId: string, projectionId: string): Promise<number> {
  for (;;) {
    const known = await db
      .selectFrom('passes')
      .select('number')
      .where('orderId', '=', orderId)
      .where('projectionId', '=', projectionId)
      .executeTakeFirst();
    if (known !== undefined) return known.number;
    // Another process may take the number at the same time: then nothing is inserted, and the next round reads again.
    await db
      .insertInto('passes')
      .columns(['orderId', 'number', 'projectionId'])
      .expression((eb) =>
        eb
          .selectFrom('passes')
          .select((select) => [
            sql<string>`${orderId}`.as('orderId'),
            sql<number>`${select.fn.coalesce(select.fn.max('number'), sql.lit(0))} + 1`.as('number'),
            sql<string>`${projectionId}`.as('projectionId'),
          ])
          .where('orderId', '=', orderId),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

type OutcomeExpressions = ExpressionBuilder<Tables, 'outcomes'>;

/** True for the outcome of the newest pass over an item. */
export function isOfNewestPass(eb: OutcomeExpressions) {
  return eb.not(
    eb.exists(
      eb
        .selectFrom('outcomes as newer')
        .select('newer.pass')
        .whereRef('newer.orderId', '=', 'outcomes.orderId')
        .whereRef('newer.sink', '=', 'outcomes.sink')
        .whereRef('newer.position', '=', 'outcomes.position')
        .whereRef('newer.item', '=', 'outcomes.item')
        .whereRef('newer.pass', '>', 'outcomes.pass'),
    ),
  );
}

/** True where an earlier pass had another record for the item. */
export function replacesRecord(eb: OutcomeExpressions) {
  return eb.exists(
    eb
      .selectFrom('outcomes as earlier')
      .select('earlier.pass')
      .whereRef('earlier.orderId', '=', 'outcomes.orderId')
      .whereRef('earlier.sink', '=', 'outcomes.sink')
      .whereRef('earlier.position', '=', 'outcomes.position')
      .whereRef('earlier.item', '=', 'outcomes.item')
      .whereRef('earlier.pass', '<', 'outcomes.pass')
      .whereRef('earlier.recordId', '!=', 'outcomes.recordId')
      .where('earlier.outcome', 'in', ['created', 'updated', 'unchanged']),
  );
}

/** What the order did to the record in all its passes: a record that an earlier pass created counts as created. */
export function effectiveOutcome(eb: OutcomeExpressions) {
  const hasEarlier = (outcome: OutcomeName) =>
    eb.exists(
      eb
        .selectFrom('outcomes as earlier')
        .select('earlier.pass')
        .whereRef('earlier.orderId', '=', 'outcomes.orderId')
        .whereRef('earlier.sink', '=', 'outcomes.sink')
        .whereRef('earlier.position', '=', 'outcomes.position')
        .whereRef('earlier.item', '=', 'outcomes.item')
        .whereRef('earlier.recordId', '=', 'outcomes.recordId')
        .where('earlier.outcome', '=', outcome),
    );
  return eb
    .case()
    .when(eb.and([eb('outcomes.outcome', 'in', ['unchanged', 'updated']), hasEarlier('created')]))
    .then(sql.lit<OutcomeName>('created'))
    .when(eb.and([eb('outcomes.outcome', '=', 'unchanged'), hasEarlier('updated')]))
    .then(sql.lit<OutcomeName>('updated'))
    .else(eb.ref('outcomes.outcome'))
    .end();
}
