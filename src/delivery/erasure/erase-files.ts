/** Erases the files of orders: those that prospect-sync wrote, and those that it fetched from the service. */
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { createCopyFinder } from '../files/edited-copies.ts';
import { compareFiles, type SheetComparison } from '../files/compare-files.ts';
import { writeOrderSpreadsheet, type SheetFile } from '../files/order-spreadsheet.ts';
import type { ErasureFailures } from '../../ledger/erasure-failures.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { FileContent } from '../../base/spreadsheet/file-content.ts';
import { fileDigest } from '../../base/spreadsheet/whole-file.ts';
import type { FormerFile } from '../../ledger/order-files.ts';
import { namesAnyone, type IdentifierTest } from '../../ledger/redaction/identifiers.ts';
import { fileNames } from './names-in-files.ts';

export interface ErasedFiles {
  /** Written again from the ledger, without the forgotten. */
  readonly rewritten: string[];
  readonly deleted: string[];
  /** Not found at its path, or changed since it was written, or a copy of such a file: it is not touched. */
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
  /** null for other files than spreadsheets. */
  readonly content: FileContent | null;
  /** null for outputs. */
  readonly writtenAt: string | null;
}

/** Preview of `eraseFiles`. */
export async function listFiles(ledger: Ledger, orderIds: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const orderId of orderIds)
    for (const { path } of [...(await readFiles(ledger, orderId)), ...(await ledger.files.former(orderId))])
      files.push(path);
  return files;
}

/**
 * Spreadsheets with rows that the ledger no longer has are written again; leak evidence, outputs, and all files of expired orders are
 * deleted. The receipts stay. Call after the tables are erased; can be repeated.
 */
export async function eraseFiles(
  ledger: Ledger,
  context: ErasureContext,
  { attempt }: ErasureFailures,
): Promise<ErasedFiles> {
  const done: ErasedFiles = { rewritten: [], deleted: [], left: [] };
  const findCopies = createCopyFinder(ledger);
  const isForgotten = await ledger.tombstones.test();
  for (const { orderId, scope, at } of await ledger.erasures.list()) {
    const test = scope === 'people' ? isForgotten : () => true;
    for (const copy of await findCopies(orderId))
      if (test !== null && (await attempt(copy.path, true, () => fileNames(copy, test)))) done.left.push(copy.path);
    for (const file of await attempt(`files of order ${orderId}`, [], () => readFiles(ledger, orderId))) {
      const kind = await attempt(file.path, null, async () => {
        const sheet = scope === 'people' ? toSheet(file) : null;
        const isClean =
          sheet === null
            ? scope === 'people' && (file.writtenAt ?? '') > at
            : (await compareSheet(ledger, sheet, { isRead: false, signal: context.signal }))?.isCurrent === true;
        return isClean ? null : eraseFile(ledger, file, sheet, context);
      });
      if (kind !== null) done[kind].push(file.path);
    }
    for (const former of await attempt(`former files of order ${orderId}`, [], () => ledger.files.former(orderId))) {
      const kind = await attempt(former.path, null, () =>
        eraseFormer(ledger, former, scope === 'people' ? isForgotten : 'everybody'),
      );
      if (kind !== null) done[kind].push(former.path);
    }
  }
  return done;
}

/** Deletes a file that its run no longer writes. null: the file is missing, or has no forgotten person or company. */
async function eraseFormer(
  ledger: Ledger,
  former: FormerFile,
  forgotten: IdentifierTest | 'everybody' | null,
): Promise<'deleted' | 'left' | null> {
  const { path, sha256 } = former;
  const found = await fileDigest(path);
  if (found === null) {
    await ledger.files.removeFormer(former);
    return null;
  }
  const isErased = forgotten === 'everybody' || (forgotten !== null && (await namesForgotten(path, forgotten)));
  if (!isErased) return null;
  if (found !== sha256) return 'left';
  await rm(path, { force: true });
  await ledger.files.removeFormer(former);
  return 'deleted';
}

async function eraseFile(
  ledger: Ledger,
  { orderId, file, path, sha256 }: StoredFile,
  sheet: StoredSheet | null,
  { now, signal }: ErasureContext,
): Promise<keyof ErasedFiles> {
  const found = await fileDigest(path);
  // The file is missing after an interrupted deletion, or because the user removed it.
  if (found === null) await ledger.erasures.markFile(orderId, file, now().toISOString());
  // A process that died before it stored the digests has left a file with the rows of the ledger.
  const isOurs =
    found === sha256 ||
    (sheet !== null &&
      found !== null &&
      (await compareSheet(ledger, sheet, { isRead: true, signal }))?.differing === 0);
  if (!isOurs) return 'left';
  if (sheet !== null) {
    await writeOrderSpreadsheet(ledger, sheet, { now, signal, onRows: () => undefined });
    return 'rewritten';
  }
  await rm(path, { force: true });
  await ledger.erasures.markFile(orderId, file, now().toISOString());
  return 'deleted';
}

/** The name of a website's file is the domain of the company. */
async function namesForgotten(path: string, forgotten: IdentifierTest): Promise<boolean> {
  const kind = path.endsWith('.xlsx') ? 'xlsx' : 'csv';
  return namesAnyone(basename(path), forgotten) || fileNames({ path, kind }, forgotten);
}

type StoredSheet = SheetFile & { readonly content: FileContent };

/** null for other files than spreadsheets. */
function toSheet({ orderId, kind, path, content }: StoredFile): StoredSheet | null {
  return content !== null && (kind === 'csv' || kind === 'xlsx')
    ? { orderId, kind, path, layout: content.layout, content }
    : null;
}

async function compareSheet(
  ledger: Ledger,
  { orderId, ...sheet }: StoredSheet,
  { isRead, signal }: { readonly isRead: boolean; readonly signal: AbortSignal },
): Promise<SheetComparison | undefined> {
  const [compared] = await compareFiles(ledger, orderId, [{ ...sheet, isRead }], { signal, onRows: () => undefined });
  return compared;
}

/** Files that are not erased. */
async function readFiles(ledger: Ledger, orderId: string): Promise<StoredFile[]> {
  const erased = await ledger.erasures.filesOf(orderId);
  const files = (await ledger.files.list(orderId)).map(({ kind, path, sha256, content, writtenAt }) => {
    return { orderId, file: kind, kind, path, sha256, content, writtenAt };
  });
  const outputs = (await ledger.outputs.list(orderId)).flatMap(({ destination, path, sha256 }) =>
    path === null || sha256 === null
      ? []
      : [{ orderId, file: destination, kind: 'output' as const, path, sha256, content: null, writtenAt: null }],
  );
  return [...files, ...outputs].filter(({ file }) => !erased.has(file));
}
