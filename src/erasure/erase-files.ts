/** Erases the files of orders: those that prospect-sync wrote, and those that it fetched from the service. */
import { rm } from 'node:fs/promises';
import { writeOrderSpreadsheet } from '../delivery/order-spreadsheet.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { toFileContent } from '../spreadsheet/file-content.ts';
import { fileDigest } from '../spreadsheet/whole-file.ts';

export interface ErasedFiles {
  /** Written again from the ledger, without the forgotten. */
  readonly rewritten: string[];
  readonly deleted: string[];
  /** Not found at its path, or changed since it was written: it is not touched. */
  readonly left: string[];
}

export interface ErasureContext {
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

interface StoredFile {
  readonly orderId: string;
  /** Kind of a written file, or destination of an output. */
  readonly file: string;
  readonly kind: 'csv' | 'xlsx' | 'leaks' | 'output';
  readonly path: string;
  readonly sha256: string;
  readonly contentJson: string | null;
}

/** What `eraseFiles` will change. */
export async function listFiles(ledger: Ledger, orderIds: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const orderId of orderIds) for (const { path } of await readFiles(ledger, orderId)) files.push(path);
  return files;
}

/**
 * Spreadsheets of orders with forgotten people are written again; leak evidence, outputs, and all files of expired orders are deleted.
 * The receipts stay. Call after the tables are erased; can be repeated.
 */
export async function eraseFiles(ledger: Ledger, { now, signal }: ErasureContext): Promise<ErasedFiles> {
  const done: ErasedFiles = { rewritten: [], deleted: [], left: [] };
  for (const { orderId, scope, at } of await ledger.erasures.list()) {
    const writtenAt = new Map((await ledger.files.list(orderId)).map((file) => [file.path, file.writtenAt]));
    for (const file of await readFiles(ledger, orderId)) {
      const { path, kind, sha256, contentJson } = file;
      // Written since, from the erased ledger.
      if (scope === 'people' && (writtenAt.get(path) ?? '') > at) continue;
      const found = await fileDigest(path);
      if (found !== sha256) {
        // Of an interrupted deletion, or removed by the user.
        if (found === null) await ledger.erasures.markFile(orderId, file.file, now().toISOString());
        done.left.push(path);
        continue;
      }
      const layout = scope === 'people' ? toFileContent(contentJson)?.layout : undefined;
      if (layout !== undefined && (kind === 'csv' || kind === 'xlsx')) {
        await writeOrderSpreadsheet(ledger, { orderId, kind, path, layout }, { now, signal, onRows: () => undefined });
        done.rewritten.push(path);
      } else {
        await rm(path, { force: true });
        await ledger.erasures.markFile(orderId, file.file, now().toISOString());
        done.deleted.push(path);
      }
    }
  }
  return done;
}

/** Those that are not erased. */
async function readFiles(ledger: Ledger, orderId: string): Promise<StoredFile[]> {
  const erased = await ledger.erasures.filesOf(orderId);
  const files = (await ledger.files.list(orderId)).map(({ kind, path, sha256, contentJson }) => {
    return { orderId, file: kind, kind, path, sha256, contentJson };
  });
  const outputs = (await ledger.outputs.list(orderId)).flatMap(({ destination, path, sha256 }) =>
    path === null || sha256 === null
      ? []
      : [{ orderId, file: destination, kind: 'output' as const, path, sha256, contentJson: null }],
  );
  return [...files, ...outputs].filter(({ file }) => !erased.has(file));
}
