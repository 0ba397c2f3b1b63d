import type { RecordOutcome } from './record-outcome.ts';
import type { Database } from './tables.ts';

export type OutcomeCounts = Record<RecordOutcome, number>;
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

function zeroCounts(): OutcomeCounts {
  return { created: 0, updated: 0, unchanged: 0, skipped: 0, quarantined: 0, failed: 0 };
}
