/** Copies of the files that people have edited, which are kept before a file is written again. */
import { copyFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Ledger } from '../../ledger/ledger.ts';
import { toSpreadsheetError } from '../../base/spreadsheet/spreadsheet-error.ts';
import { fileDigest } from '../../base/spreadsheet/whole-file.ts';

export interface EditedCopy {
  readonly kind: 'csv' | 'xlsx';
  readonly path: string;
}

const editedPrefix = (orderId: string) => `${orderId}.edited-`;

/**
 * Copies a file that is not the one in the ledger. An attempt that died before it stored the digest leaves such a file too: it has the
 * bytes of the new one.
 * @returns null if there is no such file
 */
export async function keepEdited(
  ledger: Ledger,
  { orderId, kind, path }: EditedCopy & { readonly orderId: string },
  now: Date,
): Promise<{ readonly path: string; readonly sha256: string; readonly isKnown: boolean } | null> {
  const sha256 = await fileDigest(path);
  const written = (await ledger.files.list(orderId)).find((file) => file.kind === kind && file.path === path);
  if (sha256 === null || sha256 === written?.sha256) return null;
  // The digest in the name lets a retried attempt keep the file once.
  const name = `${editedPrefix(orderId)}${now.toISOString().slice(0, 10)}-${sha256.slice(0, 8)}.${kind}`;
  const copy = join(dirname(path), name);
  await copyFile(path, copy).catch((error: unknown) => {
    throw toSpreadsheetError(error, copy, 'writing');
  });
  return { path: copy, sha256, isKnown: written !== undefined };
}

/** Finds the copies of an order. Each folder is read once; a missing one has none. */
export function createCopyFinder(ledger: Ledger) {
  const folders = new Map<string, Promise<string[]>>();
  const list = (folder: string) => {
    const names = folders.get(folder) ?? readdir(folder).catch(() => []);
    folders.set(folder, names);
    return names;
  };
  return async (orderId: string): Promise<EditedCopy[]> => {
    const copies: EditedCopy[] = [];
    const files = [...(await ledger.files.list(orderId)), ...(await ledger.files.former(orderId))];
    for (const folder of new Set(files.map(({ path }) => dirname(path))))
      for (const name of await list(folder))
        if (name.startsWith(editedPrefix(orderId)))
          copies.push({ path: join(folder, name), kind: name.endsWith('.csv') ? 'csv' : 'xlsx' });
    return copies;
  };
}
