import { spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { breaching, closeDeployments, createDeployment, type Fetch } from '../conformance/harness.ts';
import { runCommand } from '../helpers/command.ts';
import { serveFetch } from '../helpers/served.ts';

/** The command waits in real time, so polls bring everything on. */
const { fetch, apiKey } = createDeployment({
  progression: { profiles: { after_polls: 2 }, orders: { after_polls: 2 }, outputs: { after_polls: 1 } },
});
const withoutRequestId = breaching(fetch, 'GET', /./, ({ body, status }) =>
  status === 401 ? { body: { ...body, request_id: undefined } } : undefined,
);
const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
  closeDeployments();
});

async function urlOf(served: Fetch): Promise<string> {
  const { url, close } = await serveFetch(served);
  closing.push(close);
  return url;
}

const command = (args: readonly string[], env: Record<string, string> = {}) =>
  runCommand(['conformance', ...args], { cwd: tmpdir(), env: { SERVICE_KEY: apiKey, ...env } });

/** As `runCommand`, with the process in hand. */
function spawnCommand(args: readonly string[]) {
  const cli = path.join(import.meta.dirname, '../../src/cli.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cli, ...args], {
    env: { ...process.env, SERVICE_KEY: apiKey },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const { promise: end, resolve } = Promise.withResolvers<{ code: number | null; stderr: string }>();
  child.once('close', (code) => resolve({ code, stderr }));
  return { child, end };
}

describe('conformance', () => {
  it('prints a row for each check and ends with 0 when nothing is found', async () => {
    const { code, stdout, stderr } = await command([
      '--base-url',
      `${await urlOf(fetch)}/`,
      '--api-key-env',
      'SERVICE_KEY',
      '--place-orders',
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^check +clause of the specification +result\n/);
    expect(stdout).toMatch(/^entries\.paging +Blacklists rule 3 +passed$/m);
    expect(stdout).toMatch(/^outputs\.quota +Errors 409 OUTPUT_QUOTA_EXCEEDED +not checked: would use up the quota$/m);
    expect(stdout).toMatch(/\n\d+ checks: \d+ passed, 0 with findings, 3 not checked\n$/);
    expect(stdout).not.toContain(apiKey);
  }, 60_000);

  it('ends with 3 and one document of what was found', async () => {
    const url = await urlOf(withoutRequestId);
    const { code, stdout } = await command(['--json', '--base-url', url, '--api-key', apiKey, '--read-only']);
    expect(code).toBe(3);
    const document = JSON.parse(stdout) as { checks: { id: string }[] };
    expect(document).toMatchObject({ ok: false, base_url: url, with_findings: 2 });
    expect(document.checks.find(({ id }) => id === 'authentication.missing-key')).toMatchObject({
      clause: 'Authentication 1, 5; Errors 401',
      result: 'finding',
      findings: expect.arrayContaining(['GET /api/v1/blacklists 401: request_id: must be string, found nothing']),
    });
    expect(stdout).not.toContain(apiKey);
  }, 60_000);

  it('ends with 1 and one line when the service cannot be reached or does not take the key', async () => {
    const gone = await serveFetch(fetch);
    gone.close();
    const unreached = await command(['--base-url', gone.url, '--api-key-env', 'SERVICE_KEY']);
    expect(unreached).toEqual({
      code: 1,
      stdout: '',
      stderr: `${gone.url}: GET /api/v1/blacklists got no answer (ECONNREFUSED)\n`,
    });
    const url = await urlOf(fetch);
    const refused = await command(['--base-url', url, '--api-key', 'sk_wrong_4711']);
    expect(refused).toEqual({ code: 1, stdout: '', stderr: `${url}: the service does not accept the API key (401)\n` });
  }, 60_000);

  it('deletes what it made when it is stopped', async () => {
    const child = Promise.withResolvers<ChildProcess>();
    const interrupting: Fetch = async (request) => {
      if (request.method === 'PATCH' && request.headers.has('authorization')) (await child.promise).kill('SIGINT');
      return fetch(request);
    };
    const args = ['conformance', '--base-url', await urlOf(interrupting), '--api-key-env', 'SERVICE_KEY'];
    const ended = spawnCommand(args);
    child.resolve(ended.child);
    expect(await ended.end).toMatchObject({ code: 1, stderr: expect.stringContaining('stopped by SIGINT') });
    const headers = { authorization: `Bearer ${apiKey}` };
    const left = await fetch(new Request('http://service.test/api/v1/blacklists', { headers }));
    expect(await left.json()).toEqual({ blacklists: [] });
  }, 60_000);

  it.each([
    ['no address', ['--api-key', 'k'], '--base-url'],
    ['an address that is none', ['--base-url', 'localhost', '--api-key', 'k'], 'takes an http or https address'],
    ['a password in the address', ['--base-url', 'http://u:4711@a.example', '--api-key', 'k'], 'without user'],
    ['no key', ['--base-url', 'http://a.example'], 'one of --api-key KEY and --api-key-env NAME'],
    ['two keys', ['--base-url', 'http://a.example', '--api-key', '4711', '--api-key-env', 'X'], 'one of --api-key'],
    [
      'a variable that is not set',
      ['--base-url', 'http://a.example', '--api-key-env', 'NOT_SET_HERE'],
      'NOT_SET_HERE is empty or not set',
    ],
    ['a key that is none', ['--base-url', 'http://a.example', '--api-key', '47\n11'], 'no API key can have'],
    [
      'two modes',
      ['--base-url', 'http://a.example', '--api-key', '4711', '--read-only', '--place-orders'],
      'exclude each other',
    ],
  ])(
    'ends with 2 for %s, without a secret',
    async (_, args, message) => {
      const { code, stdout, stderr } = await command(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(message);
      expect(stderr).not.toContain('4711');
    },
    30_000,
  );
});
