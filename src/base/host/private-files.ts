/** Folders and files that only this user can access: they contain personal data, and anyone who can open a lock file can block it. */
import { chmod, lstat, open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { types } from 'node:util';
import { findFolderProblem } from './folder-problem.ts';
import { makeFolder } from './make-folder.ts';
import { ExplainedError } from '../text/explained-error.ts';
import { describeSystemError } from '../failures/system-code.ts';

const othersMay = 0o077;
const othersMayWrite = 0o022;
const isSticky = 0o1000;

/** A folder or file may come from other users, or they could change it. The message says what to do. */
class PrivateFilesError extends ExplainedError {
  override readonly name = 'PrivateFilesError';
}

/** Creates a missing folder. The mode of an existing one is not changed: it may hold other files. @throws {PrivateFilesError} */
export async function makePrivateFolder(folder: string): Promise<void> {
  await makeFolder(folder, 0o700).catch(async (error: unknown) => {
    throw await explained(error, folder);
  });
  await assertOwnFolder(folder);
}

/** A folder in which other users cannot replace files, or a missing one. @throws {PrivateFilesError} */
export async function assertOwnFolder(folder: string): Promise<void> {
  const found = await orNull(stat(folder)).catch(async (error: unknown) => {
    throw await explained(error, folder);
  });
  if (found === null) return;
  if (!found.isDirectory())
    throw new PrivateFilesError(`${folder} is not a folder. Choose a folder with --data-dir; it was not changed`);
  if (!hasUsers()) return;
  if (!isOwn(found))
    throw new PrivateFilesError(
      `Folder ${folder} belongs to another user (uid ${found.uid}), who could read and replace what is kept there. Choose another one with --data-dir, or make it yours: chown`,
    );
  if ((found.mode & othersMayWrite) === 0) return;
  if ((found.mode & isSticky) !== 0)
    throw new PrivateFilesError(`Folder ${folder} is shared by all users. Choose a folder below it with --data-dir`);
  throw new PrivateFilesError(
    `Other users can change the files in folder ${folder} (${toOctal(found.mode)}), which was not changed. Run chmod go-w ${folder}, or choose another folder with --data-dir`,
  );
}

/**
 * Creates a missing file, and removes the rights of other users from an existing one. An existing file is never opened:
 * closing it would release the locks of this process.
 * @returns whether it was created
 * @throws {PrivateFilesError} for a pipe, and for a file or link of another user
 */
export async function makePrivateFile(file: string): Promise<boolean> {
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return null;
    throw error;
  });
  if (handle === null) await narrowFile(file);
  else await handle.close();
  return handle !== null;
}

/** As `makePrivateFile`, but does not create a missing file. @throws {PrivateFilesError} */
export async function narrowFile(file: string): Promise<void> {
  const link = await orNull(lstat(file));
  if (link === null || !hasUsers()) return;
  const found = link.isSymbolicLink() ? await orNull(stat(file)) : link;
  if (found === null || !found.isFile() || !isOwn(found) || !isOwn(link))
    throw new PrivateFilesError(
      `${file} is not a file of this user (uid ${process.getuid?.()}). Remove it, then try again`,
    );
  if ((found.mode & othersMay) !== 0) await chmod(file, 0o600);
}

/** Narrows all files of a folder that belongs to prospect-sync. @throws {PrivateFilesError} */
export async function narrowFilesIn(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (!entry.isDirectory()) await narrowFile(path.join(folder, entry.name));
}

async function explained(error: unknown, folder: string): Promise<unknown> {
  if (!types.isNativeError(error) || !('code' in error)) return error;
  const problem = (await findFolderProblem(folder)) ?? `${folder} cannot be used: ${describeSystemError(error)}`;
  return new PrivateFilesError(`${problem}. Correct it, or choose another folder with --data-dir`);
}

/** False on Windows, whose access rights differ. */
function hasUsers(): boolean {
  return process.getuid !== undefined;
}

function isOwn({ uid }: { uid: number }): boolean {
  return uid === process.getuid?.();
}

function toOctal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}

/** null when the file does not exist. */
async function orNull<T>(stats: Promise<T>): Promise<T | null> {
  return stats.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
