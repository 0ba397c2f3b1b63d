/** The cache folder of this user, and the check that no other user can have written the code in it. */
import type { Environment } from './environment-variables.ts';
import { userInfo } from 'node:os';
import path from 'node:path';
import { chmodSync, constants, lstatSync, readlinkSync, realpathSync, statSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { makeFolderSync } from './make-folder.ts';

export type CacheFolder = {
  /** null: nothing is cached, and the cache of earlier starts is not used. */
  path: string | null;
  /** Why the folder is not used, and what to do. null when it cannot be created: then only time is lost. */
  problem: string | null;
};

const remedy = 'set XDG_CACHE_HOME to a folder that other users cannot write to';

/**
 * Creates the cache folder of this user for Temporal's binary, bundled workflows and compiled modules. All of it is executed:
 * a folder that other users can write to is not used.
 */
export function openCacheFolder(env: Environment): CacheFolder {
  const home = env['HOME'] ?? findHome();
  const base = env['XDG_CACHE_HOME'] ?? '';
  // A relative XDG_CACHE_HOME is invalid and to be ignored (XDG Base Directory Specification).
  const root = path.isAbsolute(base) ? base : path.join(home, '.cache');
  // Programs without a user have the root folder as their home.
  if (!path.isAbsolute(root) || (root !== base && path.resolve(home) === '/')) {
    return { path: null, problem: `No cache folder is used: HOME is ${JSON.stringify(home)}. To use one, ${remedy}.` };
  }
  const folder = path.join(root, 'prospect-sync');
  try {
    const risk = openTrustedFolder(folder);
    if (risk === null) return { path: folder, problem: null };
    const problem = `The cache folder ${folder} is not used: ${risk}. Delete ${folder} and correct that, or ${remedy}.`;
    return { path: null, problem };
  } catch {
    return { path: null, problem: null };
  }
}

/** The folder for Node's compile cache; null when there is none. */
export function openCompiledFolder(env: Environment): string | null {
  const cache = openCacheFolder(env).path;
  if (cache === null) return null;
  const folder = path.join(cache, 'compiled');
  try {
    return openTrustedFolder(folder) === null ? folder : null;
  } catch {
    return null;
  }
}

function findHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    return ''; // a user id without an account, as containers may have
  }
}

// A folder or file is trusted when only this user and root can have written its content.

const writableByOthers = 0o022;
const stickyBit = 0o1000;
/** undefined on Windows, where access rights are not checked. */
const user = process.geteuid?.();

/**
 * Creates a missing folder with mode 0700. Returns why other users could change its content; null when they cannot: the folder
 * belongs to this user, its parent folders to this user or root, and other users may not write to any of them.
 * @throws the file system's error when the folder cannot be created
 */
export function openTrustedFolder(folder: string): string | null {
  if (!path.isAbsolute(folder)) return `${JSON.stringify(folder)} is not an absolute path`;
  const risk = findRisk(path.dirname(folder));
  if (risk !== null) return risk;
  makeFolderSync(folder, 0o700);
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) return `${folder} is a link or a file`;
  if (user === undefined) return null;
  if (stats.uid !== user) return `${folder} belongs to user ${stats.uid}`;
  if (stats.mode & writableByOthers) return `${folder} can be written by others (${toText(stats)})`;
  if (stats.mode & 0o077) closeToOthers(folder);
  return null;
}

/** Checks each link on the way, because its owner can change its target. */
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
  // In a folder with the sticky bit, such as /tmp, users can replace only their own files.
  const isOpen = (stats.mode & writableByOthers) !== 0 && (stats.mode & stickyBit) === 0;
  return isOpen ? `${place} can be written by others (${toText(stats)})` : null;
}

function closeToOthers(folder: string): void {
  try {
    chmodSync(folder, 0o700);
  } catch {
    // A read-only file system protects the content as well.
  }
}

function toText({ mode }: Stats): string {
  return `mode ${(mode & 0o7777).toString(8)}`;
}

/** True for a regular file of this user that other users cannot write. */
export function isTrustedFile(stats: Stats): boolean {
  if (!stats.isFile()) return false;
  return user === undefined || (stats.uid === user && (stats.mode & writableByOthers) === 0);
}

/** @throws Error when the file is missing, is a link, or can be written by other users */
export async function readTrustedFile(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    if (!isTrustedFile(await handle.stat())) throw new Error(`${file} belongs to others or can be written by others`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
