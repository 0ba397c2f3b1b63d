// What is known of the Temporal CLI in the cache: a file beside it holds its digest from the time when it was obtained.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, rename, rm, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { isTrustedFile, readTrustedFile } from '../../host/cache-folder.ts';

const recordSchema = z.object({
  sha256: z.string(),
  /** Of the file when its digest was computed last. */
  file: z.object({ size: z.number(), mtimeMs: z.number(), ctimeMs: z.number(), ino: z.number() }),
});
type BinaryRecord = z.infer<typeof recordSchema>;

/**
 * Throws when the file is not the one that was recorded, belongs to others, or can be written by them. One that has no
 * record, since a person has put it there, is recorded now. A digest is computed only when the file seems to have changed.
 */
export async function expectRecorded(binary: string): Promise<void> {
  const file = await describeFile(binary);
  const record = await readRecord(binary);
  if (record !== null && isSame(record.file, file)) return;
  const sha256 = await digestFile(binary);
  if (record !== null && record.sha256 !== sha256)
    throw new Error(`its SHA-256 is ${sha256}, recorded was ${record.sha256}`);
  // The next start computes it again where it cannot be kept.
  await writeRecord(binary, { sha256, file }).catch(() => {});
}

/** Puts a new executable into its place, and records it. A record of its predecessor never remains beside it. */
export async function replaceRecorded(temporary: string, binary: string): Promise<void> {
  await rm(recordFile(binary), { force: true });
  await rename(temporary, binary);
  await writeRecord(binary, { sha256: await digestFile(binary), file: await describeFile(binary) });
}

/** SHA-256, in hexadecimal. */
export async function digestFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function describeFile(binary: string): Promise<BinaryRecord['file']> {
  const stats = await lstat(binary);
  if (!isTrustedFile(stats)) throw new Error('it is a link, belongs to another user, or can be written by others');
  const { size, mtimeMs, ctimeMs, ino } = stats;
  return { size, mtimeMs, ctimeMs, ino };
}

function isSame(one: BinaryRecord['file'], other: BinaryRecord['file']): boolean {
  return (
    one.size === other.size && one.mtimeMs === other.mtimeMs && one.ctimeMs === other.ctimeMs && one.ino === other.ino
  );
}

/** null when there is none. One that cannot be read is none: whoever can spoil it can replace the executable too. */
async function readRecord(binary: string): Promise<BinaryRecord | null> {
  try {
    return recordSchema.parse(JSON.parse(await readTrustedFile(recordFile(binary))));
  } catch {
    return null;
  }
}

async function writeRecord(binary: string, record: BinaryRecord): Promise<void> {
  const unfinished = `${recordFile(binary)}.${randomUUID()}`;
  await writeFile(unfinished, JSON.stringify(record), { mode: 0o600 });
  await rename(unfinished, recordFile(binary));
}

function recordFile(binary: string): string {
  return `${binary}.json`;
}
