// The executable of the Temporal CLI: its version, its location, and the record of its digest beside the cached file.
import type { Environment } from '../../base/host/environment-variables.ts';
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, constants, lstat, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import * as z from 'zod';
import { isTrustedFile, readTrustedFile } from '../../base/host/cache-folder.ts';
import { programEnvironment, toAbsoluteFolders } from './program-environment.ts';

/** tools/temporal/go.mod names the same version, and download-temporal.ts the digests of its archives. */
export const cliVersion = '1.8.2';

export type TemporalBinary = { path: string; version: string };

const run = promisify(execFile);

export function cachedBinaryPath(cacheDir: string): string {
  return path.join(cacheDir, `temporal-${cliVersion}`);
}

export async function findOnPath(name: string, env: Environment): Promise<string | null> {
  for (const folder of toAbsoluteFolders(env['PATH'])) {
    const candidate = path.join(folder, name);
    if (await isExecutable(candidate)) return candidate;
  }
  return null;
}

/** `1.8.2` from `temporal version 1.8.2 (Server 1.31.2, UI 2.50.1)`. Throws when the file does not run or is another program. */
export async function readVersion(binary: string, env: Environment): Promise<string> {
  const { stdout } = await run(binary, ['--version'], { timeout: 20_000, env: programEnvironment(env) });
  const version = /^temporal version (\S+)/.exec(stdout)?.[1];
  if (version === undefined) throw new Error(`${binary} --version does not answer like the Temporal CLI`);
  return version;
}

export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const recordSchema = z.object({
  sha256: z.string(),
  /** The file's state when its digest was last computed. */
  file: z.object({ size: z.number(), mtimeMs: z.number(), ctimeMs: z.number(), ino: z.number() }),
});
type BinaryRecord = z.infer<typeof recordSchema>;

/**
 * Throws when the file differs from its record, belongs to another user, or can be written by other users. A file without a record,
 * which a user put there, is recorded now. The digest is computed only when the file seems to have changed.
 */
export async function expectRecorded(binary: string): Promise<void> {
  const file = await describeFile(binary);
  const record = await readRecord(binary);
  if (record !== null && isSame(record.file, file)) return;
  const sha256 = await digestFile(binary);
  if (record !== null && record.sha256 !== sha256)
    throw new Error(`its SHA-256 is ${sha256}, recorded was ${record.sha256}`);
  // If the record cannot be written, the next start computes the digest again.
  await writeRecord(binary, { sha256, file }).catch(() => {});
}

/** Moves a new executable to its place, and records it. The record of its predecessor is removed first. */
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

/** null when there is none, or it cannot be read: a user who can damage the record can also replace the executable. */
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
