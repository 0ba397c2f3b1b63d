import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { toDuration } from '../../src/cli/sandbox-control.ts';
import { serveSandbox, type ServedSandbox } from '../../sandbox/serve-sandbox.ts';
import { parseAllowance } from '../../src/base/http/public-address.ts';
import { parseSecret, verify } from '../../src/replies/webhook-signature.ts';
import { runCommand } from '../helpers/run-command.ts';
import { itOfAll } from '../helpers/sample.ts';

let served: ServedSandbox;
beforeAll(async () => {
  served = await serveSandbox({ receivers: { allowed: parseAllowance(['127.0.0.1/32']) } });
});
afterAll(() => served.close());

const run = (...args: string[]) =>
  runCommand(['sandbox', ...args, '--control-url', served.control.url], { cwd: tmpdir() });

describe('sandbox trigger', () => {
  it('sends a reply, and prints the secret with which the receiver verifies it', async () => {
    const received = Promise.withResolvers<{ headers: Headers; body: Buffer }>();
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        received.resolve({
          headers: new Headers(request.headers as Record<string, string>),
          body: Buffer.concat(chunks),
        });
        response.writeHead(202).end('thanks');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const { code, stdout } = await run('--json', 'trigger', 'reply.referral', '--to', `http://127.0.0.1:${port}/hook`);
    server.close();
    expect(code).toBe(0);
    const { secret, delivery } = JSON.parse(stdout);
    expect(delivery).toMatchObject({
      type: 'reply.referral',
      state: 'delivered',
      attempts: [{ status: 202, text: 'thanks' }],
    });
    const { headers, body } = await received.promise;
    const nowSeconds = Date.now() / 1_000;
    expect(verify({ headers, body, secrets: [parseSecret(secret)], nowSeconds })).toEqual({ ok: true, secretIndex: 0 });
  });

  it('exits with 3 when the receiver rejects the webhook, and with 2 for an unknown reply type', async () => {
    const [unreachable, unknown] = await Promise.all([
      run('trigger', 'reply.interested', '--to', 'http://127.0.0.1:1/hook'),
      run('trigger', 'reply.nonsense', '--to', 'http://127.0.0.1:1/hook'),
    ]);
    expect(unreachable).toMatchObject({ code: 3, stdout: expect.stringContaining('pending (unreachable)') });
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('must be one of reply.interested') });
  });

  it('names --allow-receiver when the sandbox does not allow the receiver', async () => {
    const { code, stderr } = await run('trigger', 'reply.interested', '--to', 'http://127.0.0.2:8787/replies');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('start the sandbox with: prospect-sync sandbox --allow-receiver 127.0.0.1/32'),
    });
  });
});

describe('sandbox clock, faults and journal', () => {
  it('control a running sandbox', async () => {
    const frozen = await run('clock', 'freeze');
    expect(frozen.stderr).toBe('');
    expect(frozen.stdout).toMatch(/^\d{4}-\S+Z \(frozen\)\n$/);
    const advanced = await run('clock', 'advance', '1d12h');
    expect(Date.parse(advanced.stdout.slice(0, 24)) - Date.parse(frozen.stdout.slice(0, 24))).toBe(36 * 3_600_000);

    const added = await run('faults', 'add', '/api/v1/blacklists', '--status', '503', '--retry-after', '3');
    expect(added.stdout).toContain('"headers":{"retry-after":"3"}');
    const { url, apiKey } = served.service;
    const answer = await fetch(`${url}/api/v1/blacklists`, { headers: { authorization: `Bearer ${apiKey}` } });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '3']);
    const { stdout } = await run('journal', '--path', '/api/v1/blacklists');
    expect(stdout).toMatch(/ {2}503 {2}GET {2}\/api\/v1\/blacklists {2}fault-1\n$/);
  });

  it('inject a named HubSpot fault into a portal', async () => {
    const { url, portalId, token } = served.hubspot;
    const portal = ['--portal', String(portalId)];
    const added = await run('faults', 'add', '/account-info/', '--preset', 'locked', ...portal);
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('"status":423') });
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${url}/account-info/2026-09/details`, { headers })).status).toBe(423);
    const unknown = await run('faults', 'add', '/account-info/', '--preset', 'broken', ...portal);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('preset: must be one of') });
  });

  itOfAll('report a rejection, a wrong URL and a sandbox that is not running', async () => {
    const [refused, unreachable, service, junk] = await Promise.all([
      run('faults', 'add', '/api/v1/blacklists'),
      ...['http://127.0.0.1:1', served.service.url, 'junk'].map((url) =>
        runCommand(['sandbox', 'clock', '--control-url', url], { cwd: tmpdir() }),
      ),
    ]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('no effect is given') });
    expect(service).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is the sandbox service, not its control plane'),
    });
    expect(junk).toMatchObject({ code: 2, stderr: expect.stringContaining('--control-url must be a URL') });
    expect(unreachable).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The sandbox is not available at http://127.0.0.1:1'),
    });
  });
});

describe('toDuration', () => {
  it.each([
    ['12h', 'PT12H'],
    ['1d12h', 'P1DT12H'],
    ['90s', 'PT90S'],
    ['2d', 'P2D'],
    ['PT5M', 'PT5M'],
  ])('reads %s as %s', (text, expected) => expect(toDuration(text)).toBe(expected));

  it.each(['', '12', 'h', '12 h', 'P', '1w', '-1h'])('rejects %j', (text) => {
    expect(() => toDuration(text)).toThrow('must be of the form 12h');
  });
});
