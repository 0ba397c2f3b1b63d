import path from 'node:path';
import type { Environment } from '../../host/cache-folder.ts';

const needed = ['HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'SystemRoot', 'TEMP', 'TMP'];

/**
 * The environment of a program that is not ours (Temporal, tar, Go): what every program needs, and the variables of these
 * names. Whatever else is set stays here, above all keys and the addresses of databases.
 */
export function programEnvironment(env: Environment, more: readonly string[] = []): Record<string, string> {
  const given: Record<string, string> = { PATH: toAbsoluteFolders(env['PATH']).join(path.delimiter) };
  for (const name of [...needed, ...more]) {
    const value = env[name];
    if (value !== undefined) given[name] = value;
  }
  return given;
}

/** Without empty and relative entries, which name whatever folder is the current one. */
export function toAbsoluteFolders(searchPath = ''): string[] {
  return searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}
