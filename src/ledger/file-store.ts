import type { Database, Tables } from './tables.ts';

export type FileRow = Tables['files'];

/** The spreadsheets that were written for an order: one of each kind. */
export function createFileStore(db: Database) {
  return {
    async save({ orderId, kind, path, rows, bytes, sha256, writtenAt, contentJson }: FileRow): Promise<void> {
      const facts = { path, rows, bytes, sha256, writtenAt, contentJson };
      await db
        .insertInto('files')
        .values({ orderId, kind, ...facts })
        .onConflict((conflict) => conflict.columns(['orderId', 'kind']).doUpdateSet(facts))
        .execute();
    },

    list(orderId: string): Promise<FileRow[]> {
      return db.selectFrom('files').selectAll().where('orderId', '=', orderId).orderBy('kind').execute();
    },
  };
}
