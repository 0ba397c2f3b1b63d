/** Recognises files of other formats under the name of a CSV or an Excel file, by their first bytes, and files that only accompany one. */
import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';

/** Problem and remedy for a file that is no zip file. */
export async function describeForeignFile(handle: FileHandle): Promise<string | null> {
  const start = await readAt(handle, 0, startBytes);
  if (start.subarray(0, oleSignature.length).equals(oleSignature)) {
    // The directory of the file names its streams in UTF-16 (MS-CFB, 2.6.1).
    const sectorBytes = 2 ** Math.min(start.readUInt16LE(30), 16);
    const directory = await readAt(handle, (start.readUInt32LE(48) + 1) * sectorBytes, directoryBytes);
    return directory.includes(Buffer.from('EncryptedPackage', 'utf16le'))
      ? 'it is protected by a password; remove the password in Excel, and save it again'
      : 'it is an Excel file in the old format (.xls); open it in Excel, and save it as .xlsx';
  }
  const text = start.toString('utf8').trimStart();
  if (text.startsWith('<'))
    return 'it is an HTML or XML file under another name; open it in Excel, and save it as .xlsx';
  const isText = !/[\0\uFFFD]/.test(text.slice(0, -4));
  return isText && /[,;\t|\n]/.test(text)
    ? 'it is a text file under another name; rename it to .csv, and write csv instead of xlsx'
    : null;
}

/** `~$kunden.xlsx` of Excel, `.~lock.kunden.csv#` of LibreOffice, and `._kunden.xlsx` of macOS. */
export function describeCompanionFile(path: string): string | null {
  const { 1: lock, 2: properties } = /^(?:(?:~\$|\.~lock\.)(.+?)#?|\._(.+))$/.exec(basename(path)) ?? [];
  if (lock !== undefined)
    return `it is the lock file of ${lock}, which Excel or LibreOffice has open; save that file, and write its path`;
  return properties === undefined
    ? null
    : `it holds what macOS notes about ${properties}, and no rows; write the path of that file`;
}

/** True for a file that begins as Excel files do, and other zip files. */
export function isExcelFile(start: Uint8Array): boolean {
  const begins = (signature: Buffer) => Buffer.from(start.subarray(0, signature.length)).equals(signature);
  return begins(zipSignature) || begins(oleSignature);
}

/** True for a file that begins as the objects and lists of JSON do. A header may be in brackets: `[Firma]`. */
export function isJsonFile(start: Uint8Array): boolean {
  const text = new TextDecoder().decode(start.subarray(0, startBytes));
  return /^\s*(?:\{\s*["}]|\[\s*[[{"\]])/.test(text);
}

const zipSignature = Buffer.from('PK\u0003\u0004');
const oleSignature = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const [startBytes, directoryBytes] = [4_096, 4_096];

async function readAt(handle: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, position);
  return buffer.subarray(0, bytesRead);
}
