/** The directory at the end of a zip file. Layout: APPNOTE.TXT 4.3.12 to 4.3.16, and 4.5.3 for zip64. */
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
/** Stands where zip64 has the number elsewhere: in a record before the end, or in the extra field of the entry. */
const elsewhere = { short: 0xffff, long: 0xffffffff };
const locator64 = { signature: 0x07064b50, bytes: 20, offset: 8 };
const endRecord64 = { signature: 0x06064b50, bytes: 56, count: 32, size: 40, offset: 48 };
const extra64 = 0x0001;

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

export async function readZipDirectory(handle: FileHandle): Promise<readonly ZipEntry[] | 'broken'> {
  const found = await findDirectory(handle);
  if (found === null) return 'broken';
  const { size } = await handle.stat();
  const { start, bytes, count } = found;
  return toEntries(await readAt(handle, start, Math.min(size, start + bytes)), start, count);
}

async function findDirectory(handle: FileHandle): Promise<Directory | null> {
  const { size } = await handle.stat();
  const from = Math.max(0, size - endRecord.bytes - longestComment);
  const tail = await readAt(handle, from, size);
  const signature = Buffer.alloc(4);
  signature.writeUInt32LE(endRecord.signature);
  const at = Math.max(0, tail.lastIndexOf(signature));
  const end = tail.subarray(at);
  if (end.length < endRecord.bytes || end.readUInt32LE(0) !== endRecord.signature) return null;
  const [start, bytes] = [end.readUInt32LE(endRecord.offset), end.readUInt32LE(endRecord.size)];
  const count = end.readUInt16LE(endRecord.count);
  if (count !== elsewhere.short && start !== elsewhere.long && bytes !== elsewhere.long) return { start, bytes, count };
  const locator = await readAt(handle, from + at - locator64.bytes, from + at);
  if (locator.length < locator64.bytes || locator.readUInt32LE(0) !== locator64.signature) return null;
  const where = Number(locator.readBigUInt64LE(locator64.offset));
  if (where > size) return null;
  const end64 = await readAt(handle, where, where + endRecord64.bytes);
  if (end64.length < endRecord64.bytes || end64.readUInt32LE(0) !== endRecord64.signature) return null;
  const read = (offset: number) => Number(end64.readBigUInt64LE(offset));
  return { start: read(endRecord64.offset), bytes: read(endRecord64.size), count: read(endRecord64.count) };
}

function toEntries(directory: Buffer, start: number, count: number): ZipEntry[] | 'broken' {
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < count;) {
    const head = directory.subarray(at);
    if (head.length < record.bytes || head.readUInt32LE(0) !== record.signature) return 'broken';
    const nameEnd = record.bytes + head.readUInt16LE(record.nameLength);
    const extraEnd = nameEnd + head.readUInt16LE(record.extraLength);
    const numbers = readNumbers(head, head.subarray(nameEnd, extraEnd));
    if (numbers === null) return 'broken';
    const name = head.subarray(record.bytes, nameEnd);
    const [method, crc] = [head.readUInt16LE(record.method), head.readUInt32LE(record.crc)];
    entries.push({ at: start + at, name, method, crc, ...numbers });
    at += extraEnd + head.readUInt16LE(record.commentLength);
  }
  return entries;
}

/** null where a number is said to be in the extra field and is not. */
function readNumbers(head: Buffer, extra: Buffer): Pick<ZipEntry, 'size' | 'packed' | 'local'> | null {
  const large = findExtra64(extra);
  let next = 0;
  const read = (offset: number): number => {
    const number = head.readUInt32LE(offset);
    if (number !== elsewhere.long) return number;
    next += 8;
    return next > large.length ? Number.NaN : Number(large.readBigUInt64LE(next - 8));
  };
  // The extra field has those that are missing, in this order.
  const numbers = { size: read(record.size), packed: read(record.packed), local: read(record.local) };
  return Object.values(numbers).some(Number.isNaN) ? null : numbers;
}

function findExtra64(extra: Buffer): Buffer {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === extra64) return extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
  }
  return Buffer.alloc(0);
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
