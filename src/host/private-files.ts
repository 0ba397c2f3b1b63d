/** Folders and files for this user alone: they hold personal data, and whoever can open a lock can hold it. */
import { chmod, lstat, mkdir, open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { ExplainedError } from '../text/explained-error.ts';

const othersMay = 0o077;
const isSticky = 0o1000;

/** A folder or file that other users may have made, or could change. The message says what to do. */
export class PrivateFilesError extends ExplainedError {
  override readonly name = 'PrivateFilesError';
}

type Say = (text: string, level?: 'warn') => void;

/** Makes the folder where it is missing; `say` gets one line when it was open to others. @throws {PrivateFilesError} */
export async function makePrivateFolder(folder: string, say: Say = () => {}): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await narrowFolder(folder, say);
}

/** As `makePrivateFolder`; a folder that is missing is not made. */
export async function narrowFolder(folder: string, say: Say = () => {}): Promise<void> {
  const found = await orNull(stat(folder));
  if (found === null || !hasUsers()) return;
  if (!isOwn(found))
    throw new PrivateFilesError(
      `Folder ${folder} belongs to another user (uid ${found.uid}), who could read and replace what is kept there. Choose another one with --data-dir, or make it yours: chown`,
    );
  if ((found.mode & othersMay) === 0) return;
  if ((found.mode & isSticky) !== 0)
    throw new PrivateFilesError(`Folder ${folder} is shared by all users. Choose a folder below it with --data-dir`);
  await chmod(folder, 0o700);
  say(
    `Folder ${folder} was open to other users (${toOctal(found.mode)}): it is now for its owner only (0700).`,
    'warn',
  );
}

/**
 * Makes the file where it is missing, and takes the rights of others from one that is there. One that is there is never
 * opened: closing it would give up the locks that this process holds on it.
 * @throws {PrivateFilesError} for another user's, a pipe, or somebody else's link
 */
export async function makePrivateFile(file: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return null;
    throw error;
  });
  if (handle === null) await narrowFile(file);
  else await handle.close();
}

/** A file that is missing is not made. @throws {PrivateFilesError} */
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

/** All files in a folder that holds nothing but ours. @throws {PrivateFilesError} */
export async function narrowFilesIn(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (!entry.isDirectory()) await narrowFile(path.join(folder, entry.name));
}

/** Windows has other rights. */
function hasUsers(): boolean {
  return process.getuid !== undefined;
}

function isOwn({ uid }: { uid: number }): boolean {
  return uid === process.getuid?.();
}

function toOctal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}

/** null where there is nothing. */
async function orNull<T>(looked: Promise<T>): Promise<T | null> {
  return looked.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
