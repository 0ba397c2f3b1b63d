/** Erases what the ledger no longer has from all files. */
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { digestRejectedRows, writeRejectsFile } from '../files/rejects-file.ts';
import type { ErasureFailures } from '../../ledger/erasure-failures.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { RejectsFile } from '../../ledger/rejected-rows.ts';
import type { WebsiteFile } from '../../ledger/website-store.ts';
import { fileDigest, removeLeftovers } from '../../base/spreadsheet/whole-file.ts';
import { eraseFiles, listFiles, type ErasedFiles, type ErasureContext } from './erase-files.ts';

/** A file of which rows were erased is written again; it is deleted when all of them have expired. Can be repeated. */
async function eraseRejectsFiles(
  ledger: Ledger,
  context: ErasureContext,
  { attempt }: ErasureFailures,
): Promise<ErasedFiles> {
  const done: ErasedFiles = { rewritten: [], deleted: [], left: [] };
  for (const file of await ledger.rejectedRows.files()) {
    const kind = await attempt(file.path, null, () => eraseRejectsFile(ledger, file, context));
    if (kind !== null) done[kind].push(file.path);
  }
  return done;
}

/** null: the file has the rows of the ledger. */
async function eraseRejectsFile(
  ledger: Ledger,
  { draftId, path, sha256, contentSha256 }: RejectsFile,
  context: ErasureContext,
): Promise<keyof ErasedFiles | null> {
  const source = await ledger.drafts.source(draftId);
  if (source === null || (await digestRejectedRows(ledger, draftId, source.headers)) === contentSha256) return null;
  const found = await fileDigest(path);
  if (found !== sha256) {
    if (found === null) await ledger.rejectedRows.removeFile(draftId);
    return 'left';
  }
  if (await hasRows(ledger, draftId)) {
    await writeRejectsFile(ledger, draftId, source, context);
    return 'rewritten';
  }
  await rm(path, { force: true });
  await ledger.rejectedRows.removeFile(draftId);
  return 'deleted';
}

/** Deletes the files of erased website texts. Can be repeated. */
async function eraseWebsiteFiles(ledger: Ledger, { attempt }: ErasureFailures): Promise<ErasedFiles> {
  const done: ErasedFiles = { rewritten: [], deleted: [], left: [] };
  for (const file of await ledger.websites.erasedFiles()) {
    const kind = await attempt(file.path, null, () => eraseWebsiteFile(ledger, file));
    if (kind !== null) done[kind].push(file.path);
  }
  return done;
}

/** null: the file is missing. */
async function eraseWebsiteFile(ledger: Ledger, file: WebsiteFile): Promise<keyof ErasedFiles | null> {
  const found = await fileDigest(file.path);
  if (found === file.sha256) await rm(file.path, { force: true });
  // Missing: of an interrupted deletion, or removed by the user, or never written.
  if (found === null || found === file.sha256) await ledger.websites.removeFile(file);
  if (found === null) return null;
  return found === file.sha256 ? 'deleted' : 'left';
}

/**
 * Killed processes may have left erased data in temporary files, beside the files of these orders. A place that cannot be read here is
 * reported by the functions above, which read it too.
 */
async function removeErasedLeftovers(ledger: Ledger): Promise<void> {
  const orders = async () => {
    const orderIds = (await ledger.erasures.list()).map(({ orderId }) => orderId);
    return (await listFiles(ledger, orderIds)).map((path) => ({ path }));
  };
  const places = [orders, () => ledger.rejectedRows.files(), () => ledger.websites.erasedFiles()];
  const folders = new Set<string>();
  for (const list of places) for (const { path } of await list().catch(() => [])) folders.add(dirname(path));
  for (const folder of folders) await removeLeftovers(folder);
}

/** The files of orders, of rejected rows and of websites. Call after the tables are erased; can be repeated. */
export async function eraseAllFiles(
  ledger: Ledger,
  context: ErasureContext,
  failures: ErasureFailures,
): Promise<ErasedFiles> {
  const none: ErasedFiles = { rewritten: [], deleted: [], left: [] };
  const { attempt } = failures;
  // First, while the ledger has the paths.
  await removeErasedLeftovers(ledger);
  const orders = await attempt('files of orders', none, () => eraseFiles(ledger, context, failures));
  const rejects = await attempt('files of rejected rows', none, () => eraseRejectsFiles(ledger, context, failures));
  const websites = await attempt('files of websites', none, () => eraseWebsiteFiles(ledger, failures));
  const all = [orders, rejects, websites];
  return {
    rewritten: all.flatMap(({ rewritten }) => rewritten),
    deleted: all.flatMap(({ deleted }) => deleted),
    left: all.flatMap(({ left }) => left),
  };
}

async function hasRows({ rejectedRows }: Ledger, draftId: string): Promise<boolean> {
  for await (const rows of rejectedRows.list(draftId)) if (rows.length > 0) return true;
  return false;
}
