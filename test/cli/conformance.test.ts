import type { Fetch } from '../../src/base/http/http-answer.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { conformance } from '../../src/cli/conformance.ts';
import { CommandError, type Terminal } from '../../src/cli/terminal.ts';
import { breaching, closeDeployments, createDeployment } from '../conformance/conformance-harness.ts';
import type { Ended } from '../helpers/command.ts';
import { runCommand } from '../helpers/run-command.ts';
import { serveFetch } from '../helpers/serve-fetch.ts';
import { itOfAll } from '../helpers/sample.ts';

/** The command waits in real time, so polls bring everything on. */
const { fetch, apiKey } = createDeployment({
  progression: { profiles: { after_polls: 1 }, orders: { after_polls: 2 }, outputs: { after_polls: 1 } },
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
  const cli = path.join(import.meta.dirname, '../../tools/prospect-sync.mjs');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cli, ...args], {
    env: { ...process.env, SERVICE_KEY: apiKey },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const { promise: end, resolve } = Promise.withResolvers<{ code: number | null; stderr: string }>();
  child.stdout.resume();
  child.once('close', (code) => resolve({ code, stderr }));
  return { child, end };
}

async function blacklists(): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const left = await fetch(new Request('http://service.test/api/v1/blacklists', { headers }));
  return ((await left.json()) as { blacklists: unknown[] }).blacklists;
}

describe('conformance', () => {
  let complete: Ended;
  beforeAll(async () => {
    const url = `${await urlOf(fetch)}/`;
    complete = await command(['--base-url', url, '--api-key-env', 'SERVICE_KEY', '--place-orders']);
  });

  it('prints a row for each check, and exits with 0 without findings', () => {
    const { code, stdout, stderr } = complete;
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^a search profile and two .+\n$/) });
    expect(stdout).toMatch(/^check +clause of the specification +result\n/);
    expect(stdout).toMatch(/^entries\.paging +Blacklists rule 3 +passed$/m);
    expect(stdout).not.toContain('outputs.quota');
    expect(stdout).toMatch(
      /\n\n\d+ checks: \d+ passed, 0 with findings, (\d+) not checked\n {2}not checked {2}\1 checks: /,
    );
    expect(stdout).toMatch(
      /( {2}left behind {2}(?:search profile creation|order) [0-9a-f-]{36}\n){3}\nVerdict: prospect-sync can work with this service\n$/,
    );
    expect(stdout).not.toContain(apiKey);
  });

  it('exits with 3 and one document of findings, also for the given order', async () => {
    const url = await urlOf(withoutRequestId);
    const address = ['--base-url', url, '--api-key', apiKey];
    const orderId = /order ([0-9a-f-]{36})/.exec(complete.stdout)?.[1] ?? '';
    const { code, stdout, stderr } = await command(['--json', ...address, '--read-only', '--order', orderId]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    const document = JSON.parse(stdout) as { checks: { id: string }[] };
    expect(document).toMatchObject({ ok: false, base_url: url, with_findings: 2, left_behind: [] });
    expect(document.checks.find(({ id }) => id === 'given-order.outputs')).toMatchObject({ result: 'passed' });
    expect(document.checks.find(({ id }) => id === 'outputs.quota')).toMatchObject({
      result: 'not checked',
      reason: 'needs an order whose 20 outputs may be used up',
    });
    expect(document.checks.find(({ id }) => id === 'orders.enrichment')).toMatchObject({ result: 'left out' });
    expect(document.checks.find(({ id }) => id === 'authentication.missing-key')).toMatchObject({
      clause: 'Authentication 1, 5; Errors 401',
      result: 'finding',
      findings: expect.arrayContaining(['GET /api/v1/blacklists 401: request_id: must be string, found nothing']),
    });
    expect(stdout).not.toContain(apiKey);
  });

  it('exits with 1 and one line when the service cannot be reached or rejects the key', async () => {
    const gone = await serveFetch(fetch);
    gone.close();
    const unreached = await command(['--base-url', gone.url, '--api-key-env', 'SERVICE_KEY']);
    expect(unreached).toEqual({
      code: 1,
      stdout: '',
      stderr: `${gone.url}: GET /api/v1/blacklists got no answer: nothing accepts connections there (ECONNREFUSED)\n`,
    });
    const flags = { baseUrl: await urlOf(fetch), apiKey: 'sk_wrong_4711', readOnly: false, placeOrders: true };
    const refused = conformance(silentTerminal, { json: false }, flags);
    await expect(refused).rejects.toThrow(
      new CommandError(
        `${flags.baseUrl}: the service does not accept the API key (401). Check the key, and that the address is that of the prospecting service`,
      ),
    );
  });

  itOfAll('deletes what it created when it is interrupted', async () => {
    const before = await blacklists();
    const child = Promise.withResolvers<ChildProcess>();
    const interrupting: Fetch = async (request) => {
      if (request.method === 'PATCH' && request.headers.has('authorization')) (await child.promise).kill('SIGINT');
      return fetch(request);
    };
    const args = ['conformance', '--base-url', await urlOf(interrupting), '--api-key-env', 'SERVICE_KEY'];
    const ended = spawnCommand(args);
    child.resolve(ended.child);
    expect(await ended.end).toMatchObject({ code: 1, stderr: expect.stringContaining('stopped by SIGINT') });
    expect(await blacklists()).toEqual(before);
  });

  it('leaves out checks that were not allowed, and prints their number', async () => {
    const printed: string[] = [];
    const terminal = { ...silentTerminal, print: (text: string) => printed.push(text) };
    const flags = { baseUrl: await urlOf(fetch), apiKey, readOnly: true, placeOrders: false };
    expect(await conformance(terminal, { json: false }, flags)).toBe(0);
    const table = printed.slice(0, -1).join('\n');
    expect(table).toMatch(/^blacklists\.unknown-id /m);
    expect(table).not.toMatch(/^(?:blacklists\.create|orders\.enrichment) /m);
    expect(printed.at(-1)).toMatch(
      / {2}left out {5}\d+ checks: not with --read-only\n {2}left out .+ --place-orders\n\nVerdict: .+ is not known\n.+$/,
    );
  });

  itOfAll('deletes what it created when its output is closed', async () => {
    const before = await blacklists();
    const child = Promise.withResolvers<ChildProcess>();
    const closing: Fetch = async (request) => {
      if (request.method === 'PATCH') (await child.promise).stdout?.destroy();
      return fetch(request);
    };
    const ended = spawnCommand(['conformance', '--base-url', await urlOf(closing), '--api-key-env', 'SERVICE_KEY']);
    child.resolve(ended.child);
    expect(await ended.end).toEqual({ code: 1, stderr: 'stopped: the output was closed\n' });
    expect(await blacklists()).toEqual(before);
  });

  itOfAll('prints what remains when it is interrupted', async () => {
    const interrupted = Promise.withResolvers<NodeJS.Signals>();
    const interrupting: Fetch = (request) => {
      if (request.method === 'POST' && request.url.endsWith('/outputs')) interrupted.resolve('SIGTERM');
      // 10,000 entries take a second, and are not what this is about.
      const isLarge = Number(request.headers.get('content-length')) > 100_000;
      return isLarge ? Promise.resolve(Response.json({}, { status: 500 })) : fetch(request);
    };
    const said: string[] = [];
    const terminal = { ...silentTerminal, interrupted: interrupted.promise, say: (text: string) => said.push(text) };
    const flags = { baseUrl: await urlOf(interrupting), apiKey, readOnly: false, placeOrders: true };
    await expect(conformance(terminal, { json: true }, flags)).rejects.toThrow('stopped by SIGTERM');
    expect(said).toEqual([
      expect.stringContaining('a search profile and two orders'),
      expect.stringContaining('stopping'),
      expect.stringMatching(/^left behind {2}search profile creation [0-9a-f-]{36}$/),
      expect.stringMatching(/^left behind {2}order [0-9a-f-]{36}$/),
      expect.stringMatching(/^left behind {2}order [0-9a-f-]{36}$/),
    ]);
  });

  it('prints what may have been placed when an answer is lost', async () => {
    const losing: Fetch = async (request) => {
      const isLarge = Number(request.headers.get('content-length')) > 100_000;
      const answer = isLarge ? Response.json({}, { status: 500 }) : await fetch(request);
      if (request.method === 'POST' && request.url.endsWith('/orders')) served.close();
      return answer;
    };
    const served = await serveFetch(losing);
    const said: string[] = [];
    const terminal = { ...silentTerminal, say: (text: string) => said.push(text) };
    const flags = { baseUrl: served.url, apiKey, readOnly: false, placeOrders: true };
    await expect(conformance(terminal, { json: false }, flags)).rejects.toThrow('POST /api/v1/orders got no answer');
    expect(said.at(-1)).toMatch(
      /^may have been placed: order "prospect-sync conformance [0-9a-f]{8} enrichment", Idempotency-Key [0-9a-f-]{36}$/,
    );
  });

  const address = { baseUrl: 'https://a.example' };
  it.each([
    ['an address that is none', { baseUrl: 'localhost', apiKey: '4711' }, 'must be an http or https address'],
    ['a password in the address', { baseUrl: 'http://u:4711@a.example', apiKey: 'k' }, 'without user'],
    ['the prefix of the paths', { baseUrl: 'https://a.example/api/v1/', apiKey: 'k' }, 'must not end with /api/v1'],
    ['the address of HubSpot', { baseUrl: 'https://api.hubapi.com', apiKey: '4711' }, 'is an address of HubSpot'],
    ['plain http to another machine', { baseUrl: 'http://a.example', apiKey: '4711' }, 'or add --allow-http'],
    ['no key', address, 'Either --api-key KEY or --api-key-env NAME'],
    ['two keys', { ...address, apiKey: '4711', apiKeyEnv: 'X' }, 'Either --api-key'],
    ['a variable that is not set', { ...address, apiKeyEnv: 'NOT_SET' }, 'NOT_SET is empty or not set'],
    ['a key in place of the name of a variable', { ...address, apiKeyEnv: 'sk_4711' }, 'must be the name of an'],
    ['a key that is none', { ...address, apiKey: '47\n11' }, 'contains invalid characters'],
    ['an order that is none', { ...address, apiKey: 'k', order: 'jane@doe.example' }, '--order must be the id'],
    ['two modes', { ...address, apiKey: '4711', readOnly: true, placeOrders: true }, 'cannot be used together'],
  ])('rejects %s before it sends anything, without showing a secret', async (_, flags, message) => {
    const refused = conformance(silentTerminal, { json: false }, { readOnly: false, placeOrders: false, ...flags });
    await expect(refused).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(message) });
    await expect(refused).rejects.not.toThrow(/4711|jane/);
  });
});

const nothing = () => {};
const silentTerminal: Terminal = {
  env: {},
  say: nothing,
  speakIn: nothing,
  print: nothing,
  redraw: nothing,
  isInteractive: false,
  canAsk: false,
  confirm: async () => false,
  prompt: async () => null,
  readHidden: async () => null,
  interrupted: new Promise(nothing),
};
