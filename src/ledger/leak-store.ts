import { batchesOf, distinctBy } from './query-batches.ts';
import type { PositionRange } from './slots.ts';
import type { Database, Tables } from './tables.ts';

export type LeakRow = Omit<Tables['leaks'], 'orderId'>;
export type LeakVerdict = LeakRow['verdict'];

/** Returned companies that a blacklist names: at most one verdict a position. */
export function createLeakStore(db: Database) {
  return {
    /** The verdicts of an order, instead of those that were there. */
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

    /** By position, from `from` up to, not including, `to`. */
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
