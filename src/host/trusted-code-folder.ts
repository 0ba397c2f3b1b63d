// Folders and files whose content is run: nobody but this user and root can have put it there.
import { chmodSync, constants, lstatSync, mkdirSync, readlinkSync, realpathSync, statSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';

const writableByOthers = 0o022;
const stickyBit = 0o1000;
/** undefined on Windows, whose access lists are not looked at. */
const user = process.geteuid?.();

/**
 * Creates the folder where it is missing, with mode 0700. Returns why others could change what lies in it, in words; null
 * when they cannot: it belongs to this user, each folder above it to this user or root, and nobody else may write to them.
 * @throws the file system's error when it is missing and cannot be created
 */
export function openTrustedFolder(folder: string): string | null {
  if (!path.isAbsolute(folder)) return `${JSON.stringify(folder)} is not an absolute path`;
  const risk = findRisk(path.dirname(folder));
  if (risk !== null) return risk;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) return `${folder} is a link or a file`;
  if (user === undefined) return null;
  if (stats.uid !== user) return `${folder} belongs to user ${stats.uid}`;
  if (stats.mode & writableByOthers) return `${folder} can be written by others (${toText(stats)})`;
  if (stats.mode & 0o077) closeToOthers(folder);
  return null;
}

/** Follows links by itself, since whoever may replace a link decides where it leads. */
function findRisk(place: string): string | null {
  const above = path.dirname(place);
  const risk = above === place ? null : findRisk(above);
  if (risk !== null || user === undefined) return risk;
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (stats.uid !== user && stats.uid !== 0) return `${place} belongs to user ${stats.uid}`;
  if (stats.isSymbolicLink()) {
    statSync(place); // throws for a circle of links
    return findRisk(path.resolve(realpathSync(above), readlinkSync(place)));
  }
  // In a folder with the sticky bit, as /tmp, nobody can replace what belongs to somebody else.
  const isOpen = (stats.mode & writableByOthers) !== 0 && (stats.mode & stickyBit) === 0;
  return isOpen ? `${place} can be written by others (${toText(stats)})` : null;
}

function closeToOthers(folder: string): void {
  try {
    chmodSync(folder, 0o700);
  } catch {
    // On a read-only file system others can only read.
  }
}

function toText({ mode }: Stats): string {
  return `mode ${(mode & 0o7777).toString(8)}`;
}

/** Whether it is a plain file of this user that nobody else can write. */
export function isTrustedFile(stats: Stats): boolean {
  if (!stats.isFile()) return false;
  return user === undefined || (stats.uid === user && (stats.mode & writableByOthers) === 0);
}

/** @throws Error where there is no such file, or one that others can write or that is a link */
export async function readTrustedFile(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    if (!isTrustedFile(await handle.stat())) throw new Error(`${file} belongs to others or can be written by others`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
