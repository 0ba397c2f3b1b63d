/** Rows of an enrichment's source that break the contract and were left out, and the CSV file that lists them. */
import { cellsNameForgotten } from './redaction/redact-row.ts';
import type { IdentifierTest } from './redaction/identifiers.ts';
import type { SourceCell } from '../base/spreadsheet/table.ts';
import { decodeCells, toEmptyCells } from './draft-source.ts';
import { draftOfOrder } from './draft-of-order.ts';
import type { ForgetContext } from './erasure-context.ts';
import { batchesOf, batchRows, pagesOf } from './query-batches.ts';
import type { StoredPaths } from './stored-paths.ts';
import type { Database, Tables } from './tables.ts';

export interface RejectedRow {
  readonly sourceRow: number;
  /** Violations of the contract, without values. */
  readonly reasons: readonly string[];
  /** All cells of the row, from `encodeCells`. */
  readonly ownJson: string;
}

export interface ListedRejection {
  readonly sourceRow: number;
  readonly reasons: string;
  readonly ownCells: readonly SourceCell[];
}

export type RejectsFile = Tables['rejectFiles'];
type RejectedRows = readonly Tables['rejectedRows'][];

const erased = '{}';

/** The cells of a row that names a forgotten person are left out. */
export async function saveRejectedRows(
  db: Database,
  draftId: string,
  rows: readonly RejectedRow[],
  test: IdentifierTest | null,
): Promise<void> {
  const stored = rows.map(({ sourceRow, reasons, ownJson }, number) => {
    const isForgotten = test !== null && cellsNameForgotten(ownJson, null, test);
    const json = isForgotten ? (toEmptyCells(ownJson) ?? erased) : ownJson;
    return { draftId, number, sourceRow, reasons: reasons.join('; '), json };
  });
  for (const chunk of batchesOf(stored))
    await db
      .insertInto('rejectedRows')
      .values([...chunk])
      .execute();
}

export function createRejectedRows(db: Database, { toStored, fromStored }: StoredPaths) {
  const toFile = (row: RejectsFile): RejectsFile => ({ ...row, path: fromStored(row.path) });
  const files = async (): Promise<RejectsFile[]> =>
    (await db.selectFrom('rejectFiles').selectAll().orderBy('draftId').execute()).map(toFile);

  return {
    files,

    /** Rows in the order of the source, 500 at a time, without expired rows. */
    async *list(draftId: string): AsyncGenerator<ListedRejection[]> {
      for await (const rows of readRows(db, draftId))
        yield rows
          .filter(({ json }) => json !== erased)
          .map(({ sourceRow, reasons, json }) => ({ sourceRow, reasons, ownCells: decodeCells(json) }));
    },

    /** Rejected rows by order; orders without rejected rows are absent. */
    async countOf(orderIds: readonly string[]): Promise<Map<string, number>> {
      if (orderIds.length === 0) return new Map();
      const rows = await db
        .selectFrom(draftOfOrder(db).as('placed'))
        .innerJoin('rejectedRows', 'rejectedRows.draftId', 'placed.draftId')
        .select(({ fn }) => ['placed.orderId', fn.countAll<number>().as('count')])
        .where('placed.orderId', 'in', [...orderIds])
        .groupBy('placed.orderId')
        .execute();
      return new Map(rows.flatMap(({ orderId, count }) => (orderId === null ? [] : [[orderId, count] as const])));
    },

    async saveFile({ draftId, path, ...others }: RejectsFile): Promise<void> {
      const facts = { ...others, path: toStored(path) };
      await db
        .insertInto('rejectFiles')
        .values({ draftId, ...facts })
        .onConflict((conflict) => conflict.column('draftId').doUpdateSet(facts))
        .execute();
    },

    async file(draftId: string): Promise<RejectsFile | undefined> {
      const row = await db.selectFrom('rejectFiles').selectAll().where('draftId', '=', draftId).executeTakeFirst();
      return row === undefined ? undefined : toFile(row);
    },

    /** The paths of the files of these orders. */
    async filesOf(orderIds: readonly string[]): Promise<string[]> {
      if (orderIds.length === 0) return [];
      const rows = await db
        .selectFrom(draftOfOrder(db).as('placed'))
        .innerJoin('rejectFiles', 'rejectFiles.draftId', 'placed.draftId')
        .select('rejectFiles.path')
        .where('placed.orderId', 'in', [...orderIds])
        .execute();
      return rows.map(({ path }) => fromStored(path));
    },

    /** The paths of the files with a row that names one of the identifiers. */
    async filesNaming(test: IdentifierTest): Promise<string[]> {
      const paths: string[] = [];
      for (const { draftId, path } of await files()) if (await hasNaming(db, draftId, test)) paths.push(path);
      return paths;
    },

    async removeFile(draftId: string): Promise<void> {
      await db.deleteFrom('rejectFiles').where('draftId', '=', draftId).execute();
    },
  };
}

async function* readRows(db: Database, draftId: string): AsyncGenerator<RejectedRows> {
  const read = (after: number) =>
    db
      .selectFrom('rejectedRows')
      .selectAll()
      .where('draftId', '=', draftId)
      .where('number', '>', after)
      .orderBy('number')
      .limit(batchRows)
      .execute();
  yield* pagesOf(-1, ({ number }) => number, read);
}

/** The rows that name one of the identifiers, a page at a time. */
async function* readNaming(db: Database, draftId: string, test: IdentifierTest): AsyncGenerator<RejectedRows> {
  for await (const rows of readRows(db, draftId)) yield rows.filter(({ json }) => cellsNameForgotten(json, null, test));
}

async function hasNaming(db: Database, draftId: string, test: IdentifierTest): Promise<boolean> {
  for await (const rows of readNaming(db, draftId, test)) if (rows.length > 0) return true;
  return false;
}

export async function forgetRejectedRows({ db, test, preview }: ForgetContext): Promise<number> {
  let found = 0;
  for (const { draftId } of await db.selectFrom('rejectedRows').select('draftId').distinct().execute())
    for await (const forgotten of readNaming(db, draftId, test)) {
      found += forgotten.length;
      if (preview) continue;
      for (const { number, json } of forgotten)
        await db
          .updateTable('rejectedRows')
          .set({ json: toEmptyCells(json) ?? erased })
          .where('draftId', '=', draftId)
          .where('number', '=', number)
          .execute();
    }
  return found;
}
