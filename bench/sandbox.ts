/**
 * Checks that the sandbox is never the bottleneck of a client: it pages through an order of 1,000,000 results, beside a blacklist of
 * 1,000,000 entries, and sets the processor time of the server against that of two clients: the product's own, which holds
 * every page against the contract, and openapi-fetch alone, which only parses.
 *   node bench/sandbox.ts [pages, 2000 unless given] [results and entries, 1000000 unless given]
 * Ends with 1 when a bound is broken.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import createClient from 'openapi-fetch';
import type { operations } from '../src/service/contract/index.ts';
import type { PathsOf } from '../src/service/contract/operation.ts';
import { createProspectingClient } from '../src/service/client/prospecting-client.ts';
import { createControlClient } from '../sandbox/control/control-client.ts';
import { startSandbox } from '../test/helpers/command.ts';

const pages = Number(process.argv[2] ?? 2_000);
const size = Number(process.argv[3] ?? 1_000_000);
const rows = 100;
const mostMegabytes = 300;

const folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-bench-'));
const sandbox = await startSandbox(path.join(folder, 'example'));
const { service, control } = sandbox.ready;
const plane = createControlClient({ baseUrl: control.url });
try {
  const { data: organization } = await plane.POST('/organizations', { body: { name: 'bench' } });
  if (!organization) throw new Error('no organisation');
  const api = createClient<PathsOf<typeof operations>>({
    baseUrl: service.url,
    headers: { authorization: `Bearer ${organization.api_key}` },
  });

  const seeding = performance.now();
  const { data: seeded } = await plane.POST('/seed', {
    body: { organization_id: organization.organization_id, entries: size, companies: size },
  });
  if (!seeded) throw new Error('not seeded');
  await plane.GET('/health');
  console.log(`seeded and published in ${((performance.now() - seeding) / 1_000).toFixed(1)} s`);

  const own = createProspectingClient({ baseUrl: service.url, apiKey: () => organization.api_key });
  const readOwn: ReadPage = async (offset) => (await own.results.page(seeded.discovery_order_id, offset)).slots.length;
  const readBare: ReadPage = async (offset) => {
    const path = { order_id: seeded.discovery_order_id };
    const { data } = await api.GET('/api/v1/orders/{order_id}/results', {
      params: { path, query: { limit: rows, offset } },
    });
    const items: unknown = data?.['items'];
    return Array.isArray(items) ? items.length : 0;
  };
  const each = Math.floor(pages / 2);
  // Everything is warm before anything is counted.
  await readPages(readOwn, size / 2, 100);
  await readPages(readBare, size / 2, 100);
  const figures = {
    [`own client, first ${each} pages`]: await measure(readOwn, 0, each),
    [`own client, last ${each} pages`]: await measure(readOwn, size - each * rows, each),
    [`openapi-fetch alone, first ${each} pages`]: await measure(readBare, 0, each),
    [`openapi-fetch alone, last ${each} pages`]: await measure(readBare, size - each * rows, each),
  };
  const { resident_bytes, peak_resident_bytes } = await usage();
  console.table(figures);
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  console.log(`server: ${megabytes(resident_bytes)} MB resident, ${megabytes(peak_resident_bytes)} MB at most`);
  const ownFigures = Object.values(figures).slice(0, 2);
  if (ownFigures.some(({ server, client }) => server >= client)) process.exitCode = 1;
  if (megabytes(peak_resident_bytes) >= mostMegabytes) process.exitCode = 1;
} finally {
  await sandbox.stop();
  await rm(folder, { recursive: true });
}

type ReadPage = (offset: number) => Promise<number>;

async function readPages(read: ReadPage, offset: number, count: number): Promise<void> {
  for (let page = 0; page < count; page += 1) {
    if ((await read(offset + page * rows)) !== rows) throw new Error(`no full page at ${offset + page * rows}`);
  }
}

/** Milliseconds a page: processor time of the server and of this process, and how long it took. */
async function measure(read: ReadPage, offset: number, count: number) {
  const before = { server: (await usage()).cpu_seconds, client: process.cpuUsage(), wall: performance.now() };
  await readPages(read, offset, count);
  const { user, system } = process.cpuUsage(before.client);
  const wall = (performance.now() - before.wall) / count;
  const server = (((await usage()).cpu_seconds - before.server) * 1_000) / count;
  const client = (user + system) / 1_000 / count;
  return { server: round(server), client: round(client), ratio: round(server / client), wall: round(wall) };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

async function usage() {
  const { data } = await plane.GET('/health');
  if (!data) throw new Error('the control plane does not answer');
  return data;
}
