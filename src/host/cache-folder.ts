import { userInfo } from 'node:os';
import path from 'node:path';
import { openTrustedFolder } from './trusted-code-folder.ts';

export type Environment = Record<string, string | undefined>;

export type CacheFolder = {
  /** null: nothing is kept, and nothing that an earlier start kept is used. */
  path: string | null;
  /** One line, why it is not used and what to do; null also where it cannot be created, which costs nothing but time. */
  problem: string | null;
};

const remedy = 'set XDG_CACHE_HOME to a folder that nobody else can write';

/**
 * Of this user, for what can be had again: Temporal's binary, bundled workflows, compiled modules. All of it is run, so that
 * a folder in which others can write is not used. Created where it is missing.
 */
export function openCacheFolder(env: Environment): CacheFolder {
  const home = env['HOME'] ?? findHome();
  const base = env['XDG_CACHE_HOME'] ?? '';
  // A relative XDG_CACHE_HOME is invalid and to be ignored (XDG Base Directory Specification).
  const root = path.isAbsolute(base) ? base : path.join(home, '.cache');
  // Programs without a user have the root folder as their home.
  if (!path.isAbsolute(root) || (root !== base && path.resolve(home) === '/')) {
    return { path: null, problem: `No cache folder is used: HOME is ${JSON.stringify(home)}. To have one, ${remedy}.` };
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

/** Where Node may keep modules in compiled form; null: nowhere. */
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
