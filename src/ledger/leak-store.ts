/** Leaks: companies of an order that the snapshots of its blacklists prove to be excluded. */
import { batchesOf, distinctBy } from './query-batches.ts';
import type { PositionRange } from './stored-slot.ts';
import type { Database, Tables } from './tables.ts';

export type LeakRow = Omit<Tables['leaks'], 'orderId'>;
export type LeakVerdict = LeakRow['verdict'];

/** Returned companies that a blacklist names, with at most one verdict for each position. */
export function createLeakStore(db: Database) {
  return {
    /** Replaces the verdicts of an order. */
    replace: (orderId: string, rows: readonly LeakRow[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('leaks').where('orderId', '=', orderId).execute();
        for (const chunk of batchesOf(distinctBy(rows, ({ position }) => String(position)))) {
          await transaction
            .insertInto('leaks')
            .values(chunk.map((row) => ({ orderId, ...row })))
            .execute();
        }
      }),

    /** Returns the verdicts by position. */
    async read(orderId: string, { from, to }: PositionRange): Promise<Map<number, Omit<LeakRow, 'position'>>> {
      const rows = await db
        .selectFrom('leaks')
        .select(['position', 'verdict', 'tier', 'entryId'])
        .where('orderId', '=', orderId)
        .where('position', '>=', from)
        .where('position', '<', to)
        .orderBy('position')
        .execute();
      return new Map(rows.map(({ position, ...leak }) => [position, leak]));
    },

    async tally(orderId: string): Promise<Record<LeakVerdict, number>> {
      const rows = await db
        .selectFrom('leaks')
        .select((eb) => ['verdict', eb.fn.countAll<number>().as('count')] as const)
        .where('orderId', '=', orderId)
        .groupBy('verdict')
        .execute();
      const counts = { LEAK: 0, LATE: 0, WEAK: 0 };
      for (const { verdict, count } of rows) counts[verdict] = count;
      return counts;
    },
  };
}
