// The console for other machines: who signs in, who is refused, and what the list of actions keeps.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashPassword } from '../../src/base/password-hash.ts';
import { openConsole } from '../../src/cli/run-console.ts';
import { createConsole } from '../../src/console/console-app.ts';
import { createSignIn } from '../../src/console/sign-in.ts';
import { openLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { askAsPage } from '../helpers/foreign-page.ts';
import { env as keys, head, read } from '../config/config-harness.ts';

const origin = 'https://console.example.com';
const password = 'correct horse';
const proxy = '10.0.0.5';
/** The least that a hash may cost. */
const cheap = { N: 16_384, p: 1 };
const client = '203.0.113.7';

let folder: string;
let ledger: Ledger;
let env: Record<string, string>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sign-in-'));
  ledger = await openLedger({ dataDir: folder });
  env = { ...keys, OLGA: await hashPassword(password, cheap), JAN: await hashPassword('battery staple', cheap) };
});
afterAll(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true });
});

const passwords = `users: [{name: olga, password: {env: OLGA}}, {name: jan, password: {env: JAN}}], trusted_proxies: [${proxy}]`;
const header = `proxy_user_header: X-Forwarded-User, trusted_proxies: [10.0.0.0/24]`;

function readSettings(signIn: string) {
  return read(`${head}runs: {}\nconsole: {public_url: "${origin}", ${signIn}}\n`, env).console;
}

interface Asked {
  readonly as?: string;
  readonly peer?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
}

function openPages(settings: string) {
  const { signIn, personalData } = readSettings(settings);
  if (signIn === null) throw new Error('nobody can sign in');
  const clock = { now: 0 };
  const started: (readonly string[])[] = [];
  const logged: string[] = [];
  const pages = createConsole({
    ledger,
    access: createSignIn(signIn, { now: () => clock.now, log: (line) => logged.push(line) }),
    isSandbox: false,
    personalData,
    work: {
      run: (args) => Promise.resolve(started.push(args) * 0),
      isTemporalRunning: () => Promise.resolve(false),
      watch: async function* () {},
    },
  });
  const ask = (path: string, { as, peer = proxy, headers = {}, form }: Asked = {}) => {
    const credentials = as === undefined ? {} : { authorization: `Basic ${Buffer.from(as).toString('base64')}` };
    const init = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
    const all = { host: 'console.example.com', ...credentials, ...headers };
    return pages(new Request(`${origin}${path}`, { ...init, headers: all }), peer);
  };
  const statusOf = async (asked: Asked) => (await ask('/', asked)).status;
  const tokenOf = async (asked: Asked) =>
    /name="token" value="([\w-]+)"/.exec(await (await ask('/doctor', asked)).text())?.[1] ?? '';
  return { clock, started, logged, ask, statusOf, tokenOf };
}

describe('an address that other machines reach', () => {
  it.each(['0.0.0.0', '::', '192.0.2.1', 'console.example.com'])(
    'is refused without a way to sign in: %s',
    async (hostname) => {
      const place = { port: 0, hostname, flags: '--port or --host' };
      await expect(
        openConsole({ ledger, log: () => {}, isSandbox: false, work: null }, place, {
          signIn: null,
          personalData: 'shown',
        }),
      ).rejects.toThrow(
        `The console cannot be served at ${hostname}: other machines reach this address, and the configuration has no way to sign in. Set console.public_url and console.users`,
      );
    },
  );

  it('is served to who signs in, and its address is the public one', async () => {
    const pages = { ledger, log: () => {}, isSandbox: false, work: null };
    const place = { port: 0, hostname: '0.0.0.0', flags: '--port or --host' };
    const served = await openConsole(pages, place, readSettings(passwords));
    expect(served.url).toBe(`${origin}/`);
    const authorization = `Basic ${Buffer.from(`olga:${password}`).toString('base64')}`;
    const ask = (headers: Record<string, string>) =>
      askAsPage(served.listening.replace('0.0.0.0', '127.0.0.1'), { headers });
    const host = 'console.example.com';
    expect([(await ask({ host })).status, (await ask({ authorization })).status]).toEqual([401, 403]);
    expect(await ask({ host, authorization })).toMatchObject({
      status: 200,
      text: expect.stringContaining('Overview'),
    });
    await served.close();
    const behindProxy = await openConsole(pages, { ...place, hostname: '127.0.0.1' }, readSettings(header));
    const named = await askAsPage(behindProxy.listening, { headers: { host, 'x-forwarded-user': 'olga' } });
    expect([named.status, named.text]).toEqual([403, expect.stringContaining('console.trusted_proxies')]);
    await behindProxy.close();
  });
});

describe('users with passwords', () => {
  it('see the pages at the top of the address, without caches and cookies, and others are asked to sign in', async () => {
    const { ask, statusOf } = openPages(passwords);
    const asked = await ask('/');
    expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="prospect-sync", charset="UTF-8"',
    ]);
    expect(await asked.text()).not.toContain('Orders');
    for (const as of ['olga:wrong', 'olga:', `nobody:${password}`, `jan:${password}`, 'olga', 'constructor:x'])
      expect([as, await statusOf({ as })]).toEqual([as, 401]);
    const page = await ask('/', { as: `olga:${password}` });
    expect([page.status, page.headers.get('cache-control'), page.headers.get('set-cookie')]).toEqual([
      200,
      'no-store',
      null,
    ]);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).toContain('href="/pico.css"');
    expect(await statusOf({ as: `olga:${password}` })).toBe(200);
    expect(await statusOf({ headers: { 'x-forwarded-user': 'olga' } })).toBe(401);
  });

  it('are limited to 10 wrong passwords a minute for each name, except who has signed in', async () => {
    const { clock, statusOf, logged } = openPages(passwords);
    expect(await statusOf({ as: `olga:${password}` })).toBe(200);
    const guesses = Array.from({ length: 12 }, (_, guess) =>
      statusOf({ as: `olga:guess ${guess}`, headers: { 'x-forwarded-for': `198.51.100.${guess}` } }),
    );
    expect(await Promise.all(guesses)).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    expect(await statusOf({ as: `olga:${password}` })).toBe(200);
    expect(await statusOf({ as: 'jan:battery staple' })).toBe(200);
    clock.now += 60_000;
    expect(await statusOf({ as: 'olga:guess 11' })).toBe(401);
    expect(logged).toHaveLength(11);
    expect(logged.at(-1)).toBe('Console: wrong password for olga');
  });

  it('are limited for each address, which only a trusted proxy may name', async () => {
    const { ask, statusOf, logged } = openPages(passwords);
    // What stands left of the address that the proxy has added is invented.
    const from = (guess: number) => ({ 'x-forwarded-for': `198.51.100.${guess}, ${client}` });
    for (let guess = 0; guess < 10; guess += 1)
      expect(await statusOf({ as: `user${guess}:x`, headers: from(guess) })).toBe(401);
    const limited = await ask('/', { as: `olga:${password}`, headers: from(11) });
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await statusOf({ as: 'olga:x', peer: client, headers: { 'x-forwarded-for': '198.51.100.1' } })).toBe(429);
    expect(await statusOf({ as: `olga:${password}`, headers: { 'x-forwarded-for': '198.51.100.1' } })).toBe(200);
    const unknown = 'Console: wrong password for a name that is not in console.users';
    const last = `${unknown}. Further ones of this minute are not logged`;
    expect(logged).toEqual([...Array.from({ length: 9 }, () => unknown), last]);
  });
});

describe('users that a proxy names', () => {
  it('are known by its header, which no other peer may send', async () => {
    const { statusOf } = openPages(header);
    const headers = { 'x-forwarded-user': 'olga@example.com' };
    expect(await statusOf({ headers })).toBe(200);
    expect(await statusOf({ headers, peer: `::ffff:${proxy}` })).toBe(200);
    for (const peer of [client, '10.0.1.5', '127.0.0.1', '::1', ''])
      expect([peer, await statusOf({ headers, peer })]).toEqual([peer, 403]);
    for (const named of ['', 'mallory, olga', 'x'.repeat(101)])
      expect([named, await statusOf({ headers: { 'x-forwarded-user': named } })]).toEqual([named, 403]);
    expect(await statusOf({ as: `olga:${password}` })).toBe(403);
  });
});

describe('actions of who has signed in', () => {
  const as = `olga:${password}`;
  const action = { action: 'doctor', subject: '' };

  it('need the token of the same user, and are listed with the name', async () => {
    const { started, ask, tokenOf } = openPages(passwords);
    const token = await tokenOf({ as });
    const others = await tokenOf({ as: 'jan:battery staple' });
    expect(others).not.toBe(token);
    for (const wrong of [{}, { token: '' }, { token: others }]) {
      const refused = await ask('/actions', { as, headers: { origin }, form: { ...action, ...wrong } });
      expect(refused.status).toBe(403);
      expect(await refused.text()).toContain('Open the page again');
    }
    expect((await ask('/actions/x/yes', { as, headers: { origin }, form: {} })).status).toBe(403);
    expect(started).toEqual([]);
    const accepted = await ask('/actions', { as, headers: { origin }, form: { ...action, token } });
    expect([accepted.status, accepted.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/actions\/[\w-]+$/),
    ]);
    expect(started).toEqual([['doctor']]);
    expect(await ledger.consoleAudit.recent(10)).toMatchObject([{ who: 'olga', command: 'prospect-sync doctor' }]);
  });

  it('are refused when a pause has no reason, or one that is too long', async () => {
    const { started, ask, tokenOf } = openPages(passwords);
    const form = { action: 'pause', subject: 'weekly', token: await tokenOf({ as }) };
    for (const fields of [{}, { note: '' }, { note: ' ' }, { note: 'x'.repeat(201) }]) {
      const refused = await ask('/actions', { as, headers: { origin }, form: { ...form, ...fields } });
      expect([fields, refused.status]).toEqual([fields, 400]);
      expect(await refused.text()).toContain('The reason must have 1 to 200 characters');
    }
    expect(started).toEqual([]);
  });

  it('are refused from another origin, without an origin, under another host, and when they are too large', async () => {
    const { started, ask, statusOf, tokenOf } = openPages(passwords);
    const form = { ...action, token: await tokenOf({ as }) };
    for (const headers of [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin, host: '127.0.0.1:8788' },
    ])
      expect((await ask('/actions', { as, headers, form })).status).toBe(403);
    const large = { ...form, note: 'x'.repeat(20_000) };
    expect((await ask('/actions', { as, headers: { origin }, form: large })).status).toBe(413);
    expect(started).toEqual([]);
    expect(await statusOf({ as, headers: { origin: 'https://evil.example' } })).toBe(403);
  });
});
