// The Temporal CLI as a file: the version this program is built for, and where such files lie.
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from '../../host/cache-folder.ts';
import { programEnvironment, toAbsoluteFolders } from './program-environment.ts';

/** tools/temporal/go.mod names the same version, and download-temporal.ts the digests of its archives. */
export const cliVersion = '1.8.2';

export type TemporalBinary = { path: string; version: string };

const run = promisify(execFile);

export function cachedBinaryPath(cacheDir: string): string {
  return path.join(cacheDir, `temporal-${cliVersion}`);
}

export async function findOnPath(name: string, env: Environment): Promise<string | null> {
  for (const folder of toAbsoluteFolders(env['PATH'])) {
    const candidate = path.join(folder, name);
    if (await isExecutable(candidate)) return candidate;
  }
  return null;
}

/** `1.8.2` from `temporal version 1.8.2 (Server 1.31.2, UI 2.50.1)`. Throws when the file does not run or is something else. */
export async function readVersion(binary: string, env: Environment): Promise<string> {
  const { stdout } = await run(binary, ['--version'], { timeout: 20_000, env: programEnvironment(env) });
  const version = /^temporal version (\S+)/.exec(stdout)?.[1];
  if (version === undefined) throw new Error(`${binary} --version does not answer like the Temporal CLI`);
  return version;
}

export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
