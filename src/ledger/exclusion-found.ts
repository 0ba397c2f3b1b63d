import { batchesOf, distinctBy } from './query-batches.ts';
import { clearTable } from './exclusion-staging.ts';
import type { Database } from './tables.ts';

/** `json`: the record's properties where the scan had them; records that are only named are read later. */
export type FoundRow = { recordId: string; source: string; json: string | null };

const recordsPerPage = 100;
/** A record stands here once for each source that names it: so many are expected at most. */
const rowsPerPage = 1_000;

/** Staging of one scan: which CRM companies were found, and by which source. */
export function createExclusionsFound(db: Database) {
  return {
    add: (syncId: string, rows: readonly FoundRow[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of batchesOf(distinctBy(rows, ({ recordId, source }) => `${recordId} ${source}`))) {
          await transaction
            .insertInto('exclusionsFound')
            .values(chunk.map(({ recordId, source, json }) => ({ syncId, recordId, source, json })))
            .onConflict((conflict) =>
              conflict
                .columns(['syncId', 'recordId', 'source'])
                .doUpdateSet((eb) => ({ json: eb.ref('excluded.json') })),
            )
            .execute();
        }
      }),

    /** Whole records, by id, at most 100 a page. */
    async *records(syncId: string): AsyncGenerator<Map<string, FoundRow[]>> {
      let after = '';
      for (;;) {
        const rows = await readRows(db, syncId, after);
        const records = toRecords(rows);
        const last = [...records.keys()].at(-1);
        if (last === undefined) return;
        yield records;
        after = last;
      }
    },

    clear: (syncId: string): Promise<void> => clearTable(db, 'exclusionsFound', syncId),
  };
}

function readRows(db: Database, syncId: string, after: string): Promise<FoundRow[]> {
  return db
    .selectFrom('exclusionsFound')
    .select(['recordId', 'source', 'json'])
    .where('syncId', '=', syncId)
    .where('recordId', '>', after)
    .orderBy('recordId')
    .orderBy('source')
    .limit(rowsPerPage)
    .execute();
}

/** The record at the end of a full page may go on behind it, and waits for the next page. */
function toRecords(rows: readonly FoundRow[]): Map<string, FoundRow[]> {
  const records = Map.groupBy(rows, ({ recordId }) => recordId);
  const last = rows.at(-1);
  if (rows.length === rowsPerPage && last !== undefined && records.size > 1) records.delete(last.recordId);
  return new Map([...records].slice(0, recordsPerPage));
}
