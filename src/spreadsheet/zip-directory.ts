/** The directory at the end of a zip file. Layout: APPNOTE.TXT 4.3.12 and 4.3.16. */
import type { FileHandle } from 'node:fs/promises';

const endRecord = { signature: 0x06054b50, bytes: 22, count: 10, size: 12, offset: 16 };
const longestComment = 0xffff;
const record = {
  signature: 0x02014b50,
  bytes: 46,
  method: 10,
  crc: 16,
  packed: 20,
  size: 24,
  nameLength: 28,
  extraLength: 30,
  commentLength: 32,
  local: 42,
};
/** Stands where a zip64 file has the number elsewhere. */
const elsewhere = { short: 0xffff, long: 0xffffffff };
/** Ten times what an Excel file of a thousand sheets needs; a larger one would be held in memory whole. */
const largestDirectory = 16_000_000;

export interface ZipEntry {
  /** Where its record in the directory begins; `local`: where its own header does. */
  readonly at: number;
  readonly local: number;
  readonly name: Buffer;
  /** 0: as it is; 8: deflated. */
  readonly method: number;
  readonly crc: number;
  /** In bytes, as it lies in the file and as it is. */
  readonly packed: number;
  readonly size: number;
}

export function findZipEntry(entries: readonly ZipEntry[], name: string): ZipEntry | undefined {
  return entries.find((entry) => entry.name.toString('utf8') === name);
}

interface Directory {
  readonly start: number;
  readonly bytes: number;
  readonly count: number;
}

/** `zip64`: it has the form for files of 4 GiB and more, of which sizes would have to be believed that no Excel file needs. */
export async function readZipDirectory(handle: FileHandle): Promise<readonly ZipEntry[] | 'broken' | 'zip64'> {
  const found = await findDirectory(handle);
  if (typeof found === 'string') return found;
  const { size } = await handle.stat();
  const { start, bytes, count } = found;
  if (start + bytes > size || bytes > largestDirectory) return 'broken';
  return toEntries(await readAt(handle, start, start + bytes), start, count);
}

async function findDirectory(handle: FileHandle): Promise<Directory | 'broken' | 'zip64'> {
  const { size } = await handle.stat();
  const tail = await readAt(handle, Math.max(0, size - endRecord.bytes - longestComment), size);
  const signature = Buffer.alloc(4);
  signature.writeUInt32LE(endRecord.signature);
  const end = tail.subarray(Math.max(0, tail.lastIndexOf(signature)));
  if (end.length < endRecord.bytes || end.readUInt32LE(0) !== endRecord.signature) return 'broken';
  const [start, bytes] = [end.readUInt32LE(endRecord.offset), end.readUInt32LE(endRecord.size)];
  const count = end.readUInt16LE(endRecord.count);
  const is64 = count === elsewhere.short || start === elsewhere.long || bytes === elsewhere.long;
  return is64 ? 'zip64' : { start, bytes, count };
}

function toEntries(directory: Buffer, start: number, count: number): ZipEntry[] | 'broken' | 'zip64' {
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < count;) {
    const head = directory.subarray(at);
    if (head.length < record.bytes || head.readUInt32LE(0) !== record.signature) return 'broken';
    const nameEnd = record.bytes + head.readUInt16LE(record.nameLength);
    const name = head.subarray(record.bytes, nameEnd);
    const [method, crc] = [head.readUInt16LE(record.method), head.readUInt32LE(record.crc)];
    const [packed, size] = [head.readUInt32LE(record.packed), head.readUInt32LE(record.size)];
    const local = head.readUInt32LE(record.local);
    if ([packed, size, local].includes(elsewhere.long)) return 'zip64';
    entries.push({ at: start + at, name, method, crc, packed, size, local });
    at += nameEnd + head.readUInt16LE(record.extraLength) + head.readUInt16LE(record.commentLength);
  }
  return entries;
}

/** The bytes from `start` to before `end`; fewer where the file has fewer. */
export async function readAt(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.max(0, end - start));
  let bytes = 0;
  while (bytes < buffer.length) {
    const { bytesRead } = await handle.read(buffer, bytes, buffer.length - bytes, start + bytes);
    if (bytesRead === 0) break;
    bytes += bytesRead;
  }
  return buffer.subarray(0, bytes);
}
