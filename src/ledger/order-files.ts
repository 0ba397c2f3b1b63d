/** The files of an order: spreadsheets that prospect-sync writes, and outputs that the service makes. */
import { fileContentSchema, type FileContent } from '../base/spreadsheet/file-content.ts';
import type { StoredPaths } from './stored-paths.ts';
import type { Database, Tables } from './tables.ts';

export type OrderFileRow = Omit<Tables['files'], 'contentJson'> & {
  /** null for files of leaks. */
  readonly content: FileContent | null;
};

export type FormerFile = Tables['formerFiles'];

/** `found`: what a table has now; its path becomes a former one. Paths are as stored. */
export async function keepFormerPath(
  db: Database,
  orderId: string,
  found: { readonly path: string | null; readonly sha256: string | null } | undefined,
  path: string | null,
): Promise<void> {
  if (found !== undefined && found.path !== null && found.sha256 !== null && found.path !== path) {
    const { sha256 } = found;
    await db
      .insertInto('formerFiles')
      .values({ orderId, path: found.path, sha256 })
      .onConflict((conflict) => conflict.columns(['orderId', 'path']).doUpdateSet({ sha256 }))
      .execute();
  }
  if (path !== null)
    await db.deleteFrom('formerFiles').where('orderId', '=', orderId).where('path', '=', path).execute();
}

/** The spreadsheets of an order, one of each kind. */
export function createFileStore(db: Database, { toStored, fromStored }: StoredPaths) {
  return {
    async save({ orderId, kind, path, rows, bytes, sha256, writtenAt, content }: OrderFileRow): Promise<void> {
      const contentJson = content === null ? null : JSON.stringify(content);
      const facts = { path: toStored(path), rows, bytes, sha256, writtenAt, contentJson };
      await db.transaction().execute(async (transaction) => {
        const ofKind = transaction.selectFrom('files').where('orderId', '=', orderId).where('kind', '=', kind);
        await keepFormerPath(
          transaction,
          orderId,
          await ofKind.select(['path', 'sha256']).executeTakeFirst(),
          facts.path,
        );
        await transaction
          .insertInto('files')
          .values({ orderId, kind, ...facts })
          .onConflict((conflict) => conflict.columns(['orderId', 'kind']).doUpdateSet(facts))
          .execute();
        await transaction.deleteFrom('erasedFiles').where('orderId', '=', orderId).where('file', '=', kind).execute();
      });
    },

    /** Files and outputs at paths where the order no longer writes them, as after another `directory`. An erasure finds them there. */
    async former(orderId: string): Promise<FormerFile[]> {
      const rows = await db
        .selectFrom('formerFiles')
        .selectAll()
        .where('orderId', '=', orderId)
        .orderBy('path')
        .execute();
      return rows.map((row) => ({ ...row, path: fromStored(row.path) }));
    },

    /** Adds a copy that a person has asked for. An erasure finds it. */
    async addFormer({ orderId, path, sha256 }: FormerFile): Promise<void> {
      await keepFormerPath(db, orderId, { path: toStored(path), sha256 }, null);
    },

    async removeFormer({ orderId, path }: FormerFile): Promise<void> {
      const stored = toStored(path);
      await db.deleteFrom('formerFiles').where('orderId', '=', orderId).where('path', '=', stored).execute();
    },

    async list(orderId: string): Promise<OrderFileRow[]> {
      const rows = await db.selectFrom('files').selectAll().where('orderId', '=', orderId).orderBy('kind').execute();
      return rows.map(({ contentJson, ...row }) => {
        const content = contentJson === null ? null : fileContentSchema.parse(JSON.parse(contentJson));
        return { ...row, path: fromStored(row.path), content };
      });
    },
  };
}

export type OutputRow = Tables['outputs'];

/** The latest state of each output that the service makes for an order, by destination. */
export function createOutputStore(db: Database, { toStored, fromStored }: StoredPaths) {
  const toRow = (row: OutputRow): OutputRow => ({ ...row, path: row.path === null ? null : fromStored(row.path) });

  return {
    async save({ orderId, destination, path, ...others }: OutputRow): Promise<void> {
      const facts = { ...others, path: path === null ? null : toStored(path) };
      await db.transaction().execute(async (transaction) => {
        const ofDestination = transaction
          .selectFrom('outputs')
          .where('orderId', '=', orderId)
          .where('destination', '=', destination);
        await keepFormerPath(
          transaction,
          orderId,
          await ofDestination.select(['path', 'sha256']).executeTakeFirst(),
          facts.path,
        );
        await transaction
          .insertInto('outputs')
          .values({ orderId, destination, ...facts })
          .onConflict((conflict) => conflict.columns(['orderId', 'destination']).doUpdateSet(facts))
          .execute();
      });
    },

    async get(orderId: string, destination: string): Promise<OutputRow | undefined> {
      const row = await db
        .selectFrom('outputs')
        .selectAll()
        .where('orderId', '=', orderId)
        .where('destination', '=', destination)
        .executeTakeFirst();
      return row === undefined ? undefined : toRow(row);
    },

    async list(orderId: string): Promise<OutputRow[]> {
      const rows = await db
        .selectFrom('outputs')
        .selectAll()
        .where('orderId', '=', orderId)
        .orderBy('destination')
        .execute();
      return rows.map(toRow);
    },
  };
}
