// Personal data in the console: masked until a user presses "Show people", which is in the list of actions.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashPassword } from '../../src/base/password-hash.ts';
import { createLocalAccess } from '../../src/console/console-access.ts';
import { createConsole } from '../../src/console/console-app.ts';
import type { ConsoleWork } from '../../src/console/console-work.ts';
import { toQuery } from '../../src/console/layout.ts';
import { createSignIn } from '../../src/console/sign-in.ts';
import { openLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { noEvidence } from '../../src/ledger/outcome-store.ts';
import { env as keys, head, read } from '../config/config-harness.ts';
import { blacklistId, orderId } from './filled-ledger.ts';

const origin = 'https://console.example.com';
const jane = { name: 'Jane Roe', email: 'jane.roe@acme.example', phone: '+49 731 555123' };
/** Parts of her name, address and phone number that no encoding changes. */
const traces = ['Jane', 'jane.roe', '555123'];
const start = Date.parse('2026-11-25T07:00:00.000Z');
const users = `public_url: "${origin}", users: [{name: olga, password: {env: OLGA}}, {name: jan, password: {env: JAN}}]`;
const header = `public_url: "${origin}", proxy_user_header: X-Forwarded-User, trusted_proxies: [10.0.0.5]`;

let folder: string;
let ledger: Ledger;
let env: Record<string, string>;
beforeAll(async () => {
  const cheap = { N: 16_384, p: 1 };
  env = { ...keys, OLGA: await hashPassword('olga', cheap), JAN: await hashPassword('jan', cheap) };
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shown-people-'));
  ledger = await openLedger({ dataDir: folder });
  await fillWithJane();
});
afterEach(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true });
});

/** Every place of the ledger that a page reads and that can name her. */
async function fillWithJane(): Promise<void> {
  const at = new Date(start).toISOString();
  const order = { orderId, runName: 'weekly', kind: 'enrichment', status: 'COMPLETED', profileId: null };
  await ledger.orders.save({ ...order, requestedCount: 1, externalIdsAreRecordIds: false });
  await ledger.orders.publish(orderId, { total: 1, summaryJson: '{}' });
  const company = { name: 'Acme', domain: 'acme.example', website_url: null };
  const slot = { input_position: 0, status: 'ENRICHED', reason_codes: ['POLICY_ELIGIBLE'], external_id: jane.email };
  const prospects = [{ full_name: jane.name, email: jane.email, phone: jane.phone }];
  await ledger.slots.save(orderId, [
    {
      position: 0,
      hash: '0',
      status: 'ENRICHED',
      reasonCodes: ['POLICY_ELIGIBLE'],
      externalId: jane.email,
      json: JSON.stringify({ ...slot, company: { ...company, prospects } }),
    },
  ]);
  await ledger.companyIndex.saveSlots([{ ref: orderId, position: 0, company }]);
  const outcome = {
    orderId,
    position: 0,
    projectionId: 'p',
    at,
    planned: null,
    rule: null,
    outcome: 'updated',
  } as const;
  await ledger.outcomes.record([{ ...outcome, ...noEvidence, item: 'company', recordId: '305' }]);
  const changes = { phone: { before: '', after: jane.phone }, contact: { before: jane.name, after: jane.email } };
  for (const object of ['companies', 'contacts'] as const)
    await ledger.writtenRecords.save(object, {
      changed: { orderId, records: [{ object, recordId: '305', at, changes }] },
    });
  for (const identifier of [
    { kind: 'email', value: jane.email },
    { kind: 'domain', value: 'acme.example' },
  ] as const)
    await ledger.suppressions.add({ identifier, at, by: 'jan', reason: `${jane.name} has called` });
  const scan = { name: 'customers', blacklistId, settingsDigest: 'd', lastFullAt: at, lastScanAt: at };
  await ledger.exclusionScans.save({ ...scan, countsJson: '{}' });
  const entry = { id: 'e1', company_name: 'Acme', website_url: 'https://acme.example', city: null };
  const cells = { external_id: jane.email, reason: `customer of ${jane.name}`, created_at: at };
  const json = JSON.stringify({ ...entry, ...cells });
  await ledger.exclusionSnapshots.describe([
    {
      entryId: 'e1',
      blacklistId,
      lastSeenAt: at,
      json,
      company: { name: 'Acme', website_url: 'https://acme.example' },
    },
  ]);
  const reply = { webhookId: 'w1', receivedAt: at, state: 'quarantined', reason: 'unreadable' } as const;
  await ledger.replies.receive(
    { ...reply, classification: null, replyAt: null, campaignId: null, body: JSON.stringify(jane) },
    [],
  );
}

/** A schedule that was paused for a reason that names her. */
const work: ConsoleWork = {
  run: (args, { print }) => {
    const paused = { run: 'weekly', status: 'unchanged', paused: true, note: `${jane.name} is away` };
    print(JSON.stringify(args[0] === 'schedule' ? [{ ...paused, timezone: 'UTC', next: [], last: null }] : []));
    return Promise.resolve(0);
  },
  isTemporalRunning: () => Promise.resolve(true),
  async *watch() {},
};

interface Asked {
  readonly user?: string | undefined;
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The console of this configuration; without a way to sign in it has a key. */
function openPages(settings: string) {
  const { signIn, personalData } = read(`${head}runs: {}\nconsole: {${settings}}\n`, env).console;
  const clock = { now: start };
  const access =
    signIn === null
      ? createLocalAccess({ key: 'key', user: 'olga' })
      : createSignIn(signIn, { now: Date.now, log: () => {} });
  const pages = createConsole({ ledger, access, isSandbox: false, personalData, work, now: () => new Date(clock.now) });
  const [base, root] = signIn === null ? ['http://127.0.0.1:8788', '/key'] : [origin, ''];
  const ask = (path: string, { user = 'olga', form, headers = {} }: Asked = {}) => {
    const init = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
    const named = { authorization: `Basic ${btoa(`${user}:${user}`)}`, 'x-forwarded-user': user };
    const sent = {
      host: new URL(base).host,
      ...(signIn?.userHeader === null ? { authorization: named.authorization } : named),
    };
    const all = { ...sent, ...(form === undefined ? {} : { origin: base }), ...headers };
    return pages(new Request(`${base}${root}${path}`, { ...init, headers: all }), '10.0.0.5');
  };
  const text = async (path: string, asked?: Asked) => (await ask(path, asked)).text();
  /** Presses the button of this page: sends its form as a browser does. */
  const press = async (label: 'Show people' | 'Hide people', path: string, user = 'olga') => {
    const form = new RegExp(`<form method="post" action="${root}(/\\w+)"[^]*?<button>${label}</button>`);
    const [all = '', action = '/none'] = form.exec(await text(path, { user })) ?? [];
    const fields = [...all.matchAll(/name="(\w+)" value="([^"]*)"/g)].slice(-2);
    const sent = Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
    return ask(action, { user, form: sent, headers: { referer: `${base}${root}${path}` } });
  };
  return { clock, root, ask, text, press };
}

type Opened = ReturnType<typeof openPages>;

/** All pages that links reach from the overview, and searches for her. */
async function walk({ text, root }: Opened, user?: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const open = ['/', ...[jane.name, jane.email, jane.phone].map((q) => `/why${toQuery({ q })}`)];
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    if (found.has(path)) continue;
    const page = await text(path, { user });
    found.set(path, page);
    for (const [, href = ''] of page.startsWith('<!') ? page.matchAll(new RegExp(`href="${root}(/[^"#]*)"`, 'g')) : [])
      open.push(href.replaceAll('&amp;', '&'));
  }
  return found;
}

const tracesIn = (pages: ReadonlyMap<string, string>) =>
  [...pages].flatMap(([path, page]) =>
    traces.filter((trace) => page.includes(trace)).map((trace) => `${path} ${trace}`),
  );

const contacts = `/orders/${orderId}/changes?object=contacts`;

describe.each([
  ['users', users],
  ['users that a proxy names', header],
  ['the key, when the setting says so', 'personal_data: masked'],
])('a console with %s', (_, settings) => {
  it('masks values of people on every page until the user presses "Show people"', async () => {
    const pages = openPages(settings);
    const masked = await walk(pages);
    expect(masked.size).toBeGreaterThan(15);
    expect(tracesIn(masked)).toEqual([]);
    for (const path of [contacts, `/orders/${orderId}/rows`, `/orders/${orderId}/rows/0`, '/replies', '/schedules'])
      expect([path, masked.get(path)]).toEqual([path, expect.stringContaining('•••')]);
    await pages.press('Show people', contacts);
    const shown = await walk(pages);
    // Without the searches, which repeat what was searched for.
    const read = [...shown].filter(([path]) => !path.startsWith('/why')).map(([, page]) => page);
    for (const value of [jane.name, jane.email, jane.phone])
      expect(read.some((page) => page.includes(`<span data-person>${value}</span>`))).toBe(true);
    for (const path of masked.keys()) expect([path, (shown.get(path) ?? '').includes('•••')]).toEqual([path, false]);
  });
});

describe('"Show people"', () => {
  it('is only on pages with a masked value, and leads back to the page with its search', async () => {
    const { text, press } = openPages(users);
    for (const path of ['/', `/orders/${orderId}`, '/actions'])
      expect([path, (await text(path)).includes('Show people')]).toEqual([path, false]);
    const search = `/why${toQuery({ q: jane.email })}`;
    expect((await press('Show people', search)).headers.get('location')).toBe(search);
    expect(await text(search)).toContain(`Search: <span data-person>${jane.email}</span>`);
  });

  it('is in the list of actions with the name, the time and the path of the page, without its query', async () => {
    const { text, press } = openPages(users);
    await press('Show people', contacts);
    const path = `/orders/${orderId}/changes`;
    expect(await ledger.consoleAudit.recent(10)).toMatchObject([
      { who: 'olga', at: '2026-11-25T07:00:00.000Z', command: 'Show people', page: path, code: 0 },
    ]);
    expect(await text('/actions')).toContain(`Show people: <a href="${path}"><code>${path}</code></a>`);
  });

  it('shows people to that user only, for 15 minutes, and the page says until when', async () => {
    const { clock, text, press } = openPages(users);
    await press('Show people', '/replies');
    clock.now += 15 * 60_000 - 1;
    const page = await text('/replies');
    expect(page).toContain(jane.email);
    expect(page).toMatch(/shown until\s+<time datetime="2026-11-25T07:15:00.000Z"/);
    expect(await text('/replies', { user: 'jan' })).not.toContain(jane.email);
    clock.now += 1;
    expect(await text('/replies')).not.toContain(jane.email);
  });

  it('ends with "Hide people"', async () => {
    const { text, press } = openPages(users);
    await press('Show people', '/replies');
    expect((await press('Hide people', '/replies')).headers.get('location')).toBe('/replies');
    expect(await text('/replies')).not.toContain(jane.email);
  });

  it('is refused for a path that is none of the console, and without the token of the user', async () => {
    const { ask, text } = openPages(users);
    const [, token = ''] = /name="token" value="([\w-]+)"/.exec(await text('/replies')) ?? [];
    for (const path of ['//evil.example', 'https://evil.example', '/\\evil.example', 'replies', '/why?q=x', ''])
      expect([path, (await ask('/show', { form: { token, path } })).status]).toEqual([path, 403]);
    expect((await ask('/show', { form: { path: '/replies' } })).status).toBe(403);
    expect((await ask('/show', { user: 'jan', form: { token, path: '/replies' } })).status).toBe(403);
    expect(await ledger.consoleAudit.recent(10)).toEqual([]);
  });
});

it.each([
  ['with personal_data: shown', `${users}, personal_data: shown`],
  ['that this machine reaches only', ''],
])('a console %s shows people without a button', async (_, settings) => {
  const page = await openPages(settings).text('/replies');
  expect(page).toContain(jane.email);
  expect(page).not.toMatch(/(?:Show|Hide) people/);
});
