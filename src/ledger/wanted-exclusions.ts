import { z } from 'zod';
import { entryInputSchema, type EntryInput } from '../service/contract/index.ts';
import { countStagedRows, hashesBetween } from './exclusion-staging.ts';
import type { Database } from './tables.ts';
import { batchesOf, distinctBy } from './query-batches.ts';

/** A CRM company that a source names. `properties`: null where the source has not read them. */
export type FoundCompany = {
  recordId: string;
  source: string;
  properties: Readonly<Record<string, string | null>> | null;
};

/** `matchKey`: equal for all entries of one company (entry-identity.ts). `externalId`: '' if there is none. */
export type WantedEntry = { hash: string; entry: EntryInput; matchKey: string; externalId: string; strength: number };

export type AdditionsPage = { limit: number; after?: string };

const recordsPerPage = 100;
/** A record has one row for each source that names it. */
const foundRowsPerPage = 1_000;
const comparedAtOnce = 5_000;
const propertiesSchema = z.record(z.string(), z.string().nullable());
const wantedColumns = ['hash', 'json', 'matchKey', 'externalId', 'strength'] as const;

/** Staging of one scan: the CRM companies that the sources name, the wanted entries, and the wanted entries that the blacklist lacks. */
export function createWantedExclusions(db: Database) {
  return {
    addFound: (syncId: string, companies: readonly FoundCompany[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of batchesOf(distinctBy(companies, ({ recordId, source }) => `${recordId} ${source}`))) {
          await transaction
            .insertInto('exclusionsFound')
            .values(
              chunk.map(({ recordId, source, properties }) => {
                return { syncId, recordId, source, json: properties === null ? null : JSON.stringify(properties) };
              }),
            )
            .onConflict((conflict) =>
              conflict
                .columns(['syncId', 'recordId', 'source'])
                .doUpdateSet((eb) => ({ json: eb.ref('excluded.json') })),
            )
            .execute();
        }
      }),

    /** All rows of each found record, by record id, at most 100 records a page. */
    async *foundRecords(syncId: string): AsyncGenerator<Map<string, FoundCompany[]>> {
      let after = '';
      for (;;) {
        const records = groupCompleteRecords(await readFound(db, syncId, after));
        const last = [...records.keys()].at(-1);
        if (last === undefined) return;
        yield records;
        after = last;
      }
    },

    /** Stores entries, and replaces those with the same hash. */
    addWanted: (syncId: string, entries: readonly WantedEntry[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of batchesOf(distinctBy(entries, ({ hash }) => hash))) {
          await transaction
            .insertInto('exclusionsWanted')
            .values(chunk.map(({ entry, ...facts }) => ({ syncId, json: JSON.stringify(entry), ...facts })))
            .onConflict((conflict) =>
              conflict.columns(['syncId', 'hash']).doUpdateSet((eb) => ({
                json: eb.ref('excluded.json'),
                matchKey: eb.ref('excluded.matchKey'),
                externalId: eb.ref('excluded.externalId'),
                strength: eb.ref('excluded.strength'),
              })),
            )
            .execute();
        }
      }),

    /** The wanted entries of these companies, by hash. */
    async readWanted(syncId: string, matchKeys: readonly string[]): Promise<WantedEntry[]> {
      const entries: WantedEntry[] = [];
      for (const chunk of batchesOf(distinctBy(matchKeys, String))) {
        const rows = await db
          .selectFrom('exclusionsWanted')
          .select(wantedColumns)
          .where('syncId', '=', syncId)
          .where('matchKey', 'in', chunk)
          .orderBy('hash')
          .execute();
        entries.push(...rows.map(toWantedEntry));
      }
      return entries;
    },

    removeWanted: (syncId: string, hashes: readonly string[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of batchesOf(distinctBy(hashes, String))) {
          await transaction
            .deleteFrom('exclusionsWanted')
            .where('syncId', '=', syncId)
            .where('hash', 'in', chunk)
            .execute();
        }
      }),

    countWanted: (syncId: string): Promise<number> => countStagedRows(db, 'exclusionsWanted', syncId),

    async hasWanted(syncId: string): Promise<boolean> {
      const row = await db
        .selectFrom('exclusionsWanted')
        .select('hash')
        .where('syncId', '=', syncId)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Wanted entries that the blacklist lacks, by hash. `after`: the last hash of the previous page. */
    async listAdditions(syncId: string, { limit, after = '' }: AdditionsPage): Promise<WantedEntry[]> {
      const missing: string[] = [];
      for await (const hashes of missingHashes(db, syncId, after)) {
        missing.push(...hashes);
        if (missing.length >= limit) break;
      }
      return readByHash(db, syncId, missing.slice(0, limit));
    },

    async countAdditions(syncId: string): Promise<number> {
      let count = 0;
      for await (const hashes of missingHashes(db, syncId, '')) count += hashes.length;
      return count;
    },
  };
}

function toWantedEntry({ json, ...facts }: Omit<WantedEntry, 'entry'> & { readonly json: string }): WantedEntry {
  return { entry: entryInputSchema.parse(JSON.parse(json)), ...facts };
}

async function readFound(db: Database, syncId: string, after: string): Promise<FoundCompany[]> {
  const rows = await db
    .selectFrom('exclusionsFound')
    .select(['recordId', 'source', 'json'])
    .where('syncId', '=', syncId)
    .where('recordId', '>', after)
    .orderBy('recordId')
    .orderBy('source')
    .limit(foundRowsPerPage)
    .execute();
  return rows.map(({ json, ...row }) => {
    return { ...row, properties: json === null ? null : propertiesSchema.parse(JSON.parse(json)) };
  });
}

/** The last record of a full page may have further rows: it is left to the next page. */
function groupCompleteRecords(rows: readonly FoundCompany[]): Map<string, FoundCompany[]> {
  const records = Map.groupBy(rows, ({ recordId }) => recordId);
  const last = rows.at(-1);
  if (rows.length === foundRowsPerPage && last !== undefined && records.size > 1) records.delete(last.recordId);
  return new Map([...records].slice(0, recordsPerPage));
}

/** Hashes after `after` that are wanted and not in the blacklist, in ascending order. */
async function* missingHashes(db: Database, syncId: string, after: string): AsyncGenerator<string[]> {
  for (let cursor = after; ;) {
    const wanted = await db
      .selectFrom('exclusionsWanted')
      .select('hash')
      .where('syncId', '=', syncId)
      .where('hash', '>', cursor)
      .orderBy('hash')
      .limit(comparedAtOnce)
      .execute();
    const last = wanted.at(-1);
    if (!last) return;
    const existing = await hashesBetween(db, 'exclusionsExisting', { syncId, rows: wanted });
    yield wanted.map(({ hash }) => hash).filter((hash) => !existing.has(hash));
    cursor = last.hash;
  }
}

async function readByHash(db: Database, syncId: string, hashes: readonly string[]): Promise<WantedEntry[]> {
  const entries: WantedEntry[] = [];
  for (const chunk of batchesOf(hashes)) {
    const rows = await db
      .selectFrom('exclusionsWanted')
      .select(wantedColumns)
      .where('syncId', '=', syncId)
      .where('hash', 'in', chunk)
      .orderBy('hash')
      .execute();
    entries.push(...rows.map(toWantedEntry));
  }
  return entries;
}
