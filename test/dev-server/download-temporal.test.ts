import { execFileSync } from 'node:child_process';
import { readFile, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { downloadTemporal } from '../../src/dev-server/download-temporal.ts';
import { createFolder, temporalScript, writeScript } from './stand-ins.ts';

const archiveUrl = 'https://archives.example/temporal.tar.gz';

/** Answers as the download server does, with an archive that holds `temporal`. */
async function createDownloadServer(folder: string) {
  await writeScript(path.join(folder, 'source', 'temporal'), temporalScript('1.8.2'));
  execFileSync('tar', ['-czf', path.join(folder, 'archive'), '-C', path.join(folder, 'source'), 'temporal']);
  const archive = await readFile(path.join(folder, 'archive'));
  const requests: string[] = [];
  const fetch = async (input: string | URL | Request): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    requests.push(url);
    if (url === archiveUrl) return new Response(archive);
    return Response.json({ archiveUrl, fileToExtract: 'temporal' });
  };
  return { fetch, requests, archive };
}

/** Never answers, but gives up when it is told to, as fetch does. */
function silentFetch(_input: unknown, init?: RequestInit): Promise<Response> {
  return new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
  });
}

describe('downloadTemporal', () => {
  let folder: string;
  let to: string;
  beforeEach(async () => {
    folder = await createFolder();
    to = path.join(folder, 'temporal');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('writes the executable of the archive that the index names', async () => {
    const server = await createDownloadServer(folder);
    await downloadTemporal({ fetch: server.fetch, to, platform: 'linux', arch: 'x64' });
    expect(execFileSync(to).toString()).toContain('1.8.2');
    expect(server.requests).toEqual([
      'https://temporal.download/cli/v1.8.2?arch=amd64&platform=linux&format=tar.gz',
      archiveUrl,
    ]);
    expect(await readdir(folder)).toEqual(['archive', 'source', 'temporal']);
  });

  it('is given up when no answer comes', async () => {
    await expect(downloadTemporal({ fetch: silentFetch, to, silenceSeconds: 0.02 })).rejects.toThrow(
      'no answer within 0.02 s',
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('is given up when the archive stops coming', async () => {
    const server = await createDownloadServer(folder);
    const stalled = new ReadableStream({
      start(controller) {
        controller.enqueue(server.archive.subarray(0, 10));
      },
    });
    const fetch: typeof globalThis.fetch = async (input) =>
      input === archiveUrl ? new Response(stalled) : await server.fetch(input);
    await expect(downloadTemporal({ fetch, to, silenceSeconds: 0.02 })).rejects.toThrow('no answer within 0.02 s');
  });

  it('goes on as long as something arrives', async () => {
    const server = await createDownloadServer(folder);
    const slow = async function* () {
      for (let at = 0; at < server.archive.length; at += Math.ceil(server.archive.length / 5)) {
        await sleep(12);
        yield server.archive.subarray(at, at + Math.ceil(server.archive.length / 5));
      }
    };
    const fetch: typeof globalThis.fetch = async (input) =>
      input === archiveUrl ? new Response(ReadableStream.from(slow())) : await server.fetch(input);
    await downloadTemporal({ fetch, to, silenceSeconds: 0.045 });
    expect(execFileSync(to).toString()).toContain('1.8.2');
  });

  it.each([
    ['a status', () => new Response('no such version', { status: 404 }), 'status 404'],
    [
      'an archive address that is none',
      () => Response.json({ archiveUrl: 'file:///x', fileToExtract: 'y' }),
      'archiveUrl',
    ],
  ])('fails with the reason at %s', async (_what, answer, message) => {
    const failing = downloadTemporal({ fetch: async () => answer(), to });
    await expect(failing).rejects.toThrow(message);
    expect(await readdir(folder)).toEqual([]);
  });
});
