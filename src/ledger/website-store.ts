/** Texts of the websites of delivered companies, and the files that they were written to. */
import { createHash } from 'node:crypto';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { z } from 'zod';
import { boundText, longestText } from '../base/text/bound-text.ts';
import { namesForgotten } from './redaction/redact-slot.ts';
import { keepFormerPath } from './order-files.ts';
import { pagesOf } from './query-batches.ts';
import type { PositionRange } from './stored-slot.ts';
import type { StoredPaths } from './stored-paths.ts';
import type { Database } from './tables.ts';
import type { Tombstones } from './tombstones.ts';

export interface StoredWebsite {
  readonly position: number;
  /** null after erasure, and where the service has no text. */
  readonly markdown: string | null;
  /** Time at which the service read the website, as it reports. */
  readonly observedAt: string | null;
  readonly urls: readonly string[];
  readonly fingerprint: string | null;
  /** ISO 8601; of the last attempt. */
  readonly fetchedAt: string;
  readonly erasedAt: string | null;
  /** Attempts to fetch the text that failed for this company; 0 once the service has answered. */
  readonly failures: number;
  /** File and the SHA-256 digest of its bytes; null if it was never written. */
  readonly path: string | null;
  readonly sha256: string | null;
}

export interface WebsiteFile {
  readonly orderId: string;
  readonly position: number;
  readonly path: string;
  readonly sha256: string;
}

/** Companies of an order by what is known of their texts; erased ones do not count. */
export interface WebsiteTally {
  readonly texts: number;
  /** The service has no text. */
  readonly without: number;
  /** The text could not be fetched. */
  readonly failed: number;
}

const urlsSchema = z.array(z.string());

/** Texts have no limit of length. */
const textsAtOnce = 100;

export function createWebsites(
  db: Database,
  { tombstones, paths }: { readonly tombstones: Tombstones; readonly paths: StoredPaths },
) {
  return {
    async read(orderId: string, { from, to }: PositionRange): Promise<StoredWebsite[]> {
      const rows = await db
        .selectFrom('websites')
        .selectAll()
        .where('orderId', '=', orderId)
        .where('position', '>=', from)
        .where('position', '<', to)
        .orderBy('position')
        .execute();
      return rows.map(({ orderId: _, markdownSha256: __, urlsJson, path, ...row }) => ({
        ...row,
        path: path === null ? null : paths.fromStored(path),
        urls: urlsSchema.parse(JSON.parse(urlsJson)),
      }));
    },

    /**
     * Stores a text, that the service has none, or a failure. Keeps a text that another process stored. A text that names a forgotten
     * person or company is stored as erased. @returns what was given, or its erased form
     */
    save: (orderId: string, website: StoredWebsite): Promise<StoredWebsite> =>
      db.transaction().execute(async (transaction) => {
        const test = await tombstones.test(transaction);
        const isForgotten = test !== null && namesForgotten([website.markdown, ...website.urls], test);
        const erased = { markdown: null, urls: [], fingerprint: null, erasedAt: website.fetchedAt };
        const stored = isForgotten ? { ...website, ...erased } : website;
        const { position, urls, path: _, sha256: __, ...facts } = stored;
        const markdownSha256 = facts.markdown === null ? null : digestOf(facts.markdown);
        const columns = { ...facts, markdownSha256, urlsJson: JSON.stringify(urls) };
        await transaction
          .insertInto('websites')
          .values({ orderId, position, ...columns })
          .onConflict((conflict) =>
            conflict
              .columns(['orderId', 'position'])
              .doUpdateSet(columns)
              .where('websites.markdown', 'is', null)
              .where('websites.erasedAt', 'is', null),
          )
          .execute();
        return stored;
      }),

    /** The number of failed attempts by position; 0 where the service has answered, absent where it was not asked. */
    async failures(orderId: string, { from, to }: PositionRange): Promise<Map<number, number>> {
      const rows = await db
        .selectFrom('websites')
        .select(['position', 'failures'])
        .where('orderId', '=', orderId)
        .where('position', '>=', from)
        .where('position', '<', to)
        .execute();
      return new Map(rows.map(({ position, failures }) => [position, failures]));
    },

    /** The texts by position, cut to the length of the longest external text. */
    async texts(orderId: string, { from, to }: PositionRange): Promise<Map<number, string>> {
      const rows = await db
        .selectFrom('websites')
        .select(['position', sql<string>`substr(markdown, 1, ${sql.lit(longestText)})`.as('text')])
        .where('orderId', '=', orderId)
        .where('position', '>=', from)
        .where('position', '<', to)
        .where('markdown', 'is not', null)
        .execute();
      return new Map(rows.map(({ position, text }) => [position, boundText(text)]));
    },

    tally(orderId: string, { from, to }: PositionRange): Promise<WebsiteTally> {
      const count = (condition: RawBuilder<SqlBool>) =>
        sql<number>`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`;
      return db
        .selectFrom('websites')
        .select([
          count(sql`markdown is not null`).as('texts'),
          count(sql`markdown is null and failures = 0`).as('without'),
          count(sql`failures > 0`).as('failed'),
        ])
        .where('orderId', '=', orderId)
        .where('position', '>=', from)
        .where('position', '<', to)
        .where('erasedAt', 'is', null)
        .executeTakeFirstOrThrow();
    },

    /** Positions whose text could not be fetched, and those whose stored text is not the one that was fetched. */
    async findProblems(orderId: string): Promise<{ failed: number[]; changed: number[] }> {
      const problems: { failed: number[]; changed: number[] } = { failed: [], changed: [] };
      const read = (after: number) =>
        db
          .selectFrom('websites')
          .select(['position', 'failures', 'markdown', 'markdownSha256'])
          .where('orderId', '=', orderId)
          .where('position', '>', after)
          .where('erasedAt', 'is', null)
          .orderBy('position')
          .limit(textsAtOnce)
          .execute();
      for await (const rows of pagesOf(-1, ({ position }) => position, read))
        for (const { position, failures, markdown, markdownSha256 } of rows) {
          if (failures > 0) problems.failed.push(position);
          if ((markdown === null ? null : digestOf(markdown)) !== markdownSha256) problems.changed.push(position);
        }
      return problems;
    },

    async saveFile(orderId: string, position: number, file: { path: string; sha256: string }): Promise<void> {
      const path = paths.toStored(file.path);
      await db.transaction().execute(async (transaction) => {
        const found = await transaction
          .selectFrom('websites')
          .select(['path', 'sha256'])
          .where('orderId', '=', orderId)
          .where('position', '=', position)
          .executeTakeFirst();
        await keepFormerPath(transaction, orderId, found, path);
        await transaction
          .updateTable('websites')
          .set({ ...file, path })
          .where('orderId', '=', orderId)
          .where('position', '=', position)
          .where('erasedAt', 'is', null)
          .execute();
      });
    },

    /** The files whose texts were erased. */
    async erasedFiles(): Promise<WebsiteFile[]> {
      const rows = await db
        .selectFrom('websites')
        .select(['orderId', 'position', 'path', 'sha256'])
        .where('erasedAt', 'is not', null)
        .where('path', 'is not', null)
        .orderBy('orderId')
        .orderBy('position')
        .execute();
      return rows.flatMap(({ path, sha256, ...row }) =>
        path === null || sha256 === null ? [] : [{ ...row, path: paths.fromStored(path), sha256 }],
      );
    },

    async removeFile({ orderId, position }: Pick<WebsiteFile, 'orderId' | 'position'>): Promise<void> {
      await db
        .updateTable('websites')
        .set({ path: null, sha256: null })
        .where('orderId', '=', orderId)
        .where('position', '=', position)
        .execute();
    },
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
