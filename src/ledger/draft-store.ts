import { companyRowSchema, type CompanyRow, type MatchingTier } from '../service/contract/index.ts';
import { digest } from '../base/json/canonical-json.ts';
import type { SourceCell } from '../base/spreadsheet/table.ts';
import type { StoredPaths } from './stored-paths.ts';
import { draftOfOrder } from './draft-of-order.ts';
import { decodeCells, sourceSchema, toEmptyCells, type DraftSource } from './draft-source.ts';
import { saveRejectedRows, type RejectedRow } from './rejected-rows.ts';
import type { Database } from './tables.ts';
import { indexCompanies } from './company-index.ts';
import { batchesOf, batchRows, pagesOf } from './query-batches.ts';
import { cellsNameForgotten } from './redaction/redact-row.ts';
import { namesForgotten } from './redaction/redact-slot.ts';
import { readStored } from './stored-value.ts';
import type { Tombstones } from './tombstones.ts';
import type { PositionRange } from './stored-slot.ts';

export interface DraftRow {
  readonly position: number;
  /** As the order submits it. */
  readonly company: CompanyRow;
  /** Number of the row in the user's file; null for a company of the CRM. */
  readonly sourceRow: number | null;
  /** All cells of that row in the order of the headers, from `encodeCells`; null for a company of the CRM. */
  readonly ownJson: string | null;
}

export interface RowOrigin {
  readonly sourceRow: number | null;
  readonly ownCells: readonly SourceCell[];
}

/** A row of the source that matches an exclusion, and is not submitted. */
export interface ExcludedRow {
  readonly sourceRow: number | null;
  /** As an order would submit it. */
  readonly company: CompanyRow;
  readonly exclusion: string;
  readonly tier: MatchingTier;
  /** The blacklist entry that it matches, and the reason of that entry; null if it has none. */
  readonly entryId: string;
  readonly reason: string | null;
}

/** The rows that an enrichment submits, stored once for each run, so that every retry sends the same bytes. */
export function createDraftStore(
  db: Database,
  { tombstones, paths }: { readonly tombstones: Tombstones; readonly paths: StoredPaths },
) {
  const toSource = (sourceJson: string): DraftSource =>
    withRejectsPath(
      readStored('the source of an order', () => sourceSchema.parse(JSON.parse(sourceJson))),
      paths.fromStored,
    );

  async function* streamJson(draftId: string): AsyncGenerator<string[]> {
    const read = (after: number) =>
      db
        .selectFrom('draftRows')
        .select(['position', 'json'])
        .where('draftId', '=', draftId)
        .where('position', '>', after)
        .orderBy('position')
        .limit(batchRows)
        .execute();
    for await (const rows of pagesOf(-1, ({ position }) => position, read)) yield rows.map(({ json }) => json);
  }

  return {
    /**
     * Saves rows, excluded and rejected rows, and source in one transaction, unless the draft exists. The other cells of a row that names a
     * forgotten person are left out; what is submitted stays.
     * @returns the stored source
     */
    save(
      draftId: string,
      rows: readonly DraftRow[],
      source: DraftSource,
      excluded: readonly ExcludedRow[] = [],
      rejected: readonly RejectedRow[] = [],
    ): Promise<DraftSource> {
      return db.transaction().execute(async (transaction) => {
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto('drafts')
          .values({
            draftId,
            rowCount: rows.length,
            sourceJson: JSON.stringify(withRejectsPath(source, paths.toStored)),
          })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows === 0n) {
          const stored = await selectSource(transaction, draftId).executeTakeFirstOrThrow();
          return toSource(stored.sourceJson);
        }
        const test = await tombstones.test(transaction);
        for (const chunk of batchesOf(rows)) {
          const stored = chunk.map(({ company, ownJson, ...row }) => {
            const json = JSON.stringify(company);
            const isForgotten = test !== null && ownJson !== null && cellsNameForgotten(ownJson, json, test);
            return { draftId, ...row, json, ownJson: isForgotten ? toEmptyCells(ownJson) : ownJson };
          });
          await transaction.insertInto('draftRows').values(stored).execute();
        }
        for (const chunk of batchesOf([...excluded.entries()])) {
          const stored = chunk.map(([number, { company, reason, ...row }]) => {
            const isErased = test !== null && namesForgotten([company, reason], test);
            const text = isErased ? { json: '{}', reason: null } : { json: JSON.stringify(company), reason };
            return { draftId, number, ...row, ...text };
          });
          await transaction.insertInto('excludedRows').values(stored).execute();
          const known = chunk.filter((_row, index) => stored[index]?.json !== '{}');
          await indexCompanies(
            transaction,
            'excluded_row',
            known.map(([number, { company }]) => ({
              ref: draftId,
              position: number,
              company: { name: company.company_name, website_url: company.website_url ?? null },
            })),
          );
        }
        await saveRejectedRows(transaction, draftId, rejected, test);
        return source;
      });
    },

    /** Rows in the order of their positions. @throws ZodError for an erased row, without which the draft is another one */
    async read(draftId: string): Promise<CompanyRow[]> {
      const rows = await db
        .selectFrom('draftRows')
        .select('json')
        .where('draftId', '=', draftId)
        .orderBy('position')
        .execute();
      return rows.map(({ json }) => companyRowSchema.parse(JSON.parse(json)));
    },

    /** Rows in the order of their positions, 500 at a time; null for one that was erased, or cannot be read. */
    async *stream(draftId: string): AsyncGenerator<(CompanyRow | null)[]> {
      for await (const rows of streamJson(draftId))
        yield rows.map((json) => companyRowSchema.safeParse(JSON.parse(json)).data ?? null);
    },

    /** SHA-256 of the canonical JSON of each row as it is stored, in hex, 500 at a time. */
    async *digests(draftId: string): AsyncGenerator<string[]> {
      for await (const rows of streamJson(draftId)) yield rows.map((json) => digest(JSON.parse(json)));
    },

    async count(draftId: string): Promise<number> {
      const draft = await db.selectFrom('drafts').select('rowCount').where('draftId', '=', draftId).executeTakeFirst();
      return draft?.rowCount ?? 0;
    },

    /** null without a draft. */
    async source(draftId: string): Promise<DraftSource | null> {
      const row = await selectSource(db, draftId).executeTakeFirst();
      return row === undefined ? null : toSource(row.sourceJson);
    },

    /** The draft of an order; null for an order without one. */
    async ofOrder(orderId: string): Promise<(DraftSource & { readonly draftId: string }) | null> {
      const row = await db
        .selectFrom(draftOfOrder(db).as('placed'))
        .innerJoin('drafts', 'drafts.draftId', 'placed.draftId')
        .select(['drafts.draftId', 'drafts.sourceJson'])
        .where('placed.orderId', '=', orderId)
        .executeTakeFirst();
      return row === undefined ? null : { draftId: row.draftId, ...toSource(row.sourceJson) };
    },

    /** The submitted rows of an order, by position; empty for an order that no run of this ledger placed. */
    async submittedRows(orderId: string, { from, to }: PositionRange): Promise<Map<number, CompanyRow>> {
      const rows = await db
        .selectFrom(draftOfOrder(db).as('placed'))
        .innerJoin('draftRows', 'draftRows.draftId', 'placed.draftId')
        .select(['draftRows.position', 'draftRows.json'])
        .where('placed.orderId', '=', orderId)
        .where('draftRows.position', '>=', from)
        .where('draftRows.position', '<', to)
        // The row was erased.
        .where('draftRows.json', '<>', '{}')
        .execute();
      return new Map(rows.map(({ position, json }) => [position, toCompanyRow(json)]));
    },

    /** Source rows by position; companies of the CRM are absent. */
    async origins(draftId: string, { from, to }: PositionRange): Promise<Map<number, RowOrigin>> {
      const rows = await db
        .selectFrom('draftRows')
        .select(['position', 'sourceRow', 'ownJson'])
        .where('draftId', '=', draftId)
        .where('position', '>=', from)
        .where('position', '<', to)
        .where('ownJson', 'is not', null)
        .execute();
      return new Map(
        rows.map(({ position, sourceRow, ownJson }) => [
          position,
          { sourceRow, ownCells: ownJson === null ? [] : decodeCells(ownJson) },
        ]),
      );
    },
  };
}

/** A row that cannot be read was changed in the ledger: every comparison with its slot fails. */
function toCompanyRow(json: string): CompanyRow {
  const row = companyRowSchema.safeParse(JSON.parse(json));
  return row.success ? row.data : { company_name: '' };
}

function selectSource(db: Database, draftId: string) {
  return db.selectFrom('drafts').select('sourceJson').where('draftId', '=', draftId);
}

function withRejectsPath({ report, headers }: DraftSource, convert: (path: string) => string): DraftSource {
  const { rejected } = report;
  if (rejected === undefined || rejected.file === null) return { report, headers };
  return { report: { ...report, rejected: { ...rejected, file: convert(rejected.file) } }, headers };
}
