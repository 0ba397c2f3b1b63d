import type { FileHandle } from 'node:fs/promises';

const endRecord = { signature: 0x06054b50, bytes: 22, count: 10, size: 12, offset: 16 };
const central = {
  signature: 0x02014b50,
  bytes: 46,
  date: 12,
  nameLength: 28,
  extraLength: 30,
  commentLength: 32,
  local: 42,
};
const local = { date: 10 };
/** 1980-01-01 00:00, where the zip format's calendar begins: time 0, then day 1, month 1, year 0. */
const dawn = Buffer.from([0, 0, 0x21, 0]);

/**
 * Gives every entry of a finished zip file the same date, so that equal content makes equal bytes and an equal SHA-256.
 * exceljs has no setting for it. Layout: APPNOTE.TXT 4.3.7, 4.3.12, 4.3.16; no archive comment, no zip64 (over 4 GB the
 * dates stay as they are).
 */
export async function levelZipDates(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat();
  const end = await read(handle, size - endRecord.bytes, endRecord.bytes);
  if (end.readUInt32LE(0) !== endRecord.signature || end.readUInt32LE(endRecord.offset) === 0xffffffff) return;
  const start = end.readUInt32LE(endRecord.offset);
  const directory = await read(handle, start, end.readUInt32LE(endRecord.size));
  let at = 0;
  for (let entry = 0; entry < end.readUInt16LE(endRecord.count); entry += 1) {
    if (directory.readUInt32LE(at) !== central.signature) throw new Error('the zip directory is not as written');
    await handle.write(dawn, 0, dawn.length, start + at + central.date);
    await handle.write(dawn, 0, dawn.length, directory.readUInt32LE(at + central.local) + local.date);
    const lengths = [central.nameLength, central.extraLength, central.commentLength];
    at += lengths.reduce((sum, field) => sum + directory.readUInt16LE(at + field), central.bytes);
  }
}

async function read(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  await handle.read(buffer, 0, length, position);
  return buffer;
}
