/** Orders and files that `forget` or retention erased. */
import type { Database, Tables } from './tables.ts';

/** `erasing`: retention was interrupted, and continues. */
export type ErasureScope = Tables['erasedOrders']['scope'];
export type ErasedOrder = Tables['erasedOrders'];

/** Retention erases more than `forget`: its mark stays. */
export async function markErased(
  db: Database,
  orderId: string,
  scope: ErasureScope,
  at = new Date().toISOString(),
): Promise<void> {
  await db
    .insertInto('erasedOrders')
    .values({ orderId, scope, at })
    .onConflict((conflict) =>
      conflict
        .column('orderId')
        .doUpdateSet({ scope, at })
        .where('erasedOrders.scope', 'in', scope === 'people' ? ['people'] : ['people', 'erasing', 'order']),
    )
    .execute();
}

export function createErasedOrders(db: Database) {
  const ofOrder = (orderId: string): Promise<ErasedOrder | undefined> =>
    db.selectFrom('erasedOrders').selectAll().where('orderId', '=', orderId).executeTakeFirst();

  return {
    /** undefined: nothing of the order was erased. */
    ofOrder,

    /** `forget` has erased all tables: its marks get the time of its end, so that a task that has read in between sees another mark. */
    async finish(at: string, endedAt: string): Promise<void> {
      await db
        .updateTable('erasedOrders')
        .set({ at: endedAt })
        .where('scope', '=', 'people')
        .where('at', '=', at)
        .execute();
    },

    /** Repeats a task that writes what it has read from the ledger, until nothing of the order was erased during it. */
    async untilUnchanged<T>(orderId: string, task: () => Promise<T>): Promise<T> {
      for (;;) {
        const before = await ofOrder(orderId);
        const result = await task();
        const after = await ofOrder(orderId);
        if (before?.at === after?.at && before?.scope === after?.scope) return result;
      }
    },

    /** True when anything of the order was erased. */
    async has(orderId: string): Promise<boolean> {
      const row = db.selectFrom('erasedOrders').select('orderId').where('orderId', '=', orderId);
      return (await row.executeTakeFirst()) !== undefined;
    },

    list: (): Promise<ErasedOrder[]> => db.selectFrom('erasedOrders').selectAll().orderBy('orderId').execute(),

    /** Kinds of files and destinations of outputs that were erased. */
    async filesOf(orderId: string): Promise<Set<string>> {
      const rows = await db.selectFrom('erasedFiles').select('file').where('orderId', '=', orderId).execute();
      return new Set(rows.map(({ file }) => file));
    },

    async markFile(orderId: string, file: string, at: string): Promise<void> {
      await db
        .insertInto('erasedFiles')
        .values({ orderId, file, at })
        .onConflict((conflict) => conflict.columns(['orderId', 'file']).doUpdateSet({ at }))
        .execute();
    },
  };
}
