import { stat } from 'node:fs/promises';
import { SpreadsheetError, toSpreadsheetError } from './spreadsheet-error.ts';

/** Opening a named pipe or a device may wait forever. A folder passes: opening it fails at once. @throws SpreadsheetError */
export async function assertRegularFile(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw toSpreadsheetError(error, path, 'reading');
  });
  if (found.isFile() || found.isDirectory()) return;
  throw new SpreadsheetError({ path, action: 'reading', problem: 'it is not a regular file' });
}
