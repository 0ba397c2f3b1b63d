/** The directory of a ZIP file (APPNOTE.TXT 4.3.12 and 4.3.16), and its entries, with their sizes and checksums compared. */
import type { FileHandle } from 'node:fs/promises';
import { PassThrough, pipeline as connect, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { types } from 'node:util';
import { crc32, createInflateRaw } from 'node:zlib';

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
/** Placeholders of a zip64 file, which stores the number in another place. */
const elsewhere = { short: 0xffff, long: 0xffffffff };
/** The directory is read into memory. This is ten times what an Excel file of a thousand sheets needs. */
const largestDirectory = 16_000_000;

export interface ZipEntry {
  /** Where its own header begins. */
  readonly local: number;
  readonly name: Buffer;
  /** 0: stored; 8: deflated. */
  readonly method: number;
  readonly crc: number;
  /** Compressed and uncompressed bytes. */
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

/** `zip64`: the form for files of 4 GiB and more, which no Excel file needs and which is not read. */
export async function readZipDirectory(handle: FileHandle): Promise<readonly ZipEntry[] | 'broken' | 'zip64'> {
  const found = await findDirectory(handle);
  if (typeof found === 'string') return found;
  const { size } = await handle.stat();
  const { start, bytes, count } = found;
  if (start + bytes > size || bytes > largestDirectory) return 'broken';
  return toEntries(await readAt(handle, start, start + bytes), count);
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

function toEntries(directory: Buffer, count: number): ZipEntry[] | 'broken' | 'zip64' {
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
    entries.push({ name, method, crc, packed, size, local });
    at += nameEnd + head.readUInt16LE(record.extraLength) + head.readUInt16LE(record.commentLength);
  }
  return entries;
}

/** The bytes from `start` to before `end`; fewer where the file has fewer. */
async function readAt(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.max(0, end - start));
  let bytes = 0;
  while (bytes < buffer.length) {
    const { bytesRead } = await handle.read(buffer, bytes, buffer.length - bytes, start + bytes);
    if (bytesRead === 0) break;
    bytes += bytesRead;
  }
  return buffer.subarray(0, bytes);
}

const header = { signature: 0x04034b50, bytes: 30, method: 8, nameLength: 26, extraLength: 28 };

const pieceBytes = 256 * 1024;

/**
 * True when every entry has the name, size and CRC-32 of its directory record: a truncated sheet would look like a shorter sheet.
 * Nothing is unpacked beyond the size in the directory.
 * @throws what the operating system refuses
 */
export async function isWholeZip(handle: FileHandle, entries: readonly ZipEntry[]): Promise<boolean> {
  const { size } = await handle.stat();
  // Entries that share bytes can stand for far more reading than the file is long.
  if (entries.reduce((sum, { packed }) => sum + packed, 0) > size) return false;
  for (const entry of entries) {
    if (!(await isWhole(handle, entry))) return false;
  }
  return true;
}

async function isWhole(handle: FileHandle, entry: ZipEntry): Promise<boolean> {
  const head = await readAt(handle, entry.local, entry.local + header.bytes + entry.name.length);
  if (head.length < header.bytes || head.readUInt32LE(0) !== header.signature) return false;
  if (head.readUInt16LE(header.method) !== entry.method || ![0, 8].includes(entry.method)) return false;
  const nameLength = head.readUInt16LE(header.nameLength);
  if (nameLength !== entry.name.length || !head.subarray(header.bytes).equals(entry.name)) return false;
  if (entry.packed === 0) return entry.size === 0 && entry.crc === 0;
  let [crc, size] = [0, 0];
  try {
    await pipeline(await packedBytes(handle, entry), unpacker(entry), async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) {
        crc = crc32(chunk, crc);
        size += chunk.length;
        if (size > entry.size) break;
      }
    });
  } catch (error) {
    if (size > entry.size || isOfInflating(error)) return false;
    throw error;
  }
  return crc === entry.crc && size === entry.size;
}

/** The bytes of an entry, unpacked, in pieces. Size and CRC-32 are not compared: see isWholeZip. */
export async function readZipEntry(handle: FileHandle, entry: ZipEntry): Promise<Readable> {
  const bytes = unpacker(entry);
  // An error also ends the returned stream.
  connect(Readable.from(await packedBytes(handle, entry)), bytes, () => {});
  return bytes;
}

function unpacker({ method }: ZipEntry): Transform {
  return method === 0 ? new PassThrough() : createInflateRaw({ chunkSize: pieceBytes });
}

async function packedBytes(handle: FileHandle, { local, packed }: ZipEntry): Promise<AsyncGenerator<Buffer>> {
  const head = await readAt(handle, local, local + header.bytes);
  const lengths = head.readUInt16LE(header.nameLength) + head.readUInt16LE(header.extraLength);
  const start = local + header.bytes + lengths;
  return bytesOf(handle, start, start + packed);
}

async function* bytesOf(handle: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; at += pieceBytes) {
    const piece = await readAt(handle, at, Math.min(end, at + pieceBytes));
    if (piece.length > 0) yield piece;
    else return;
  }
}

function isOfInflating(error: unknown): boolean {
  return types.isNativeError(error) && 'code' in error && String(error.code).startsWith('Z_');
}
