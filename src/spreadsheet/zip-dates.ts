import type { FileHandle } from 'node:fs/promises';
import { readZipDirectory } from './zip-directory.ts';

/** Where the date stands in a record of the directory, and in an entry's own header. */
const [dateInDirectory, dateInHeader] = [12, 10];
/** 1980-01-01 00:00, where the zip format's calendar begins: time 0, then day 1, month 1, year 0. */
const dawn = Buffer.from([0, 0, 0x21, 0]);

/**
 * Gives every entry of a finished zip file the same date, so that equal content makes equal bytes and an equal SHA-256.
 * exceljs has no setting for it. Layout: APPNOTE.TXT 4.3.7 and 4.3.12.
 */
export async function levelZipDates(handle: FileHandle): Promise<void> {
  const entries = await readZipDirectory(handle);
  // Above 4 GiB, where equal bytes are not worth another form of the directory.
  if (entries === 'zip64') return;
  if (entries === 'broken') throw new Error('the zip directory is not as written');
  for (const { at, local } of entries) {
    for (const position of [at + dateInDirectory, local + dateInHeader]) {
      await handle.write(dawn, 0, dawn.length, position);
    }
  }
}
