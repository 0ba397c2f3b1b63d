import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { downloadTemporal } from '../../../src/temporal/dev-server/download-temporal.ts';
import { createFolder, temporalScript, writeScript } from './stand-ins.ts';

const archiveUrl = 'https://temporal.download/assets/temporal.tar.gz';
const env = { PATH: process.env['PATH'] };

type Answer = (url: string) => Response | Promise<Response>;

/** Answers as the download server does, with an archive that holds `temporal`. */
async function createDownloadServer(folder: string, member = 'temporal') {
  const source = path.join(folder, 'source');
  if (member === 'temporal') await writeScript(path.join(source, 'temporal'), temporalScript('1.8.2'));
  execFileSync('tar', ['-czf', path.join(folder, 'archive'), '-C', source, '--', member]);
  const archive = await readFile(path.join(folder, 'archive'));
  const requests: string[] = [];
  /** `answer` may answer first. */
  const serve = (answer?: (url: string) => Response | Promise<Response> | null): typeof fetch => {
    return async (input) => {
      const url = input instanceof Request ? input.url : String(input);
      requests.push(url);
      const given = answer?.(url);
      if (given != null) return given;
      if (url === archiveUrl) return new Response(archive);
      return Response.json({ archiveUrl, fileToExtract: member });
    };
  };
  const sha256 = createHash('sha256').update(archive).digest('hex');
  return { serve, requests, archive, digests: { 'linux-x64': sha256 } };
}

/** Never answers, but gives up when it is told to, as fetch does. */
function silentFetch(_input: unknown, init?: RequestInit): Promise<Response> {
  return new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
  });
}

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location } });
}

describe('downloadTemporal', () => {
  let folder: string;
  let to: string;
  let common: { env: typeof env; to: string; workFolder: string; platform: string; arch: string };
  beforeEach(async () => {
    folder = await createFolder();
    to = path.join(folder, 'temporal');
    const workFolder = path.join(folder, 'work');
    await mkdir(workFolder);
    common = { env, to, workFolder, platform: 'linux', arch: 'x64' };
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("writes the executable of the archive that the index names, and follows redirects within the vendor's hosts", async () => {
    const { serve, requests, digests } = await createDownloadServer(folder);
    const stored = 'https://release-assets.githubusercontent.com/cli.tar.gz?sig=1';
    const moved = await (await serve()(archiveUrl)).arrayBuffer();
    requests.splice(0);
    const fetch = serve((url) => {
      if (url === archiveUrl) return redirect('/moved');
      if (url.endsWith('/moved')) return redirect(stored);
      return url === stored ? new Response(moved) : null;
    });
    await downloadTemporal({ ...common, fetch, digests });
    expect(execFileSync(to).toString()).toContain('1.8.2');
    expect(requests).toEqual([
      'https://temporal.download/cli/v1.8.2?arch=amd64&platform=linux&format=tar.gz',
      archiveUrl,
      'https://temporal.download/moved',
      stored,
    ]);
  });

  it.each<[string, Answer]>([
    ['an archive over plain http', () => toIndex('http://temporal.download/a.tar.gz')],
    ['an archive of another host', () => toIndex('https://temporal.download.evil.example/a.tar.gz')],
    ['an archive at another port', () => toIndex('https://temporal.download:8443/a.tar.gz')],
    ['an archive behind a name', () => toIndex('https://temporal.download@evil.example/a.tar.gz')],
    ['a redirect to plain http', () => redirect('http://temporal.download/index')],
    ['a redirect to another host', () => redirect('//evil.example/index')],
    ['a file', () => toIndex('file:///etc/passwd')],
  ])('sends requests only to the vendor: %s', async (_what, answer) => {
    const { serve, requests, digests } = await createDownloadServer(folder);
    await expect(downloadTemporal({ ...common, fetch: serve(answer), digests })).rejects.toThrow(
      /^the download was redirected to \S+; allowed are temporal\.download, /,
    );
    expect(requests).toHaveLength(1);
  });

  it('rejects an archive with another digest, before it extracts anything', async () => {
    const { serve } = await createDownloadServer(folder);
    const failing = downloadTemporal({ ...common, fetch: serve() });
    await expect(failing).rejects.toThrow(
      /^the archive is not the vendor's: its SHA-256 is [0-9a-f]{64}, not d8421bda/,
    );
    expect(existsSync(to)).toBe(false);
  });

  it('sends no request when it knows no digest', async () => {
    const { serve, requests, digests } = await createDownloadServer(folder);
    const failing = downloadTemporal({ ...common, fetch: serve(), digests, arch: 'riscv64' });
    await expect(failing).rejects.toThrow('no archive with a known digest for linux on riscv64');
    expect(requests).toEqual([]);
  });

  it.each(['../temporal', '/tmp/temporal', '-I/bin/sh', '--to-command=sh', '.', '..', 'a/b', ''])(
    'rejects %j as the name of the executable',
    async (fileToExtract) => {
      const { serve, digests } = await createDownloadServer(folder);
      const fetch = serve((url) => (url === archiveUrl ? null : Response.json({ archiveUrl, fileToExtract })));
      await expect(downloadTemporal({ ...common, fetch, digests })).rejects.toThrow('fileToExtract');
    },
  );

  it('rejects an executable that is a link', async () => {
    await mkdir(path.join(folder, 'source'));
    await symlink('/bin/true', path.join(folder, 'source', 'linked'));
    const { serve, digests } = await createDownloadServer(folder, 'linked');
    const failing = downloadTemporal({ ...common, fetch: serve(), digests });
    await expect(failing).rejects.toThrow('linked in the archive is not a regular file');
    expect(existsSync(to)).toBe(false);
  });

  it('runs tar without the environment, and never from a relative folder', async () => {
    const { serve, digests } = await createDownloadServer(folder);
    const tar = `env > ${path.join(folder, 'environment')}; exec /bin/tar "$@"`;
    await writeScript(path.join(folder, 'bin', 'tar'), tar);
    const given = {
      PATH: `.::${path.join(folder, 'bin')}:/usr/bin:/bin`,
      HOME: folder,
      PROSPECTING_API_KEY: 'sk_secret',
      TAR_OPTIONS: '--to-command=sh',
    };
    await downloadTemporal({ ...common, env: given, fetch: serve(), digests });
    const lines = (await readFile(path.join(folder, 'environment'), 'utf8')).trim().split('\n');
    // The shell that plays tar adds its own.
    const names = lines
      .map((line) => line.split('=')[0] ?? '')
      .filter((name) => !['PWD', '_', 'SHLVL', 'OLDPWD'].includes(name));
    expect(names.toSorted()).toEqual(['HOME', 'PATH']);
    expect(lines).toContain(`PATH=${path.join(folder, 'bin')}:/usr/bin:/bin`);
  });

  it('stops when the archive or the index does not end', async () => {
    const { serve, digests } = await createDownloadServer(folder);
    const chunk = new Uint8Array(20e6);
    const endless = () => new Response(ReadableStream.from(repeat(chunk)));
    for (const [endlessUrl, limit] of [
      ['/assets/', 200e6],
      ['/cli/', 64 * 1024],
    ] as const) {
      const fetch = serve((url) => (url.includes(endlessUrl) ? endless() : null));
      await expect(downloadTemporal({ ...common, fetch, digests })).rejects.toThrow(
        `the answer is larger than ${limit} bytes`,
      );
    }
    const fetch = serve(() => redirect(archiveUrl));
    await expect(downloadTemporal({ ...common, fetch, digests })).rejects.toThrow('redirected more than 5 times');
  });

  it('stops when no answer arrives', async () => {
    await expect(downloadTemporal({ ...common, fetch: silentFetch, silenceSeconds: 0.02 })).rejects.toThrow(
      'no answer within 0.02 s',
    );
    expect(existsSync(to)).toBe(false);
  });

  it('stops when the archive stalls', async () => {
    const { serve, archive, digests } = await createDownloadServer(folder);
    const stalled = new ReadableStream({
      start(controller) {
        controller.enqueue(archive.subarray(0, 10));
      },
    });
    const fetch = serve((url) => (url === archiveUrl ? new Response(stalled) : null));
    const failing = downloadTemporal({ ...common, fetch, digests, silenceSeconds: 0.02 });
    await expect(failing).rejects.toThrow('no answer within 0.02 s');
  });

  it('continues as long as data arrives', async () => {
    const { serve, archive, digests } = await createDownloadServer(folder);
    const slow = async function* () {
      for (let at = 0; at < archive.length; at += Math.ceil(archive.length / 5)) {
        await sleep(400);
        yield archive.subarray(at, at + Math.ceil(archive.length / 5));
      }
    };
    const fetch = serve((url) => (url === archiveUrl ? new Response(ReadableStream.from(slow())) : null));
    await downloadTemporal({ ...common, fetch, digests, silenceSeconds: 1.5 });
    expect(execFileSync(to).toString()).toContain('1.8.2');
  });

  it.each([
    ['a status', () => new Response('no such version', { status: 404 }), 'status 404'],
    ['an archive address that is none', () => toIndex('no address'), 'archiveUrl'],
    ['an index that is none', () => new Response('<html>'), 'JSON'],
  ])('fails with the reason for %s', async (_what, answer, message) => {
    const failing = downloadTemporal({ ...common, fetch: async () => answer() });
    await expect(failing).rejects.toThrow(message);
    expect(existsSync(to)).toBe(false);
  });
});

function toIndex(address: string): Response {
  return Response.json({ archiveUrl: address, fileToExtract: 'temporal' });
}

async function* repeat(chunk: Uint8Array) {
  while (chunk.length > 0) yield chunk;
}
