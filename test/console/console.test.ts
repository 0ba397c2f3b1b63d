// The console answers from the ledger alone, changes nothing, and shows hostile texts as texts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalAccess } from '../../src/console/console-access.ts';
import { createConsole } from '../../src/console/console-app.ts';
import { openLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { renderReport } from '../../src/console/report-file.ts';
import { fillLedger, orderId } from './filled-ledger.ts';

const opened: { folder: string; ledger: Ledger }[] = [];

afterAll(async () => {
  for (const { folder, ledger } of opened) {
    await ledger.close();
    rmSync(folder, { recursive: true });
  }
});

type Opened = Awaited<ReturnType<typeof openConsole>>;

async function openConsole() {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  const ledger = await openLedger({ dataDir: folder });
  opened.push({ folder, ledger });
  const key = 'the-key-of-this-start';
  const pages = createConsole({
    ledger,
    access: createLocalAccess({ key, user: 'olga' }),
    isSandbox: false,
    personalData: 'shown',
    work: null,
  });
  const askWithoutKey = (path: string, init: RequestInit = {}) =>
    pages(new Request(`http://127.0.0.1:8788${path}`, init), '127.0.0.1');
  const ask = (path: string, init: RequestInit = {}) =>
    askWithoutKey(path.startsWith(`/${key}/`) ? path : `/${key}${path}`, init);
  return { ledger, ask, askWithoutKey, key, read: async (path: string) => (await ask(path)).text() };
}

describe('an empty ledger', () => {
  it('has an overview that says so, and no order', async () => {
    const { ask, read } = await openConsole();
    expect(await read('/')).toContain('Nothing needs you.');
    expect(await read('/')).toContain('No orders yet.');
    for (const path of [
      `/orders/${orderId}`,
      `/orders/${orderId}/rows`,
      `/orders/${orderId}/changes`,
      '/orders/x',
      '/y',
    ])
      expect((await ask(path)).status).toBe(404);
    expect((await ask('/why?q=acme.example')).status).toBe(404);
  });
});

describe('an order', () => {
  let ask: Opened['ask'];
  let read: Opened['read'];
  beforeAll(async () => {
    const filled = await openConsole();
    await fillLedger(filled.ledger);
    ({ ask, read } = filled);
  });

  /** All pages that a person reaches from the overview. */
  async function walk(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const open = ['/'];
    for (let path = open.shift(); path !== undefined; path = open.shift()) {
      if (found.has(path)) continue;
      const response = await ask(path);
      expect({ path, status: response.status }).toEqual({ path, status: 200 });
      const text = await response.text();
      found.set(path, text);
      if (text.startsWith('<!'))
        for (const [, href = ''] of text.matchAll(/href="\/the-key-of-this-start(\/[^"#]*)"/g))
          open.push(href.replaceAll('&amp;', '&'));
    }
    return found;
  }

  it('is reached with its rows, changes and companies by links alone; texts of others are shown, and nothing else', async () => {
    const found = await walk();
    expect(found.size).toBeGreaterThan(120);
    for (const text of found.values()) {
      expect(text).not.toContain('<img');
      expect(text.replace('<script src="/the-key-of-this-start/live.js" defer></script>', '')).not.toContain('<script');
      for (const character of ['\u{202e}', '\u0007']) expect(text).not.toContain(character);
      expect([...text.matchAll(/<table>/g)]).toHaveLength([...text.matchAll(/<\/table>/g)].length);
    }
    const order = found.get(`/orders/${orderId}`) ?? '';
    for (const words of ['Not reconciled yet', '120 ordered', 'People were found, no email address was discoverable'])
      expect(order).toContain(words);
  });

  it('lists its rows a page at a time, and those of one status or reason', async () => {
    const positions = (text: string) =>
      [...text.matchAll(/<tr>\s*<td class="number"><a [^>]*>(\d+)</g)].map(([, row]) => Number(row));
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
    expect(positions(await read(`/orders/${orderId}/rows`))).toEqual(range(0, 50));
    expect(positions(await read(`/orders/${orderId}/rows?after=99`))).toEqual(range(100, 120));
    for (const filter of ['status=PARTIAL', 'reason=NO_EMAIL_FOUND']) {
      expect(positions(await read(`/orders/${orderId}/rows?${filter}`))).toEqual(range(60, 110));
      expect(positions(await read(`/orders/${orderId}/rows?${filter}&after=109`))).toEqual(range(110, 120));
    }
    expect(await read(`/orders/${orderId}/rows?after=119`)).toContain('No rows.');
  });

  it('names the statuses or reasons of its rows when a filter has another one', async () => {
    const links = (text: string) =>
      [...text.matchAll(/<li><a href="[^"]*\/rows\?([^"]*)">/g)].map(([, filter]) => filter);
    const status = await read(`/orders/${orderId}/rows?status=FOO`);
    expect(status).toMatch(/No row of this order has the status\s+"FOO". Its rows have:/);
    expect(links(status)).toEqual(['status=ENRICHED', 'status=PARTIAL']);
    const reason = await read(`/orders/${orderId}/rows?reason=constructor`);
    expect(reason).toMatch(/No row of this order has the reason\s+"constructor". Its rows have:/);
    expect(links(reason)).toEqual(['reason=NO_EMAIL_FOUND', 'reason=POLICY_ELIGIBLE']);
    expect(await read(`/orders/${orderId}/rows?status=ENRICHED&reason=NO_EMAIL_FOUND`)).toContain('No rows.');
  });

  it('shows values of companies and people before and after', async () => {
    const companies = await read(`/orders/${orderId}/changes`);
    expect(companies).toContain('Ulm 1');
    expect(companies).toMatch(
      new RegExp(`created\\s+are not listed\\s+here: they are with their <a href="[^"]*/orders/${orderId}/rows">`),
    );
    const people = await read(`/orders/${orderId}/changes?object=contacts`);
    expect(people).toContain('Ulm 1');
  });

  it('is found with its company by domain, name, beginning of the name, record, and its own id', async () => {
    const byDomain = await read('/why?q=company-3.example');
    for (const words of ['returned', 'company updated', 'suppressed']) expect(byDomain).toContain(words);
    expect(await read('/why?q=ACME')).toContain('suppressed');
    expect(await read('/why?q=305')).toContain('company updated');
    expect(await read('/why?q=company')).toContain('Several companies');
    expect(await read(`/why?q=${orderId.toUpperCase()}`)).toContain(`/orders/${orderId}"`);
  });
});

describe('requests', () => {
  it('of other users of the machine, who do not know the key, find nothing', async () => {
    const { ledger, ask, askWithoutKey, key } = await openConsole();
    await fillLedger(ledger);
    const start = await (await ask('/')).text();
    for (const [, address = ''] of start.matchAll(/ (?:href|action)="(\/[^"]*)"/g)) expect(address).toMatch(`/${key}/`);
    for (const path of [
      '/',
      `/orders/${orderId}`,
      '/live.js',
      '/why?q=305',
      `/${key.slice(1)}/`,
      `/${key}x/`,
      `//${key}/`,
    ]) {
      const refused = await askWithoutKey(path);
      const text = await refused.text();
      expect({ path, status: refused.status }).toEqual({ path, status: 404 });
      expect(text).toContain('it holds a key of its own');
      expect(text).toMatch(/stop the console with Ctrl-C, and start it again/);
      for (const [, address = ''] of text.matchAll(/ rel="stylesheet" href="([^"]*)"/g))
        expect((await askWithoutKey(address)).headers.get('content-type')).toBe('text/css');
      expect(text).not.toContain(key);
    }
  });

  it('from a page of another origin, or under a foreign name, are refused', async () => {
    const { ask } = await openConsole();
    for (const headers of [{ origin: 'https://evil.example' }, { host: 'evil.example' }])
      expect((await ask('/', { headers: new Headers(headers) })).status).toBe(403);
  });

  it('are answered without scripts, frames, caches or anything from elsewhere', async () => {
    const { ask } = await openConsole();
    const { headers } = await ask('/');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
    const css = await ask('/pico.css');
    expect([css.status, css.headers.get('content-type')]).toEqual([200, 'text/css']);
  });

  it('change nothing: no method but GET has a page', async () => {
    const { ask } = await openConsole();
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await ask('/', { method })).status).toBe(404);
  });
});

it('a ledger that cannot be read is said on the page', async () => {
  const { ledger, ask } = await openConsole();
  await ledger.close();
  const response = await ask('/');
  expect(response.status).toBe(500);
  expect(await response.text()).toContain('The page cannot be shown');
});

describe('the report of an order', () => {
  it('holds what the page of the order holds, its styles, and neither links, scripts nor names', async () => {
    const { ledger, read } = await openConsole();
    await fillLedger(ledger);
    const report = (await renderReport(ledger, orderId, new Date('2026-11-25T08:00:00Z'))) ?? '';
    const words = (text: string) => text.replaceAll(/<style>[^]*?<\/style>|<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    const page = /<main[^>]*>([^]*)<\/main>/.exec(await read(`/orders/${orderId}`))?.[1] ?? '';
    expect(words(report)).toContain(words(page).trim());
    expect(report).toContain('--pico-font-family');
    for (const part of ['href=', '<script', '<img', 'Company 4', 'company-3.example'])
      expect(report).not.toContain(part);
    expect(words(report)).toContain('As the ledger of prospect-sync knew it at 2026-11-25 08:00 UTC.');
  });

  it('is missing for an order that the ledger does not have', async () => {
    const { ledger } = await openConsole();
    expect(await renderReport(ledger, orderId, new Date())).toBeNull();
  });
});
