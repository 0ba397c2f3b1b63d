/**
 * How fast the pages of the console are with a large ledger, and how much memory they keep, with SQLite and, where it is installed,
 * PostgreSQL. Times are those of the handler in this process: the network and the browser are in none. Ends with 1 where a bound is missed.
 *   node bench/console.ts [rows, 1000000 unless given] [orders, 300 unless given]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { createLocalAccess } from '../src/console/console-access.ts';
import { createConsole } from '../src/console/console-app.ts';
import { openLedger, type Ledger, type LedgerLocation } from '../src/ledger/ledger.ts';
import { ledgerFile } from '../src/ledger/sqlite.ts';
import { collectGarbage } from '../test/helpers/collect-garbage.ts';
import { hasPostgres, startPostgres } from '../test/helpers/postgres.ts';
import { companyOf, everywhere, fillOrders, type FilledOrder } from './console-ledger.ts';

const rows = Number(process.argv[2] ?? 1_000_000);
const orders = Number(process.argv[3] ?? 300);
const asked = 100;
const bounds = { milliseconds: 200, heapMegabytes: 5 };
const missed: string[] = [];

await measureSqlite();
if (hasPostgres()) await measurePostgres();
for (const miss of missed) console.error(`missed: ${miss}`);
process.exitCode = missed.length === 0 ? 0 : 1;

async function measureSqlite(): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'prospect-sync-bench-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(dataDir, { recursive: true }));
  await measure('SQLite', { dataDir }, () => {
    const database = new DatabaseSync(ledgerFile(dataDir), { timeout: 30_000 });
    database.exec('pragma synchronous = off; pragma cache_size = -500000');
    return {
      run: (statement) => Promise.resolve(database.exec(`begin; ${statement}; commit`)),
      end: () => Promise.resolve(database.close()),
    };
  });
}

async function measurePostgres(): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const server = cleanup.adopt(await startPostgres(), (started) => started.stop());
  const databaseUrl = await server.createSchema();
  await measure('PostgreSQL', { databaseUrl }, async () => {
    const client = new Client(databaseUrl);
    await client.connect();
    return {
      run: async (statement) => void (await client.query(statement)),
      // As autovacuum does by itself some minutes after a change.
      end: async () => {
        await client.query('vacuum analyze');
        await client.end();
      },
    };
  });
}

interface Filler {
  readonly run: (statement: string) => Promise<void>;
  readonly end: () => Promise<void>;
}

async function measure(
  database: string,
  location: LedgerLocation,
  openFiller: () => Filler | Promise<Filler>,
): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openLedger(location), (opened) => opened.close());
  const started = performance.now();
  const filler = await openFiller();
  const filled = await fillOrders(ledger, filler.run, { orders, rows });
  await filler.end();
  const gigabytes = (await ledger.condition.bytes()) / 1e9;
  console.log(
    `${database}: ${rows} rows in ${orders} orders filled in ${((performance.now() - started) / 1_000).toFixed(0)} s, ${gigabytes.toFixed(1)} GB`,
  );
  const app = createConsole({
    ledger,
    access: createLocalAccess({ key: 'key', user: 'bench' }),
    isSandbox: false,
    personalData: 'masked',
    work: null,
  });
  const ask = async (page: string) => {
    const before = performance.now();
    const response = await app(new Request(`http://127.0.0.1:8788/key${page}`), '127.0.0.1');
    await response.text();
    if (response.status >= 500) throw new Error(`${page}: status ${response.status}`);
    return performance.now() - before;
  };
  const pages = pagesOfConsole(filled);
  for (const addresses of Object.values(pages)) await ask(addresses(0));
  collectGarbage();
  const heapBefore = process.memoryUsage().heapUsed;
  const table: Record<string, Record<string, string>> = {};
  for (const [page, addresses] of Object.entries(pages)) {
    const times: number[] = [];
    for (let number = 0; number < asked; number += 1) times.push(await ask(addresses(number)));
    table[page] = summarize(times);
    const p95 = Number(table[page]['p95, ms']);
    if (p95 > bounds.milliseconds) missed.push(`${database}, ${page}: p95 ${p95} ms, at most ${bounds.milliseconds}`);
  }
  console.table(table);
  collectGarbage();
  const growth = (process.memoryUsage().heapUsed - heapBefore) / 1e6;
  console.log(`${database}: heap ${growth.toFixed(1)} MB larger after ${asked * Object.keys(pages).length} pages`);
  if (growth > bounds.heapMegabytes) missed.push(`${database}: heap grew by ${growth.toFixed(1)} MB`);
  await measureIndex(database, ledger);
}

/** What the index of companies costs beside the slots, when an order is collected. */
async function measureIndex(database: string, ledger: Ledger): Promise<void> {
  const collected = 20_000;
  const batch = 500;
  const orderId = '00000000-0000-4000-8000-ffffffffffff';
  const slotJson = JSON.stringify({ text: 'x'.repeat(1_000) });
  const seconds = { slots: 0, index: 0 };
  for (let from = 0; from < collected; from += batch) {
    const numbers = Array.from({ length: batch }, (_, index) => from + index);
    const start = performance.now();
    const facts = { status: 'ENRICHED', reasonCodes: ['POLICY_ELIGIBLE'], externalId: null, json: slotJson };
    await ledger.slots.save(
      orderId,
      numbers.map((position) => ({ position, hash: `${position}`, ...facts })),
    );
    const saved = performance.now();
    const companies = numbers.map((position) => ({ position, company: { website_url: null, ...companyOf(position) } }));
    await ledger.companyIndex.saveSlots(companies.map((company) => ({ ref: orderId, ...company })));
    seconds.slots += (saved - start) / 1_000;
    seconds.index += (performance.now() - saved) / 1_000;
  }
  const perSecond = (duration: number) => `${Math.round(collected / duration / 100) * 100} rows/s`;
  console.log(
    `${database}: slots without index ${perSecond(seconds.slots)}, with index ${perSecond(seconds.slots + seconds.index)}`,
  );
}

function summarize(times: readonly number[]): Record<string, string> {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  return { 'p50, ms': at(0.5), 'p95, ms': at(0.95), 'max, ms': at(1) };
}

/** Addresses of each page by the number of the request. */
function pagesOfConsole(filled: readonly FilledOrder[]): Record<string, (number: number) => string> {
  const [largest = { orderId: '', size: 0 }] = filled;
  const order = (number: number) => filled[(number * 37) % filled.length] ?? largest;
  const rowsPage = (query: (size: number, number: number) => string) => (number: number) =>
    `/orders/${largest.orderId}/rows?${query(largest.size, number)}`;
  const company = (number: number) => companyOf((number * 7_919 * 13) % Math.floor(rows * 0.7));
  const search = (text: (number: number) => string) => (number: number) => `/why?q=${encodeURIComponent(text(number))}`;
  return {
    overview: () => '/',
    'overview, before': (number) => `/?before=${new Date(Date.now() - number).toISOString()}`,
    order: (number) => `/orders/${order(number).orderId}`,
    'largest order': () => `/orders/${largest.orderId}`,
    'rows, any order': (number) => `/orders/${order(number).orderId}/rows`,
    'rows, middle': rowsPage((size, number) => `after=${Math.floor(size / 2) + number}`),
    'rows, last': rowsPage((size, number) => `after=${size - 60 + (number % 50)}`),
    'rows, a status': rowsPage((size, number) => `status=ENRICHED&after=${Math.floor((size * number) / asked) - 1}`),
    'rows, rare status': rowsPage((size, number) => `status=BLOCKED&after=${Math.floor((size * number) / asked)}`),
    'rows, no such status': rowsPage(() => 'status=DUPLICATE'),
    'rows, a reason': rowsPage((size, number) => `reason=NOT_FOUND&after=${Math.floor((size * number) / asked)}`),
    'rows, rare reason': rowsPage((size, number) => `reason=RARE_REASON&after=${Math.floor((size * number) / asked)}`),
    'rows, status and reason': rowsPage(() => 'status=ENRICHED&reason=RARE_REASON'),
    'changes of companies': (number) => `/orders/${order(number).orderId}/changes`,
    'changes of contacts, middle': (number) =>
      `/orders/${largest.orderId}/changes?object=contacts&after=${7_000_000_000 + Math.floor(largest.size / 2) + number}`,
    'search: domain': search((number) => company(number).domain),
    'search: no such domain': search((number) => `stranger-${number}.example`),
    'search: domain in each order': search(() => everywhere.domain),
    'search: name': search((number) => company(number).name),
    'search: name in each order': search(() => everywhere.name),
    'search: beginning of a name': search((number) => company(number).name.slice(0, 8 + (number % 4))),
    'search: no such name': search((number) => `stranger ${number}`),
    'search: record': search((number) => company(number).recordId),
    'search: external id': search((number) => company(number).externalId),
    'search: address': search((number) => company(number).email),
    'search: no such address': search((number) => `joe@stranger-${number}.example`),
    'search: order': search((number) => order(number).orderId),
  };
}
