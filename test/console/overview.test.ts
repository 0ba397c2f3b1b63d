// The overview: a calendar of the orders and next starts, the figures of the month, and all orders a page at a time.
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalAccess } from '../../src/console/console-access.ts';
import { createConsole } from '../../src/console/console-app.ts';
import type { ConsoleWork } from '../../src/console/console-work.ts';
import { openLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { ledgerFile } from '../../src/ledger/sqlite.ts';

const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

const now = new Date('2026-11-25T07:00:00.000Z');
const schedule = { status: 'unchanged', paused: false, note: null, last: null };

/** A console whose Temporal has these schedules; null: no Temporal runs. */
function createWork(schedules: readonly object[] | null): ConsoleWork {
  return {
    run: (_args, { print }) => {
      print(JSON.stringify(schedules));
      return Promise.resolve(0);
    },
    isTemporalRunning: () => Promise.resolve(schedules !== null),
    async *watch() {},
  };
}

interface StoredOrder {
  readonly orderId: string;
  readonly at: string;
  readonly runName?: string;
  readonly status?: string;
  readonly requestedCount?: number;
}

async function openOverview(orders: readonly StoredOrder[], work: ConsoleWork | null = null) {
  const dataDir = mkdtempSync(join(tmpdir(), 'overview-'));
  const ledger = await openLedger({ dataDir });
  cleanup.defer(async () => {
    await ledger.close();
    rmSync(dataDir, { recursive: true });
  });
  for (const order of orders) await saveOrder(ledger, dataDir, order);
  const access = createLocalAccess({ key: 'key', user: 'jane' });
  const pages = createConsole({ ledger, access, isSandbox: false, personalData: 'shown', work, now: () => now });
  const read = async (path: string) =>
    (await pages(new Request(`http://127.0.0.1:8788/key${path}`), '127.0.0.1')).text();
  return { ledger, read };
}

/** The ledger dates orders by itself. */
async function saveOrder(ledger: Ledger, dataDir: string, { orderId, at, ...facts }: StoredOrder): Promise<void> {
  const order = { runName: 'dach-weekly', kind: 'discovery', status: 'COMPLETED', profileId: null, requestedCount: 10 };
  await ledger.orders.save({ ...order, externalIdsAreRecordIds: false, orderId, ...facts });
  const database = new DatabaseSync(ledgerFile(dataDir));
  database.prepare('update orders set first_seen_at = ? where order_id = ?').run(at, orderId);
  database.close();
}

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Squares by their day. */
function squaresOf(page: string): Record<string, string[]> {
  const cells = [...page.matchAll(/<time datetime="(\d{4}-\d\d-\d\d)">([^]*?)<\/td>/g)];
  const found = cells.map(
    ([, day = '', cell = '']) =>
      [day, [...cell.matchAll(/ aria-label="([^"]*)"/g)].map(([, name = '']) => name)] as const,
  );
  return Object.fromEntries(found.filter(([, names]) => names.length > 0));
}

const daysOf = (page: string) => [...page.matchAll(/<time datetime="(\d{4}-\d\d-\d\d)">/g)].map(([, day]) => day);

async function certify(ledger: Ledger, orderId: string, findingsJson: string, reconciled = 10): Promise<void> {
  const certificate = { orderId, reconciled, total: 10, findingsJson, documentJson: '{}', path: '/evidence' };
  await ledger.certificates.save({
    ...certificate,
    findingsJson: '[]',
    reconciled: 10,
    at: '2026-11-24T08:00:00.000Z',
  });
  await ledger.certificates.save({ ...certificate, at: '2026-11-24T09:00:00.000Z' });
}

describe('the calendar', () => {
  it('shows each order of the last four weeks as a square on its day, with its outcome, that leads to the order', async () => {
    const { ledger, read } = await openOverview([
      { orderId: idOf(1), at: '2026-10-28T00:00:00.000Z' },
      { orderId: idOf(2), at: '2026-10-29T00:00:00.000Z' },
      { orderId: idOf(3), at: '2026-11-24T05:00:00.000Z' },
      { orderId: idOf(4), at: '2026-11-24T06:00:00.000Z', runName: 'own-list' },
      { orderId: idOf(5), at: '2026-11-25T06:00:00.000Z', status: 'FAILED' },
      { orderId: idOf(6), at: '2026-11-25T06:30:00.000Z' },
    ]);
    await certify(ledger, idOf(2), '[]');
    await certify(ledger, idOf(3), '[{"code":"LEAKS","count":3}]');
    await certify(ledger, idOf(4), '[]', 9);
    const page = await read('/');
    const order = 'order 00000000';
    expect(squaresOf(page)).toEqual({
      '2026-10-29': [`R: dach-weekly, ${order}, reconciled, 00:00 UTC (2026-10-29 00:00 UTC)`],
      '2026-11-24': [
        `F: own-list, ${order}, findings, or rows that are not reconciled, 06:00 UTC (2026-11-24 06:00 UTC)`,
        `F: dach-weekly, ${order}, findings, or rows that are not reconciled, 05:00 UTC (2026-11-24 05:00 UTC)`,
      ],
      '2026-11-25': [
        `O: dach-weekly, ${order}, not reconciled yet, 06:30 UTC (2026-11-25 06:30 UTC)`,
        `X: dach-weekly, ${order}, ended without success, 06:00 UTC (2026-11-25 06:00 UTC)`,
      ],
    });
    expect(page).toMatch(new RegExp(`class="square reconciled" href="/key/orders/${idOf(2)}" title="R: dach`));
    expect(page).toMatch(/<td aria-current="date">\s*<time datetime="2026-11-25">/);
  });

  it('shows the next starts of the next four weeks, and each run in the zone of its schedule', async () => {
    const work = createWork([
      {
        ...schedule,
        run: 'dach-weekly',
        timezone: 'Europe/Berlin',
        next: ['2026-11-29T23:30:00.000Z', '2026-12-24T06:00:00.000Z'],
      },
      { ...schedule, run: 'own-list', timezone: 'Nowhere/Else', next: ['2026-11-26T06:00:00.000Z'] },
    ]);
    const { read } = await openOverview([{ orderId: idOf(1), at: '2026-11-24T23:15:00.000Z' }], work);
    const page = await read('/');
    expect(squaresOf(page)).toEqual({
      '2026-11-25': ['O: dach-weekly, order 00000000, not reconciled yet, 00:15 Europe/Berlin (2026-11-24 23:15 UTC)'],
      '2026-11-26': ['S: own-list, next start of a schedule, 06:00 UTC (2026-11-26 06:00 UTC)'],
      '2026-11-30': ['S: dach-weekly, next start of a schedule, 00:30 Europe/Berlin (2026-11-29 23:30 UTC)'],
    });
    expect(daysOf(page)).toHaveLength(56);
    expect([daysOf(page).at(0), daysOf(page).at(-1)]).toEqual(['2026-10-29', '2026-12-23']);
  });

  it('shows the past alone, and says so, without Temporal', async () => {
    for (const [work, words] of [
      [null, 'Next starts are not shown: this console shows the ledger only.'],
      [createWork(null), 'Next starts are not known: no Temporal runs here now.'],
    ] as const) {
      const page = await (await openOverview([], work)).read('/');
      expect(page).toContain(words);
      expect(page).not.toContain('next start of a schedule');
      expect([daysOf(page).length, daysOf(page).at(-1)]).toEqual([28, '2026-11-25']);
    }
  });

  it('shows six squares of a day, and leads to the other orders', async () => {
    const orders = Array.from({ length: 9 }, (_, number) => ({
      orderId: idOf(number),
      at: '2026-11-24T05:00:00.000Z',
    }));
    const { read } = await openOverview(orders);
    const page = await read('/');
    expect(squaresOf(page)['2026-11-24']).toHaveLength(7);
    const [, more = ''] = /href="\/key([^"]*)" aria-label="\+3 more"/.exec(page) ?? [];
    const rest = await read(more.replaceAll('&amp;', '&'));
    expect([0, 1, 2, 3].map((number) => rest.includes(idOf(number)))).toEqual([true, true, true, false]);
  });
});

it('counts the briefings of the month: ordered, and delivered, without orders that ended without success', async () => {
  const { ledger, read } = await openOverview([
    { orderId: idOf(1), at: '2026-10-31T23:59:59.999Z', requestedCount: 1 },
    { orderId: idOf(2), at: '2026-11-01T00:00:00.000Z', requestedCount: 20 },
    { orderId: idOf(3), at: '2026-11-24T05:00:00.000Z', requestedCount: 300 },
    { orderId: idOf(4), at: '2026-11-24T05:00:00.000Z', requestedCount: 4_000, status: 'CANCELLED' },
  ]);
  expect(await read('/')).toContain('320 briefings ordered, 0 delivered.');
  for (const [number, delivered, publishedAt] of [
    [1, 1, '2026-11-01T02:00:00.000Z'],
    [2, 18, '2026-11-02T02:00:00.000Z'],
    [3, 250, '2026-12-01T00:00:00.000Z'],
  ] as const) {
    await ledger.orders.saveDelivered(idOf(number), delivered);
    await ledger.orders.savePublishedAt(idOf(number), publishedAt);
  }
  const page = await read('/');
  expect(page).toContain('<h2>November 2026</h2>');
  expect(page).toContain('320 briefings ordered, 19 delivered.');
});

it('lists each order once when those of two pages were stored in one millisecond', async () => {
  const orders = Array.from({ length: 120 }, (_, number) => ({
    orderId: idOf(number),
    at: number < 5 ? '2026-11-23T05:00:00.000Z' : '2026-11-24T05:00:00.000Z',
  }));
  const { read } = await openOverview(orders);
  const found: string[] = [];
  for (let path: string | undefined = '/'; path !== undefined;) {
    const page = await read(path);
    found.push(...[...page.matchAll(/<td><a href="\/key\/orders\/([^"]*)"/g)].map(([, id = '']) => id));
    path = /href="\/key([^"]*)">Earlier orders/.exec(page)?.[1]?.replaceAll('&amp;', '&');
  }
  expect(found.toSorted()).toEqual(orders.map(({ orderId }) => orderId));
});
