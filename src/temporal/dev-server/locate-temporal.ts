import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildTemporal } from './build-temporal.ts';
import { downloadTemporal } from './download-temporal.ts';
import { withFileLock } from './file-lock.ts';
import { openCacheFolder, type Environment, openTrustedFolder } from '../../host/cache-folder.ts';
import {
  expectRecorded,
  replaceRecorded,
  cachedBinaryPath,
  cliVersion,
  findOnPath,
  isExecutable,
  readVersion,
  type TemporalBinary,
} from './temporal-binary.ts';
import { TemporalUnavailableError, causeOf } from '../temporal-unavailable-error.ts';

export type LocateOptions = {
  env: Environment;
  say: (text: string) => void;
  /** Folder of the binary when there is no cache folder. */
  dataDir?: string;
  /** Folder of the binary. Default: the cache folder. */
  cacheDir?: string;
  fetch?: typeof fetch;
  build?: typeof buildTemporal;
};

/**
 * Finds or installs the Temporal CLI: on PATH, in the cache folder, by download, by a build from source. Prints a line for each step.
 * Of several processes, one installs it and the others wait.
 * Throws TemporalUnavailableError with the possible remedies when no way succeeds.
 */
export async function locateTemporal(options: LocateOptions): Promise<TemporalBinary> {
  const { env, say } = options;
  const found = await fromPath(env, say);
  if (found !== null) return found;
  const cacheDir = options.cacheDir ?? chooseFolder(options);
  const cached = await fromCache(cacheDir, env, say);
  if (cached !== null) return cached;
  say(`Temporal: the CLI is neither on PATH nor in ${cacheDir}`);
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  const onWait = (seconds: number) => {
    say(`Temporal: waiting for another process that installs the CLI, ${Math.round(seconds)} s`);
  };
  const file = path.join(cacheDir, 'lock');
  await writeFile(file, '', { flag: 'a', mode: 0o600 });
  return withFileLock({ file, onWait }, async () => {
    return (await fromCache(cacheDir, env, say)) ?? (await obtain({ ...options, cacheDir }));
  });
}

/** The cache folder, or another folder in which no other user can replace the executable. */
function chooseFolder({ env, dataDir }: LocateOptions): string {
  const cache = openCacheFolder(env);
  if (cache.path !== null) return cache.path;
  const others = [
    ...(dataDir === undefined ? [] : [path.resolve(dataDir, 'temporal', 'bin')]),
    path.join(tmpdir(), `prospect-sync-${process.geteuid?.() ?? 'user'}`),
  ];
  const risks: string[] = [];
  for (const folder of others) {
    try {
      const risk = openTrustedFolder(folder);
      if (risk === null) return folder;
      risks.push(risk);
    } catch (error) {
      risks.push(causeOf(error));
    }
  }
  throw new TemporalUnavailableError(
    'not-found',
    [
      `The Temporal CLI is required, but there is no folder for it that only this user can write to: ${risks.join('; ')}.`,
      cache.problem ?? 'Set XDG_CACHE_HOME to such a folder.',
    ].join(' '),
  );
}

async function fromPath(env: Environment, say: (text: string) => void): Promise<TemporalBinary | null> {
  const found = await findOnPath('temporal', env);
  if (found === null) return null;
  try {
    const version = await readVersion(found, env);
    say(`Temporal: using ${version}, found on PATH at ${found}`);
    return { path: found, version };
  } catch (error) {
    say(`Temporal: ${found} on PATH cannot be used (${causeOf(error)})`);
    return null;
  }
}

async function fromCache(
  cacheDir: string,
  env: Environment,
  say: (text: string) => void,
): Promise<TemporalBinary | null> {
  const cached = cachedBinaryPath(cacheDir);
  if (!(await isExecutable(cached))) return null;
  try {
    await expectRecorded(cached);
    const version = await readVersion(cached, env);
    say(`Temporal: using ${version} from the cache, ${cached}`);
    return { path: cached, version };
  } catch (error) {
    say(`Temporal: ${cached} cannot be used and will be replaced (${causeOf(error)})`);
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
      return await keep(temporary, cachedBinaryPath(cacheDir), env);
    } catch (error) {
      failures.push(`${name}: ${causeOf(error)}`);
      say(`Temporal: the ${name} failed (${causeOf(error)})`);
      return null;
    }
  };
  say(`Temporal: downloading ${cliVersion}`);
  const binary =
    (await attempt('download', () => downloadTemporal({ fetch, env, to: temporary }))) ??
    (await attempt('build', () => build({ env, to: temporary, workFolder: path.join(cacheDir, 'build'), say })));
  if (binary === null) throw new TemporalUnavailableError('not-found', listWays(cacheDir, failures));
  say(`Temporal: installed ${binary.version} in the cache, ${binary.path}`);
  return binary;
}

async function keep(temporary: string, cached: string, env: Environment): Promise<TemporalBinary> {
  await chmod(temporary, 0o700);
  const version = await readVersion(temporary, env);
  if (version !== cliVersion) throw new Error(`it is version ${version}, not ${cliVersion}`);
  await replaceRecorded(temporary, cached);
  return { path: cached, version };
}

function listWays(cacheDir: string, failures: string[]): string {
  return [
    'The Temporal CLI is required and could not be installed. Provide one of these:',
    '  - an existing service: set TEMPORAL_ADDRESS (and TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS_…), or TEMPORAL_PROFILE',
    '  - the Temporal CLI on PATH: https://docs.temporal.io/cli',
    `  - the Temporal CLI ${cliVersion} as ${cachedBinaryPath(cacheDir)}`,
    '  - access to https://temporal.download; then try again',
    '  - Go 1.26.4 or newer on PATH, with access to its module proxy; then try again',
    ...failures.map((failure) => `Tried: ${failure}`),
  ].join('\n');
}
