import { chunksOf } from './chunks.ts';
import type { Database } from './tables.ts';

export type DraftRow = { position: number; json: string };

/** What an enrichment order submits: written once a run, so that every retry sends the same bytes. */
export function createDrafts(db: Database) {
  return {
    /** Keeps the rows if there are none yet under this id, all or nothing. Returns how many are kept: the first ones. */
    save(draftId: string, rows: readonly DraftRow[]): Promise<number> {
      return db.transaction().execute(async (transaction) => {
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto('drafts')
          .values({ draftId, rowCount: rows.length })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows === 0n) return countRows(transaction, draftId);
        for (const chunk of chunksOf(rows)) {
          const values = chunk.map(({ position, json }) => ({ draftId, position, json }));
          await transaction.insertInto('draftRows').values(values).execute();
        }
        return rows.length;
      });
    },

    /** In the order of the positions. */
    async read(draftId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('draftRows')
        .select('json')
        .where('draftId', '=', draftId)
        .orderBy('position')
        .execute();
      return rows.map((row) => row.json);
    },

    count: (draftId: string): Promise<number> => countRows(db, draftId),
  };
}

async function countRows(db: Database, draftId: string): Promise<number> {
  const draft = await db.selectFrom('drafts').select('rowCount').where('draftId', '=', draftId).executeTakeFirst();
  return draft?.rowCount ?? 0;
}
