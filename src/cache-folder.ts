import { homedir } from 'node:os';
import path from 'node:path';

export type Environment = Record<string, string | undefined>;

/** Of this user, for what can be had again: Temporal's binary, bundled workflows, compiled modules. */
export function cacheFolder(env: Environment): string {
  const base = env['XDG_CACHE_HOME'];
  // A relative XDG_CACHE_HOME is invalid and to be ignored (XDG Base Directory Specification).
  const root = base !== undefined && path.isAbsolute(base) ? base : path.join(env['HOME'] ?? homedir(), '.cache');
  return path.join(root, 'prospect-sync');
}
