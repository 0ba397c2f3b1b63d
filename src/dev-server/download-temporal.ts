// The download that the SDK's own test environment uses (sdk-core, ephemeral_server/mod.rs): an index answers with the
// archive's address. Done here because the SDK can only download and start a server in one step, without a time limit.
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import * as z from 'zod';
import { cliVersion } from './temporal-binary.ts';

const indexUrl = `https://temporal.download/cli/v${cliVersion}`;
const indexSchema = z.object({ archiveUrl: z.url({ protocol: /^https?$/ }), fileToExtract: z.string() });
const run = promisify(execFile);

type DownloadOptions = {
  fetch: typeof fetch;
  /** The executable file to write; its folder holds the archive meanwhile. */
  to: string;
  /** Given up when nothing arrives for so long. */
  silenceSeconds?: number;
  platform?: string;
  arch?: string;
};

/** Throws with the reason when there is no network, no answer, or no archive for this machine. */
export async function downloadTemporal(options: DownloadOptions): Promise<void> {
  const { to, platform = process.platform, arch = process.arch } = options;
  const folder = await mkdtemp(path.join(path.dirname(to), 'download-'));
  try {
    const archive = path.join(folder, 'temporal.tar.gz');
    const member = await fetchArchive({ ...options, archive, platform, arch });
    await run('tar', ['-xzf', archive, '-C', folder, member]);
    await rename(path.join(folder, member), to);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type ArchiveOptions = DownloadOptions & { archive: string; platform: string; arch: string };

async function fetchArchive(options: ArchiveOptions): Promise<string> {
  const { fetch, archive, platform, arch, silenceSeconds = 10 } = options;
  const abort = new AbortController();
  const { signal } = abort;
  const giveUp = () => abort.abort(new Error(`no answer within ${silenceSeconds} s`));
  const silence = setTimeout(giveUp, silenceSeconds * 1000);
  try {
    const query = new URLSearchParams({ arch: arch === 'x64' ? 'amd64' : arch, platform, format: 'tar.gz' });
    const index = await expectOk(await fetch(`${indexUrl}?${query.toString()}`, { signal }));
    const { archiveUrl, fileToExtract } = indexSchema.parse(await index.json());
    silence.refresh();
    const { body } = await expectOk(await fetch(archiveUrl, { signal }));
    if (body === null) throw new Error('the archive is empty');
    const watch = new Transform({
      transform(chunk, _encoding, pass) {
        silence.refresh();
        pass(null, chunk);
      },
    });
    await pipeline(Readable.fromWeb(body), watch, createWriteStream(archive), { signal });
    return fileToExtract;
  } catch (error) {
    throw signal.aborted ? signal.reason : error; // a pipeline reports its abort without the reason
  } finally {
    clearTimeout(silence);
  }
}

async function expectOk(response: Response): Promise<Response> {
  if (response.ok) return response;
  await response.body?.cancel();
  throw new Error(`the download server answered with status ${response.status}`);
}
