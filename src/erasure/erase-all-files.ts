/** Erases what the ledger no longer has from all files. */
import { rm } from 'node:fs/promises';
import { digestRejectedRows, writeRejectsFile } from '../delivery/rejects-file.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { fileDigest } from '../spreadsheet/whole-file.ts';
import { eraseFiles, type ErasedFiles, type ErasureContext } from './erase-files.ts';

/** A file of which rows were erased is written again; it is deleted when all of them have expired. Can be repeated. */
async function eraseRejectsFiles(ledger: Ledger, context: ErasureContext): Promise<ErasedFiles> {
  const done: ErasedFiles = { rewritten: [], deleted: [], left: [] };
  for (const { draftId, path, sha256, contentSha256 } of await ledger.rejectedRows.files()) {
    const source = await ledger.drafts.source(draftId);
    if (source === null || (await digestRejectedRows(ledger, draftId, source.headers)) === contentSha256) continue;
    const found = await fileDigest(path);
    if (found !== sha256) {
      if (found === null) await ledger.rejectedRows.removeFile(draftId);
      done.left.push(path);
    } else if (await hasRows(ledger, draftId)) {
      await writeRejectsFile(ledger, draftId, source, context);
      done.rewritten.push(path);
    } else {
      await rm(path, { force: true });
      await ledger.rejectedRows.removeFile(draftId);
      done.deleted.push(path);
    }
  }
  return done;
}

/** Deletes the files of erased website texts. Can be repeated. */
async function eraseWebsiteFiles(ledger: Ledger): Promise<ErasedFiles> {
  const done: ErasedFiles = { rewritten: [], deleted: [], left: [] };
  for (const file of await ledger.websites.erasedFiles()) {
    const found = await fileDigest(file.path);
    if (found === file.sha256) await rm(file.path, { force: true });
    // Missing: of an interrupted deletion, or removed by the user, or never written.
    if (found === null || found === file.sha256) await ledger.websites.removeFile(file);
    if (found !== null) done[found === file.sha256 ? 'deleted' : 'left'].push(file.path);
  }
  return done;
}

/** The files of orders, of rejected rows and of websites. Call after the tables are erased; can be repeated. */
export async function eraseAllFiles(ledger: Ledger, context: ErasureContext): Promise<ErasedFiles> {
  const orders = await eraseFiles(ledger, context);
  const rejects = await eraseRejectsFiles(ledger, context);
  const websites = await eraseWebsiteFiles(ledger);
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
