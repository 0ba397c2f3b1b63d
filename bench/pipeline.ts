/**
 * How long each stage of an order takes, how much memory the worker holds, and what ledger and histories grow by, for a
 * small and a ten times larger order in one run. The stand-ins work in a process of their own; their time is part of every figure.
 *   node bench/pipeline.ts [slots of the larger order, 10000 unless given]
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import { createHubSpotClient } from '../src/hubspot/client.ts';
import { openLedger } from '../src/ledger/ledger.ts';
import { createProspectingClient } from '../src/prospecting/client.ts';
import { startRun } from '../src/temporal.ts';
import { createWorker } from '../src/worker.ts';
import { startSandbox } from '../test/helpers/command.ts';
import { discoveryPlan } from '../test/helpers/pipeline.ts';
import { startTemporal } from '../test/helpers/temporal-server.ts';

const large = Number(process.argv[2] ?? 10_000);
const folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-bench-'));
const sandbox = await startSandbox(path.join(folder, 'example'));
const temporal = await startTemporal();
const ledger = await openLedger({ dataDir: folder });
const { service, hubspot } = sandbox.ready;
const clients = {
  prospecting: createProspectingClient({ baseUrl: service.url, apiKey: () => service.apiKey }),
  hubspot: createHubSpotClient({ baseUrl: hubspot.url, token: hubspot.token }),
  ledger,
  now: () => new Date(),
};
const worker = await createWorker({ connection: temporal.nativeConnection, namespace: temporal.namespace, clients });
const working = worker.run();

const figures = [await measure(large / 10), await measure(large)] as const;
console.table(Object.fromEntries(figures[0].seconds.keys().map((stage) => [stage, toRow(stage)])));
console.log(`worker: ${figures[0].megabytes} MB after ${large / 10} slots, ${figures[1].megabytes} MB after ${large}`);
for (const { slots, ledgerBytes, processorSeconds, events, historyBytes } of figures) {
  const perSlot = `${Math.round(ledgerBytes / slots)} bytes of ledger and ${toMilliseconds(processorSeconds / slots)} ms of processor a slot`;
  console.log(`${slots} slots: ${perSlot}; histories of ${events} events and ${Math.round(historyBytes / 1_000)} kB`);
}

worker.shutdown();
await working;
await ledger.close();
await temporal.stop();
await sandbox.stop();
await rm(folder, { recursive: true });

async function measure(slots: number) {
  const before = { bytes: await ledgerSize(), processor: process.cpuUsage() };
  const plan = discoveryPlan(folder, { runName: `slots-${slots}`, briefingQuantity: slots });
  const { handle } = await startRun(temporal.client, plan, { label: 'bench' });
  const { order } = await handle.result();
  if (order.reconciled !== slots) throw new Error(`${order.reconciled} of ${slots} reconciled`);
  const { user, system } = process.cpuUsage(before.processor);
  const workflowIds = [order.workflowId, `${order.workflowId}/reconcile`];
  const ran = [handle.workflowId, ...workflowIds].map((id) => temporal.client.workflow.getHandle(id).describe());
  const descriptions = await Promise.all(ran);
  return {
    slots,
    seconds: await stageSeconds(temporal.client, workflowIds),
    megabytes: Math.round(process.memoryUsage.rss() / 1e6),
    ledgerBytes: (await ledgerSize()) - before.bytes,
    processorSeconds: (user + system) / 1e6,
    events: descriptions.reduce((sum, { historyLength }) => sum + historyLength, 0),
    historyBytes: descriptions.reduce((sum, { historySize = 0 }) => sum + historySize, 0),
  };
}

/** Of the file and of what waits in the log beside it. */
async function ledgerSize(): Promise<number> {
  const sizes = ['ledger.db', 'ledger.db-wal'].map((name) =>
    stat(path.join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Seconds between start and end of activities, by their type. */
async function stageSeconds(client: Client, workflowIds: string[]): Promise<Map<string, number>> {
  const seconds = new Map<string, number>();
  for (const workflowId of workflowIds) {
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
    const byId = new Map((events ?? []).map((event) => [Number(event.eventId), event]));
    for (const { eventTime, activityTaskCompletedEventAttributes: completed } of events ?? []) {
      const scheduled = byId.get(Number(completed?.scheduledEventId))?.activityTaskScheduledEventAttributes;
      const startedAt = byId.get(Number(completed?.startedEventId))?.eventTime;
      const name = scheduled?.activityType?.name;
      if (name) seconds.set(name, (seconds.get(name) ?? 0) + toSeconds(eventTime) - toSeconds(startedAt));
    }
  }
  return seconds;
}

function toRow(stage: string) {
  const [small, big] = figures.map(({ seconds }) => seconds.get(stage) ?? 0);
  const round = (value: number) => Math.round(value * 100) / 100;
  const perSlot = (big ?? 0) / (small || Infinity) / 10;
  return {
    [`${large / 10} slots, s`]: round(small ?? 0),
    [`${large} slots, s`]: round(big ?? 0),
    'ratio a slot': round(perSlot),
  };
}

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 100_000) / 100;
}

function toSeconds(time: { seconds?: unknown; nanos?: number | null } | null | undefined): number {
  return Number(time?.seconds ?? 0) + (time?.nanos ?? 0) / 1e9;
}
