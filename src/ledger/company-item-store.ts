/** The notes and tasks that rows of orders have on their companies: at most one of each. */
import type { PositionRange } from './stored-slot.ts';
import type { Database, Tables } from './tables.ts';

type CompanyItem = Tables['companyItems'];
export type CompanyItemKey = Pick<CompanyItem, 'orderId' | 'position' | 'item'>;

export function createCompanyItemStore(db: Database) {
  return {
    read: (orderId: string, { from, to }: PositionRange): Promise<CompanyItem[]> =>
      db
        .selectFrom('companyItems')
        .selectAll()
        .where('orderId', '=', orderId)
        .where('position', '>=', from)
        .where('position', '<', to)
        .execute(),

    /** Number of notes and tasks that the order created for these rows. */
    async tally(orderId: string, { from, to }: PositionRange): Promise<Record<CompanyItem['item'], number>> {
      const rows = await db
        .selectFrom('companyItems')
        .select(({ fn }) => ['item', fn.countAll<number>().as('count')])
        .where('orderId', '=', orderId)
        .where('position', '>=', from)
        .where('position', '<', to)
        .where('id', 'is not', null)
        .groupBy('item')
        .execute();
      return { note: 0, task: 0, ...Object.fromEntries(rows.map(({ item, count }) => [item, count])) };
    },

    /**
     * Notes that the item is about to be created, unless another attempt has noted it since `seen` was read.
     * @returns false when another attempt has
     */
    async claim(key: CompanyItemKey, { seen, at }: { seen: string | null; at: string }): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('companyItems')
        .values({ ...key, sentAt: at, id: null })
        .onConflict((conflict) =>
          conflict
            .columns(['orderId', 'position', 'item'])
            .doUpdateSet({ sentAt: at })
            .where('companyItems.sentAt', seen === null ? 'is' : '=', seen),
        )
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    /** Stores the id of the item; null if HubSpot rejected it. */
    async save(key: CompanyItemKey, id: string | null): Promise<void> {
      const found = id === null ? { sentAt: null, id: null } : { id };
      await db
        .insertInto('companyItems')
        .values({ ...key, sentAt: null, id })
        .onConflict((conflict) => conflict.columns(['orderId', 'position', 'item']).doUpdateSet(found))
        .execute();
    },
  };
}
