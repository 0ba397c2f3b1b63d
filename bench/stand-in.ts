/**
 * Whether the stand-in is ever what a client waits for: it pages through an order of 1,000,000 results, beside a blacklist of
 * 1,000,000 entries, and sets the processor time of the server against that of a client that does nothing but read.
 *   node bench/stand-in.ts [pages, 2000 unless given] [results and entries, 1000000 unless given]
 * Ends with 1 when a bound is broken.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import createClient from 'openapi-fetch';
import type { Paths } from '../src/contract/index.ts';
import { createControlClient } from '../src/sandbox/control/client.ts';
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
  const api = createClient<Paths>({
    baseUrl: service.url,
    headers: { authorization: `Bearer ${organization.api_key}` },
  });

  const seeding = performance.now();
  const { data: seeded } = await plane.POST('/seed', {
    body: { organization_id: organization.organization_id, entries: size, companies: size },
  });
  if (!seeded) throw new Error('not seeded');
  await readPages(0, 1);
  console.log(`seeded and published in ${((performance.now() - seeding) / 1_000).toFixed(1)} s`);

  const each = Math.floor(pages / 2);
  // Both are warm before anything is counted.
  await readPages(size / 2, 100);
  const first = await measure(0, each);
  const last = await measure(size - each * rows, each);
  const { resident_bytes, peak_resident_bytes } = await usage();
  console.table({ [`first ${each} pages`]: toRow(first), [`last ${each} pages`]: toRow(last) });
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  console.log(`server: ${megabytes(resident_bytes)} MB resident, ${megabytes(peak_resident_bytes)} MB at most`);
  const server = first.server + last.server;
  const client = first.client + last.client;
  console.log(`processor time a page: server ${(server / client).toFixed(2)} of the client`);
  if (server >= client || megabytes(peak_resident_bytes) >= mostMegabytes) process.exitCode = 1;

  async function readPages(offset: number, count: number): Promise<void> {
    for (let page = 0; page < count; page += 1) {
      const { data } = await api.GET('/api/v1/orders/{order_id}/results', {
        params: {
          path: { order_id: seeded?.discovery_order_id ?? '' },
          query: { limit: rows, offset: offset + page * rows },
        },
      });
      const items: unknown = data?.['items'];
      if (!Array.isArray(items) || items.length !== rows) throw new Error(`no full page at ${offset + page * rows}`);
    }
  }

  async function measure(offset: number, count: number) {
    const before = { server: (await usage()).cpu_seconds, client: process.cpuUsage(), wall: performance.now() };
    await readPages(offset, count);
    const { user, system } = process.cpuUsage(before.client);
    const wall = (performance.now() - before.wall) / count;
    return {
      server: (((await usage()).cpu_seconds - before.server) * 1_000) / count,
      client: (user + system) / 1_000 / count,
      wall,
    };
  }
} finally {
  await sandbox.stop();
  await rm(folder, { recursive: true });
}

async function usage() {
  const { data } = await plane.GET('/health');
  if (!data) throw new Error('the control plane does not answer');
  return data;
}

function toRow({ server, client, wall }: { server: number; client: number; wall: number }) {
  const round = (value: number) => Math.round(value * 100) / 100;
  return {
    'server, ms of processor': round(server),
    'client, ms of processor': round(client),
    'wall, ms': round(wall),
  };
}
