/**
 * Opens the SQLite file of another program without leaving anything behind. In WAL mode even a reader creates the files -wal and -shm, with its own
 * user: the program may then be unable to open its database (https://sqlite.org/wal.html#readonly).
 */
import { copyFile, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemCodeOf } from '../../../base/failures/system-code.ts';

export interface ReadableFile {
  readonly path: string;
  /** No program has the file open, so that SQLite can read it without locks and creates no files beside it. */
  readonly isImmutable: boolean;
  /** True if the file has changed since: what was read may be parts of several states. */
  readonly hasChanged: () => Promise<boolean>;
  /** Removes a copy. */
  readonly close: () => Promise<void>;
}

/** @throws the error of the operating system */
export async function openReadable(file: string): Promise<ReadableFile> {
  const asItIs = { path: file, isImmutable: false, hasChanged: () => Promise.resolve(false), close: async () => {} };
  // With -shm, the program is running, or has left all that a reader needs.
  if (!(await isWal(file)) || (await sizeOf(`${file}-shm`)) !== null) return asItIs;
  const before = await identify(file);
  const hasChanged = async () => (await identify(file)) !== before;
  if (((await sizeOf(`${file}-wal`)) ?? 0) === 0) return { ...asItIs, isImmutable: true, hasChanged };
  // The program was killed: its last transactions are in -wal only.
  const folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-sqlite-'));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    const copy = path.join(folder, 'copy.db');
    for (const suffix of ['', '-wal']) await copyFile(file + suffix, copy + suffix);
    return { path: copy, isImmutable: false, hasChanged, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** https://sqlite.org/fileformat.html#file_format_version_numbers */
const readVersionAt = 19;

async function isWal(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, readVersionAt);
    return bytesRead === 1 && buffer[0] === 2;
  } finally {
    await handle.close();
  }
}

async function sizeOf(file: string): Promise<number | null> {
  return stat(file).then(
    ({ size }) => size,
    (error: unknown) => {
      if (systemCodeOf(error) === 'ENOENT') return null;
      throw error;
    },
  );
}

async function identify(file: string): Promise<string> {
  const { ino, size, mtimeNs } = await stat(file, { bigint: true });
  return `${ino} ${size} ${mtimeNs} ${await sizeOf(`${file}-wal`)}`;
}
