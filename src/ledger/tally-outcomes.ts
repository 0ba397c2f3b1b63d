/** The outcomes of an order in HubSpot, and their number. */
import { sql } from 'kysely';
import { emptyTally, type OutcomeTally } from './crm-outcomes.ts';
import { effectiveOutcome, isOfNewestPass } from './passes.ts';
import type { Database } from './tables.ts';

/** Value of the column `sink`, the destination of the outcomes. HubSpot is the only one. */
export const hubspotSink = 'hubspot';

/** The outcomes of an order in HubSpot, over all passes. */
export function selectOutcomes(db: Database, orderId: string) {
  return db.selectFrom('outcomes').where('orderId', '=', orderId).where('sink', '=', hubspotSink);
}

/** Number of items by outcome, combined over all passes of the order. */
export async function tallyOutcomes(
  db: Database,
  orderId: string,
): Promise<{ readonly companies: OutcomeTally; readonly contacts: OutcomeTally }> {
  const first = selectOutcomes(db, orderId).where('pass', '=', 1).where('outcome', 'is not', null);
  const repeated = selectOutcomes(db, orderId).select(['position', 'item']).distinct().where('pass', '>', 1);
  const newest = selectOutcomes(db, orderId)
    .where('pass', '>', 1)
    .where('outcome', 'is not', null)
    .where(isOfNewestPass);
  // Most items have one pass. One statement, so that no pass ends between the counts.
  const rows = await first
    .select(({ fn }) => ['item', 'outcome', fn.countAll<number>().as('count')])
    .groupBy(['item', 'outcome'])
    .unionAll(
      db
        .selectFrom(repeated.as('repeated'))
        .innerJoin('outcomes as first', (join) =>
          join
            .on('first.orderId', '=', orderId)
            .on('first.sink', '=', hubspotSink)
            .onRef('first.position', '=', 'repeated.position')
            .onRef('first.item', '=', 'repeated.item')
            .on('first.pass', '=', 1),
        )
        .select(['first.item', 'first.outcome'])
        .select(({ fn }) => sql<number>`-${fn.countAll()}`.as('count'))
        .where('first.outcome', 'is not', null)
        .groupBy(['first.item', 'first.outcome']),
    )
    .unionAll(
      db
        .selectFrom(newest.select((eb) => ['item', effectiveOutcome(eb).as('effective')]).as('newest'))
        .select(({ fn }) => ['item', 'effective as outcome', fn.countAll<number>().as('count')])
        .groupBy(['item', 'effective']),
    )
    .execute();
  const tally = { companies: { ...emptyTally }, contacts: { ...emptyTally } };
  for (const { item, outcome, count } of rows) {
    if (outcome !== null) tally[item === 'company' ? 'companies' : 'contacts'][outcome] += count;
  }
  return tally;
}
