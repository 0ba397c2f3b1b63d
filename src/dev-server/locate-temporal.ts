import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { buildTemporal } from './build-temporal.ts';
import { downloadTemporal } from './download-temporal.ts';
import { withFileLock } from './file-lock.ts';
import { cacheFolder, type Environment } from '../cache-folder.ts';
import { cachedBinaryPath, cliVersion, findOnPath, isExecutable, readVersion } from './temporal-binary.ts';
import type { TemporalBinary } from './temporal-binary.ts';
import { TemporalUnavailableError, causeOf } from './temporal-unavailable-error.ts';

export type LocateOptions = {
  env: Environment;
  say: (text: string) => void;
  cacheDir?: string;
  fetch?: typeof fetch;
  build?: typeof buildTemporal;
};

/**
 * Finds the Temporal CLI or gets it: on PATH, in the cache folder, by download, by a build from source. Each step is
 * told in a line. Processes that want it at once wait for the first of them.
 * Throws TemporalUnavailableError, which lists the ways, when none works.
 */
export async function locateTemporal(options: LocateOptions): Promise<TemporalBinary> {
  const { env, say, cacheDir = cacheFolder(env) } = options;
  const ready = (await fromPath(env, say)) ?? (await fromCache(cacheDir, say));
  if (ready !== null) return ready;
  say(`Temporal: none on PATH, none in ${cacheDir}`);
  await mkdir(cacheDir, { recursive: true });
  const onWait = (seconds: number) => {
    say(`Temporal: another process is getting it, waiting for that, ${Math.round(seconds)} s`);
  };
  return withFileLock({ file: path.join(cacheDir, 'lock'), onWait }, async () => {
    return (await fromCache(cacheDir, say)) ?? (await obtain({ ...options, cacheDir }));
  });
}

async function fromPath(env: Environment, say: (text: string) => void): Promise<TemporalBinary | null> {
  const found = await findOnPath('temporal', env);
  if (found === null) return null;
  try {
    const version = await readVersion(found);
    say(`Temporal: using ${version}, found on PATH at ${found}`);
    return { path: found, version };
  } catch (error) {
    say(`Temporal: ${found} on PATH is of no use (${causeOf(error)})`);
    return null;
  }
}

async function fromCache(cacheDir: string, say: (text: string) => void): Promise<TemporalBinary | null> {
  const cached = cachedBinaryPath(cacheDir);
  if (!(await isExecutable(cached))) return null;
  try {
    const version = await readVersion(cached);
    say(`Temporal: using ${version} from the cache, ${cached}`);
    return { path: cached, version };
  } catch (error) {
    say(`Temporal: ${cached} is broken and will be replaced (${causeOf(error)})`);
    return null;
  }
}

type ObtainOptions = LocateOptions & { cacheDir: string };

async function obtain(options: ObtainOptions): Promise<TemporalBinary> {
  const { env, say, cacheDir, fetch = globalThis.fetch, build = buildTemporal } = options;
  const temporary = path.join(cacheDir, 'temporal.new');
  const failures: string[] = [];
  const attempt = async (name: string, get: () => Promise<void>): Promise<TemporalBinary | null> => {
    try {
      await rm(temporary, { force: true });
      await get();
      return await keep(temporary, cachedBinaryPath(cacheDir));
    } catch (error) {
      failures.push(`${name}: ${causeOf(error)}`);
      say(`Temporal: the ${name} did not work (${causeOf(error)})`);
      return null;
    }
  };
  say(`Temporal: downloading ${cliVersion}`);
  const binary =
    (await attempt('download', () => downloadTemporal({ fetch, to: temporary }))) ??
    (await attempt('build', () => build({ env, to: temporary, workFolder: path.join(cacheDir, 'build'), say })));
  if (binary === null) throw new TemporalUnavailableError('not-found', listWays(cacheDir, failures));
  say(`Temporal: ${binary.version} is now in the cache, ${binary.path}`);
  return binary;
}

async function keep(temporary: string, cached: string): Promise<TemporalBinary> {
  await chmod(temporary, 0o755);
  const version = await readVersion(temporary);
  if (version !== cliVersion) throw new Error(`it is version ${version}, not ${cliVersion}`);
  await rename(temporary, cached);
  return { path: cached, version };
}

function listWays(cacheDir: string, failures: string[]): string {
  return [
    'Temporal is needed and could not be had. One of these is enough:',
    '  - an existing service: set TEMPORAL_ADDRESS (and TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS_…), or TEMPORAL_PROFILE',
    '  - the Temporal CLI on PATH: https://docs.temporal.io/cli',
    `  - the Temporal CLI ${cliVersion} as ${cachedBinaryPath(cacheDir)}`,
    '  - access to https://temporal.download, and run this again',
    '  - Go 1.26 or newer on PATH with access to its module proxy, and run this again',
    ...failures.map((failure) => `Tried: ${failure}`),
  ].join('\n');
}
