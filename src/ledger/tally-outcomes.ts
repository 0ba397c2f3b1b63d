/** The outcomes of an order in HubSpot, and their number. */
import { sql } from 'kysely';
import { z } from 'zod';
import { emptyTally, outcomeNames, type OutcomeTally } from './crm-outcomes.ts';
import { effectiveOutcome, isOfNewestPass } from './passes.ts';
import { readStored } from './stored-value.ts';
import type { Database } from './tables.ts';

/** Value of the column `sink`, the destination of the outcomes. HubSpot is the only one. */
export const hubspotSink = 'hubspot';

/** The outcomes of an order in HubSpot, over all passes. */
export function selectOutcomes(db: Database, orderId: string) {
  return db.selectFrom('outcomes').where('orderId', '=', orderId).where('sink', '=', hubspotSink);
}

/** Number of items by outcome. */
export interface ItemTally {
  readonly companies: OutcomeTally;
  readonly contacts: OutcomeTally;
}

/** Combined over all passes of the order. Takes more than a second for an order of 100,000 rows. */
export async function tallyOutcomes(db: Database, orderId: string): Promise<ItemTally> {
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

const tallySchema = z.record(z.enum(outcomeNames), z.number());
const itemTallySchema = z.object({ companies: tallySchema, contacts: tallySchema }) satisfies z.ZodType<ItemTally>;

/** As `tallyOutcomes`, which is not repeated until an outcome of the order changes. */
export async function readKeptTally(db: Database, orderId: string): Promise<ItemTally> {
  const kept = await db
    .selectFrom('outcomeTallies')
    .select(['changes', 'tallyJson'])
    .where('orderId', '=', orderId)
    .executeTakeFirst();
  const tallyJson = kept?.tallyJson ?? null;
  if (tallyJson !== null)
    return readStored('the outcomes of an order', () => itemTallySchema.parse(JSON.parse(tallyJson)));
  const changes = kept?.changes ?? 0;
  const tally = await tallyOutcomes(db, orderId);
  const counted = { tallyJson: JSON.stringify(tally) };
  await db
    .insertInto('outcomeTallies')
    .values({ orderId, changes, ...counted })
    // An outcome that changed since may be missing from the count.
    .onConflict((conflict) =>
      conflict.column('orderId').doUpdateSet(counted).where('outcomeTallies.changes', '=', changes),
    )
    .execute();
  return tally;
}

/** Call in the transaction that changes outcomes, before the change, which another count then waits for. */
export async function discardTallies(db: Database, orderIds: readonly string[]): Promise<void> {
  // Sorted: two writers that lock rows in different orders deadlock.
  for (const orderId of [...new Set(orderIds)].toSorted())
    await db
      .insertInto('outcomeTallies')
      .values({ orderId, changes: 1, tallyJson: null })
      .onConflict((conflict) =>
        conflict
          .column('orderId')
          .doUpdateSet((eb) => ({ changes: eb('outcomeTallies.changes', '+', 1), tallyJson: null })),
      )
      .execute();
}
