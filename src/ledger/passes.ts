/** Passes of an order: each delivery, retry or repair that writes its outcomes. They are numbered from 1. */
import { sql, type ExpressionBuilder } from 'kysely';
import type { OutcomeName } from './crm-outcomes.ts';
import { distinctBy } from './query-batches.ts';
import type { Database, Tables } from './tables.ts';

type PassOf = Pick<Tables['outcomes'], 'orderId' | 'projectionId'>;
export type Passes = (row: PassOf) => number;

/** Opens the pass of each row. @throws RangeError from the returned function for a row that was not given */
export async function openPasses(db: Database, rows: readonly PassOf[]): Promise<Passes> {
  const toKey = ({ orderId, projectionId }: PassOf) => `${orderId} ${projectionId}`;
  const numbers = new Map<string, number>();
  for (const row of distinctBy(rows, toKey)) numbers.set(toKey(row), await openPass(db, row));
  return (row) => {
    const number = numbers.get(toKey(row));
    if (number === undefined) throw new RangeError('the pass of an outcome was not opened');
    return number;
  };
}

/** The number of the pass with this projection; a new one follows the last pass of the order. */
async function openPass(db: Database, { orderId, projectionId }: PassOf): Promise<number> {
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

/** The outcomes of the same item in all its passes, as `other`. */
function passesOfItem(eb: OutcomeExpressions) {
  return eb
    .selectFrom('outcomes as other')
    .select('other.pass')
    .whereRef('other.orderId', '=', 'outcomes.orderId')
    .whereRef('other.sink', '=', 'outcomes.sink')
    .whereRef('other.position', '=', 'outcomes.position')
    .whereRef('other.item', '=', 'outcomes.item');
}

/** True for the outcome of the newest pass over an item. */
export function isOfNewestPass(eb: OutcomeExpressions) {
  return eb.not(eb.exists(passesOfItem(eb).whereRef('other.pass', '>', 'outcomes.pass')));
}

/** True if an earlier pass had another record for the item. */
export function replacesRecord(eb: OutcomeExpressions) {
  return eb.exists(
    passesOfItem(eb)
      .whereRef('other.pass', '<', 'outcomes.pass')
      .whereRef('other.recordId', '!=', 'outcomes.recordId')
      .where('other.outcome', 'in', ['created', 'updated', 'unchanged']),
  );
}

/** The outcome over all passes up to this one: a record that an earlier pass created counts as created. */
export function effectiveOutcome(eb: OutcomeExpressions) {
  const hasOther = (outcome: OutcomeName) =>
    eb.exists(
      passesOfItem(eb)
        // Without it, PostgreSQL reads the outcomes of all orders into a hash table.
        .whereRef('other.pass', '<', 'outcomes.pass')
        .whereRef('other.recordId', '=', 'outcomes.recordId')
        .where('other.outcome', '=', outcome),
    );
  return eb
    .case()
    .when(eb.and([eb('outcomes.outcome', 'in', ['unchanged', 'updated']), hasOther('created')]))
    .then(sql.lit<OutcomeName>('created'))
    .when(eb.and([eb('outcomes.outcome', '=', 'unchanged'), hasOther('updated')]))
    .then(sql.lit<OutcomeName>('updated'))
    .else(eb.ref('outcomes.outcome'))
    .end();
}
