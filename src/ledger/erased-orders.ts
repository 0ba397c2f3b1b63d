/** Which orders lost data by `forget` or retention, and which of their files. */
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
  return {
    /** undefined: nothing of the order was erased. */
    ofOrder: (orderId: string): Promise<ErasedOrder | undefined> =>
      db.selectFrom('erasedOrders').selectAll().where('orderId', '=', orderId).executeTakeFirst(),

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
