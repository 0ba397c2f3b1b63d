/** Writes a file completely or not at all: to a temporary file of its own, which is synced and renamed, or removed on failure and on abort. */
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { temporaryFileGone, toSpreadsheetError, SpreadsheetError } from './spreadsheet-error.ts';
import { createReadStream } from 'node:fs';
import { makeFolder } from '../host/make-folder.ts';
import { rejectOnAbort } from '../host/reject-on-abort.ts';
import { dayMs } from '../day-milliseconds.ts';

/** Recognizable also in folders with files of other programs, and short enough for every file system. */
const temporaryPrefix = '.prospect-sync-';
const temporarySuffix = '.part';
const longestPauseMs = dayMs;
/** Mode bit of a folder whose new files belong to the group of the folder. */
const setgid = 0o2000;

/** `open` of node:fs/promises, which tests replace. */
export type OpenFile = (path: string, flags: 'wx+') => Promise<FileHandle>;

export interface WholeFileOptions {
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
  /** Replaced by tests. */
  readonly openFile?: OpenFile | undefined;
}

export interface GrowingFile {
  /** Resolves when the operating system has accepted the bytes, which gives writers backpressure. */
  append(chunk: string | Uint8Array): Promise<void>;
}

/**
 * Creates the folder, calls `fill`, then renames the file. Its content may be about people: only its owner can read it, and in a folder with
 * the setgid bit, which is shared by a group, the group. Errors of the operating system become SpreadsheetError; errors of `fill` and
 * the reason of an abort are thrown unchanged. Several writers of the same path do not disturb each other: the file is always one of
 * their complete files, in the end that of the last one.
 */
export async function writeWholeFile(
  { path, signal, openFile = openForOwner }: WholeFileOptions,
  fill: (file: GrowingFile) => Promise<void>,
): Promise<{ bytes: number; sha256: string }> {
  const attempt = async <T>(step: () => Promise<T>): Promise<T> => {
    try {
      return await step();
    } catch (error) {
      throw toSpreadsheetError(error, path, 'writing');
    }
  };
  /** The folder exists: when the system misses a file, somebody has deleted the temporary file or the folder. */
  const attemptThere = <T>(step: () => Promise<T>): Promise<T> =>
    attempt(step).catch((error: unknown) => {
      if (!(error instanceof SpreadsheetError) || error.code !== 'ENOENT') throw error;
      const problem = 'its temporary file was deleted before it was complete';
      throw new SpreadsheetError({ path, action: 'writing', problem, code: temporaryFileGone });
    });
  signal?.throwIfAborted();
  const folder = dirname(path);
  const temporary = join(folder, `${temporaryPrefix}${randomUUID()}${temporarySuffix}`);
  await makeFolder(folder, 0o700).catch((error: unknown) => {
    const failed = toSpreadsheetError(error, path, 'writing');
    if (failed.code === 'ENOENT') throw new SpreadsheetError({ ...failed.facts, problem: noFiles(folder) });
    if (!isFileInPath(failed)) throw failed;
    const problem = `a part of ${folder} is a file, not a folder. Rename that file or choose another folder, then run again`;
    throw new SpreadsheetError({ path, action: 'writing', problem, code: failed.code ?? '' });
  });
  await removeLeftovers(folder);
  const handle = await attemptThere(() => openFile(temporary, 'wx+'));
  try {
    await attemptThere(() => openToGroup(handle, folder));
    await fill({ append: (chunk) => attempt(() => handle.appendFile(chunk)) });
    signal?.throwIfAborted();
    const digest = await attempt(async () => {
      await handle.sync();
      return digestOf(handle);
    });
    await attempt(() => handle.close());
    await attemptThere(() => rename(temporary, path));
    await syncFolder(folder);
    return digest;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

function openForOwner(file: string, flags: 'wx+'): Promise<FileHandle> {
  return open(file, flags, 0o600);
}

async function openToGroup(handle: FileHandle, folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & setgid) !== 0) await handle.chmod(0o640);
}

function noFiles(folder: string): string {
  return `${folder} cannot be created: its file system holds no files, or a part of the path is a link to nothing. Choose another folder, then run again`;
}

/** Depends on which part of the path is the file. */
function isFileInPath({ code }: SpreadsheetError): boolean {
  return code === 'EEXIST' || code === 'ENOTDIR';
}

/**
 * Removes temporary files of killed processes, of whatever file of the folder: a file that is written only once would keep its leftover.
 * Only age shows that a writer is gone. Its pid does not: it may run in another container or on another machine that shares the folder.
 * A writer may pause, with its computer or while it waits for rows, but one that has written nothing for a day has long been replaced
 * by another attempt; if it continues nevertheless, it fails with `temporaryFileGone` and can be repeated.
 * What cannot be read or removed is left for the next time.
 */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(temporaryPrefix) || !name.endsWith(temporarySuffix)) continue;
    const leftover = join(folder, name);
    const found = await stat(leftover).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > longestPauseMs)
      await rm(leftover, { force: true }).catch(() => undefined);
  }
}

/** Hashes the bytes that are read back from the disk. */
async function digestOf(handle: FileHandle): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(1024 * 1024);
  let position = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return { bytes: position, sha256: hash.digest('hex') };
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}

/** Makes the new name durable. Windows cannot open folders, and skips this step. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close().catch(() => undefined);
}

/** SHA-256 of a regular file in hex, or null when it cannot be read. */
export async function fileDigest(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await assertRegularFile(path);
    for await (const chunk of createReadStream(path)) hash.update(chunk);
    return hash.digest('hex');
  } catch {
    return null;
  }
}

/** Opening a named pipe or a device may wait forever. A folder passes: opening it fails at once. @throws SpreadsheetError */
export async function assertRegularFile(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw toSpreadsheetError(error, path, 'reading');
  });
  if (found.isFile() || found.isDirectory()) return;
  throw new SpreadsheetError({ path, action: 'reading', problem: 'it is not a regular file' });
}

/** The batches of a source until the signal is aborted, also while the source has not produced the next one. */
export async function* interruptible<T>(source: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  const batches = source[Symbol.asyncIterator]();
  let finished = false;
  try {
    for (;;) {
      const batch = await rejectOnAbort(batches.next(), signal);
      finished = batch.done === true;
      if (batch.done === true) return;
      yield batch.value;
    }
  } finally {
    // Not awaited: a source that hangs would hold up the removal of the unfinished file.
    if (!finished) void Promise.resolve(batches.return?.()).catch(() => undefined);
  }
}
