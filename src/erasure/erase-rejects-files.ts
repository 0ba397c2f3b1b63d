/** Erases what the ledger no longer has from the files of rejected rows. */
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

/** The files of orders, and those of rejected rows. Call after the tables are erased; can be repeated. */
export async function eraseAllFiles(ledger: Ledger, context: ErasureContext): Promise<ErasedFiles> {
  const orders = await eraseFiles(ledger, context);
  const rejects = await eraseRejectsFiles(ledger, context);
  return {
    rewritten: [...orders.rewritten, ...rejects.rewritten],
    deleted: [...orders.deleted, ...rejects.deleted],
    left: [...orders.left, ...rejects.left],
  };
}

async function hasRows({ rejectedRows }: Ledger, draftId: string): Promise<boolean> {
  for await (const rows of rejectedRows.list(draftId)) if (rows.length > 0) return true;
  return false;
}
