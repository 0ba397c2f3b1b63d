import type { Database, OutcomeName } from './tables.ts';

export type OutcomeCounts = Record<OutcomeName, number>;
export type Tally = { companies: OutcomeCounts; contacts: OutcomeCounts };
type Scope = { orderId: string; sink: string; projectionId: string | undefined };

export async function tallyOutcomes(db: Database, { orderId, sink, projectionId }: Scope): Promise<Tally> {
  const rows = await db
    .selectFrom('outcomes')
    .select((eb) => ['item', 'outcome', eb.fn.countAll<number>().as('count')])
    .where('orderId', '=', orderId)
    .where('sink', '=', sink)
    .where('outcome', 'is not', null)
    .$if(projectionId !== undefined, (query) => query.where('projectionId', '=', projectionId ?? ''))
    .groupBy(['item', 'outcome'])
    .execute();
  const tally = { companies: zeroCounts(), contacts: zeroCounts() };
  for (const { item, outcome, count } of rows) {
    if (outcome !== null) tally[item === 'company' ? 'companies' : 'contacts'][outcome] += count;
  }
  return tally;
}

/** A slot without a row for its company counts once, and so does each row without an outcome. */
export async function countUnaccounted(db: Database, { orderId, sink, projectionId }: Scope): Promise<number> {
  const open = await db
    .selectFrom('outcomes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('orderId', '=', orderId)
    .where('sink', '=', sink)
    .where('outcome', 'is', null)
    .$if(projectionId !== undefined, (query) => query.where('projectionId', '=', projectionId ?? ''))
    .executeTakeFirstOrThrow();
  const missing = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('slots')
        .select('position')
        .where('orderId', '=', orderId)
        // Not a join: before the tables are analyzed, PostgreSQL compares each slot with each outcome (minutes).
        .except(
          eb
            .selectFrom('outcomes')
            .select('position')
            .where('orderId', '=', orderId)
            .where('sink', '=', sink)
            .where('item', '=', 'company')
            .$if(projectionId !== undefined, (query) => query.where('projectionId', '=', projectionId ?? '')),
        )
        .as('unknown'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return open.count + missing.count;
}

function zeroCounts(): OutcomeCounts {
  return { created: 0, updated: 0, unchanged: 0, skipped: 0, quarantined: 0, failed: 0 };
}
