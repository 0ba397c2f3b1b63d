import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { SpreadsheetError, toSpreadsheetError } from './spreadsheet-error.ts';

/** SHA-256 of a regular file in hex, or null when it cannot be read. */
export async function fileDigest(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await assertRegularFile(path);
    for await (const chunk of createReadStream(path)) hash.update(chunk);
    return hash.digest('hex');
  } catch {
    return null;
  }
}

/** Opening a named pipe or a device may wait forever. A folder passes: opening it fails at once. @throws SpreadsheetError */
export async function assertRegularFile(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw toSpreadsheetError(error, path, 'reading');
  });
  if (found.isFile() || found.isDirectory()) return;
  throw new SpreadsheetError({ path, action: 'reading', problem: 'it is not a regular file' });
}
