// Downloads the Temporal CLI like the test environment of the SDK (sdk-core, ephemeral_server/mod.rs): an index contains the address of
// the archive. The SDK downloads and starts a server in one step, without a timeout, and checks no digest.
import type { Environment } from '../../base/host/environment-variables.ts';
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { lstat, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import * as z from 'zod';
import { redirectStatuses } from '../../base/http/http-answer.ts';

import { programEnvironment } from './program-environment.ts';
import { digestFile, cliVersion, findOnPath } from './temporal-binary.ts';

/** SHA-256 of the archives, from checksums.txt of the release v1.8.2 of github.com/temporalio/cli. */
const archiveDigests: Readonly<Record<string, string>> = {
  'darwin-arm64': 'dacdc3587682c04cf27e67c8878ca2d755230b6ad63c0c6ebddd7348ae90ed94',
  'darwin-x64': '489d7f5420cae02b559774ac23df035141954c33a51dba96f5759a0ddccdf1b6',
  'linux-arm64': '83600a8fac6e3da54093e5da6918d399f501532b9f1172235603f9606f4ac6e4',
  'linux-x64': 'd8421bda989e6514b4bdb4d63a9012a8a05a806892e881a5aad8510496349a94',
};
const indexUrl = `https://temporal.download/cli/v${cliVersion}`;
/** The index has addresses at temporal.download, which redirects to GitHub; GitHub redirects to its storage. */
const hosts = [
  'temporal.download',
  'github.com',
  'objects.githubusercontent.com',
  'release-assets.githubusercontent.com',
];
const mostRedirects = 5;
const mostIndexBytes = 64 * 1024;
/** The archive of 1.8.2 has 48 MB. */
const mostArchiveBytes = 200e6;

const indexSchema = z.object({ archiveUrl: z.url(), fileToExtract: z.string().regex(/^\w[\w.-]*$/) });
const run = promisify(execFile);

type DownloadOptions = {
  fetch: typeof fetch;
  env: Environment;
  /** The executable file to write. */
  to: string;
  /** An empty folder for the archive. */
  workFolder: string;
  /** Time limit between two parts of an answer. */
  silenceSeconds?: number;
  platform?: string;
  arch?: string;
  /** SHA-256 of the archives by platform and architecture. Default: the vendor's. */
  digests?: Readonly<Record<string, string>>;
};

/**
 * Downloads the vendor's archive, checks its digest, and writes its executable. Throws when there is no network, no answer, or no archive
 * for this machine.
 */
export async function downloadTemporal(options: DownloadOptions): Promise<void> {
  const { to, env, workFolder, platform = process.platform, arch = process.arch, digests = archiveDigests } = options;
  const expected = digests[`${platform}-${arch}`];
  if (expected === undefined) throw new Error(`no archive with a known digest for ${platform} on ${arch}`);
  const archive = path.join(workFolder, 'temporal.tar.gz');
  const member = await fetchArchive({ ...options, archive, platform, arch });
  const digest = await digestFile(archive);
  if (digest !== expected)
    throw new Error(`the archive is not the vendor's: its SHA-256 is ${digest}, not ${expected}`);
  await extract(archive, member, env);
  await rename(path.join(workFolder, member), to);
}

type ArchiveOptions = DownloadOptions & { archive: string; platform: string; arch: string };

/** Returns the name of the executable in the archive. */
async function fetchArchive(options: ArchiveOptions): Promise<string> {
  const { fetch, workFolder, archive, platform, arch, silenceSeconds = 10 } = options;
  const abort = new AbortController();
  const { signal } = abort;
  const giveUp = () => abort.abort(new Error(`no answer within ${silenceSeconds} s`));
  const silence = setTimeout(giveUp, silenceSeconds * 1000);
  const save = async (url: string, file: string, mostBytes: number) => {
    const { body } = await fetchFromVendor(url, { fetch, signal });
    if (body === null) throw new Error('the answer is empty');
    const watch = limitBytes(mostBytes, () => silence.refresh());
    await pipeline(Readable.fromWeb(body), watch, createWriteStream(file), { signal });
  };
  try {
    const query = new URLSearchParams({ arch: arch === 'x64' ? 'amd64' : arch, platform, format: 'tar.gz' });
    const index = path.join(workFolder, 'index.json');
    await save(`${indexUrl}?${query.toString()}`, index, mostIndexBytes);
    const { archiveUrl, fileToExtract } = indexSchema.parse(JSON.parse(await readFile(index, 'utf8')));
    await save(archiveUrl, archive, mostArchiveBytes);
    return fileToExtract;
  } catch (error) {
    throw signal.aborted ? signal.reason : error; // a pipeline reports its abort without the reason
  } finally {
    clearTimeout(silence);
  }
}

/** Follows redirects itself, to check each address before a request is sent there. */
async function fetchFromVendor(
  address: string,
  { fetch, signal }: Pick<DownloadOptions, 'fetch'> & { signal: AbortSignal },
): Promise<Response> {
  let url = new URL(address);
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    expectVendor(url);
    const response = await fetch(url.href, { signal, redirect: 'manual' });
    if (response.ok) return response;
    await response.body?.cancel();
    const location = response.headers.get('location');
    if (!redirectStatuses.includes(response.status) || location === null)
      throw new Error(`the download server answered with status ${response.status}`);
    url = new URL(location, url);
  }
  throw new Error(`the download server redirected more than ${mostRedirects} times`);
}

function expectVendor({ protocol, host, username, password }: URL): void {
  if (protocol === 'https:' && hosts.includes(host) && username === '' && password === '') return;
  throw new Error(`the download was redirected to ${protocol}//${host}; allowed are ${hosts.join(', ')} over https`);
}

function limitBytes(most: number, onChunk: () => void): Transform {
  let received = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, pass) {
      onChunk();
      received += chunk.length;
      if (received > most) pass(new Error(`the answer is larger than ${most} bytes`));
      else pass(null, chunk);
    },
  });
}

/** Runs tar in the archive's folder, because tar reads a colon in a path as the name of a machine. */
async function extract(archive: string, member: string, env: Environment): Promise<void> {
  const tar = await findOnPath('tar', env);
  if (tar === null) throw new Error('tar was not found on PATH');
  const folder = path.dirname(archive);
  await run(tar, ['-xzf', path.basename(archive), '--', member], { cwd: folder, env: programEnvironment(env) });
  const stats = await lstat(path.join(folder, member));
  if (!stats.isFile() || stats.nlink !== 1) throw new Error(`${member} in the archive is not a regular file`);
}
