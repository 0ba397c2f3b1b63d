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
/** Stands where zip64 tells the number elsewhere. */
const elsewhere = { short: 0xffff, long: 0xffffffff };

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

/** `zip64` for a file with such an entry: over 4 GB, and here not read. */
export async function readZipDirectory(handle: FileHandle): Promise<readonly ZipEntry[] | 'zip64' | 'broken'> {
  const { size } = await handle.stat();
  const tail = await readAt(handle, Math.max(0, size - endRecord.bytes - longestComment), size);
  const signature = Buffer.alloc(4);
  signature.writeUInt32LE(endRecord.signature);
  const end = tail.subarray(Math.max(0, tail.lastIndexOf(signature)));
  if (end.length < endRecord.bytes || end.readUInt32LE(0) !== endRecord.signature) return 'broken';
  const count = end.readUInt16LE(endRecord.count);
  const start = end.readUInt32LE(endRecord.offset);
  if (count === elsewhere.short || start === elsewhere.long) return 'zip64';
  return toEntries(await readAt(handle, start, Math.min(size, start + end.readUInt32LE(endRecord.size))), start, count);
}

function toEntries(directory: Buffer, start: number, count: number): ZipEntry[] | 'zip64' | 'broken' {
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < count;) {
    const head = directory.subarray(at);
    if (head.length < record.bytes || head.readUInt32LE(0) !== record.signature) return 'broken';
    const [packed = 0, size = 0, local = 0] = [record.packed, record.size, record.local].map((field) =>
      head.readUInt32LE(field),
    );
    if ([packed, size, local].includes(elsewhere.long)) return 'zip64';
    const name = head.subarray(record.bytes, record.bytes + head.readUInt16LE(record.nameLength));
    const [method, crc] = [head.readUInt16LE(record.method), head.readUInt32LE(record.crc)];
    entries.push({ at: start + at, local, name, method, crc, packed, size });
    const lengths = [record.nameLength, record.extraLength, record.commentLength];
    at += lengths.reduce((sum, field) => sum + head.readUInt16LE(field), record.bytes);
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
