import type { FileHandle } from 'node:fs/promises';
import { PassThrough, pipeline as connect, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { types } from 'node:util';
import { crc32, createInflateRaw } from 'node:zlib';
import { readAt, type ZipEntry } from './zip-directory.ts';

const header = { signature: 0x04034b50, bytes: 30, method: 8, nameLength: 26, extraLength: 28 };

const pieceBytes = 256 * 1024;

/**
 * Whether every entry of a zip file is what the directory tells, by name, size and CRC-32: a sheet that breaks off in the middle would
 * be a shorter sheet. Nothing is unpacked beyond the size that the directory tells.
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

/** The text of an entry, UTF-8, unpacked, in pieces. Size and CRC-32 are not compared: see isWholeZip. */
export async function readZipEntry(handle: FileHandle, entry: ZipEntry): Promise<Readable> {
  const text = unpacker(entry).setEncoding('utf8');
  // An error reaches whoever reads the text.
  connect(Readable.from(await packedBytes(handle, entry)), text, () => {});
  return text;
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
