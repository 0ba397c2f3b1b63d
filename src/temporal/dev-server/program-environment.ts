import type { Environment } from '../../base/host/environment-variables.ts';
import path from 'node:path';

const requiredNames = ['HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'SystemRoot', 'TEMP', 'TMP'];

/**
 * The environment of an external program (Temporal, tar, Go): the variables that every program needs, and those in `more`.
 * Other variables are not passed on, because they may contain keys and database addresses.
 */
export function programEnvironment(env: Environment, more: readonly string[] = []): Record<string, string> {
  const variables: Record<string, string> = { PATH: toAbsoluteFolders(env['PATH']).join(path.delimiter) };
  for (const name of [...requiredNames, ...more]) {
    const value = env[name];
    if (value !== undefined) variables[name] = value;
  }
  return variables;
}

/** Omits empty and relative entries, which depend on the current folder. */
export function toAbsoluteFolders(searchPath = ''): string[] {
  return searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}
