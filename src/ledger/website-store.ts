/** Texts of the websites of delivered companies, and the files that they were written to. */
import { z } from 'zod';
import { hasErasure } from '../base/json/erased-mark.ts';
import { parseJsonWithinLimits } from '../base/json/json-limits.ts';
import { namesForgotten } from './redaction/redact-slot.ts';
import type { ExpiryContext, ForgetContext } from './erasure-context.ts';
import { keepFormerPath } from './order-files.ts';
import { batchRows, pagesOf } from './query-batches.ts';
import type { PositionRange } from './stored-slot.ts';
import type { StoredPaths } from './stored-paths.ts';
import type { Database, Tables } from './tables.ts';
import type { Tombstones } from './tombstones.ts';

export interface StoredWebsite {
  readonly position: number;
  /** null after erasure. */
  readonly markdown: string | null;
  /** Time at which the service read the website, as it reports. */
  readonly observedAt: string | null;
  readonly urls: readonly string[];
  readonly fingerprint: string | null;
  readonly fetchedAt: string;
  readonly erasedAt: string | null;
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

const urlsSchema = z.array(z.string());

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
      return rows.map(({ orderId: _, urlsJson, path, ...row }) => ({
        ...row,
        path: path === null ? null : paths.fromStored(path),
        urls: urlsSchema.parse(JSON.parse(urlsJson)),
      }));
    },

    /** Keeps a text that another process stored. A text that names a forgotten person or company is stored as erased. @returns the given text, or its erased form */
    save: (orderId: string, website: StoredWebsite): Promise<StoredWebsite> =>
      db.transaction().execute(async (transaction) => {
        const test = await tombstones.test(transaction);
        const isForgotten = test !== null && namesForgotten([website.markdown, ...website.urls], test);
        const erased = { markdown: null, urls: [], fingerprint: null, erasedAt: website.fetchedAt };
        const stored = isForgotten ? { ...website, ...erased } : website;
        const { urls, ...columns } = stored;
        await transaction
          .insertInto('websites')
          .values({ orderId, ...columns, urlsJson: JSON.stringify(urls) })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        return stored;
      }),

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

type Row = Pick<Tables['websites'], 'orderId' | 'position' | 'markdown'> & { slotJson: string | null };

/** Selects texts of forgotten companies, of companies with forgotten people, and texts that contain their addresses. */
export async function forgetWebsites({ db, test, preview, at }: ForgetContext): Promise<number> {
  let found = 0;
  for (const { orderId } of await db.selectFrom('websites').select('orderId').distinct().execute())
    for await (const rows of readTexts(db, orderId)) {
      const forgotten = rows.filter(({ markdown, slotJson }) => {
        const slot = slotJson === null ? null : (parseJsonWithinLimits(slotJson) ?? slotJson);
        return namesForgotten(slot, test) || hasErasure(slot) || namesForgotten(markdown, test);
      });
      found += forgotten.length;
      if (!preview) await erase(db, forgotten, at);
    }
  return found;
}

export async function expireWebsites({ db, orderIds, preview, at }: ExpiryContext): Promise<number> {
  let found = 0;
  for (const orderId of orderIds)
    for await (const rows of readTexts(db, orderId)) {
      found += rows.length;
      if (!preview) await erase(db, rows, at);
    }
  return found;
}

function readTexts(db: Database, orderId: string): AsyncGenerator<readonly Row[]> {
  const read = (after: number) =>
    db
      .selectFrom('websites')
      .leftJoin('slots', (join) =>
        join.onRef('slots.orderId', '=', 'websites.orderId').onRef('slots.position', '=', 'websites.position'),
      )
      .select(['websites.orderId', 'websites.position', 'websites.markdown', 'slots.json as slotJson'])
      .where('websites.orderId', '=', orderId)
      .where('websites.position', '>', after)
      .where('websites.markdown', 'is not', null)
      .orderBy('websites.position')
      .limit(batchRows)
      .execute();
  return pagesOf(-1, ({ position }) => position, read);
}

async function erase(db: Database, rows: readonly Row[], at: string): Promise<void> {
  for (const { orderId, position } of rows)
    await db
      .updateTable('websites')
      .set({ markdown: null, urlsJson: '[]', fingerprint: null, erasedAt: at })
      .where('orderId', '=', orderId)
      .where('position', '=', position)
      .execute();
}
