/**
 * How long a worker and each stage of an order takes, how much memory the worker's process holds, and what ledger and histories
 * grow by, for a small and a ten times larger order in one run. Sandbox and worker have a process each; the sandbox's time
 * is part of every figure.
 *   node bench/pipeline.ts [slots of the larger order, 10000 unless given]
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import type { RunPlan } from '../src/config/run-plan.ts';
import { startRun } from '../src/worker/start-workflows.ts';
import { startSandbox } from '../test/helpers/command.ts';
import { readMemory, readProcessorSeconds } from '../test/helpers/process-usage.ts';
import { addRun } from '../test/helpers/project-runs.ts';
import { startTemporal } from '../test/helpers/temporal-server.ts';
import { startWorkerProcess } from '../test/helpers/worker-process.ts';

const large = Number(process.argv[2] ?? 10_000);
await using cleanup = new AsyncDisposableStack();
const folder = cleanup.adopt(await mkdtemp(path.join(tmpdir(), 'prospect-sync-bench-')), (made) =>
  rm(made, { recursive: true }),
);
const sandbox = cleanup.adopt(await startSandbox(folder), (opened) => opened.stop());
const temporal = cleanup.adopt(await startTemporal(), (opened) => opened.stop());
const env = { ...sandbox.env, TEMPORAL_ADDRESS: temporal.address, XDG_CACHE_HOME: path.join(folder, 'cache') };
const project = { folder, env };
const smaller = await addRun(project, 'smaller', { briefing_quantity: large / 10 });
const larger = await addRun(project, 'larger', { briefing_quantity: large });
await (await start('compiles the workflows')).stop();
// As the package and the image start, which ship them.
const worker = await start('has compiled workflows');

const figures = [await measure(smaller), await measure(larger)] as const;
console.table(Object.fromEntries(figures[0].seconds.keys().map((stage) => [stage, toRow(stage)])));
for (const { slots, memory, ledgerBytes, processorSeconds, events, historyBytes } of figures) {
  const perSlot = `${Math.round(ledgerBytes / slots)} bytes of ledger and ${toMilliseconds(processorSeconds / slots)} ms of processor a slot`;
  console.log(`${slots} slots: ${perSlot}; histories of ${events} events and ${Math.round(historyBytes / 1_000)} kB`);
  const held = `${toMegabytes(memory.now)} MB (RSS), at most ${toMegabytes(memory.peak)} MB so far`;
  console.log(`${slots} slots: the worker holds ${held}`);
}

async function measure(plan: RunPlan) {
  const slots = plan.briefingQuantity ?? 0;
  const before = { bytes: await ledgerSize(), processor: await readProcessorSeconds(worker.pid) };
  const { handle } = await startRun(temporal.client, plan, { label: 'bench', isConfirmed: true });
  const { order } = await handle.result();
  if (order.reconciled !== slots) throw new Error(`${order.reconciled} of ${slots} reconciled`);
  const workflowIds = [order.workflowId, `${order.workflowId}/reconcile`];
  const ran = [handle.workflowId, ...workflowIds].map((id) => temporal.client.workflow.getHandle(id).describe());
  const descriptions = await Promise.all(ran);
  return {
    slots,
    seconds: await stageSeconds(temporal.client, workflowIds),
    memory: await readMemory(worker.pid),
    ledgerBytes: (await ledgerSize()) - before.bytes,
    processorSeconds: (await readProcessorSeconds(worker.pid)) - before.processor,
    events: descriptions.reduce((sum, { historyLength }) => sum + historyLength, 0),
    historyBytes: descriptions.reduce((sum, { historySize = 0 }) => sum + historySize, 0),
  };
}

async function start(which: string) {
  const spawned = performance.now();
  const started = cleanup.adopt(await startWorkerProcess(folder, env), (opened) => opened.stop());
  const seconds = (performance.now() - spawned) / 1_000;
  const { now, peak } = await readMemory(started.pid);
  const held = `${toMegabytes(now)} MB (RSS), at most ${toMegabytes(peak)} MB`;
  console.log(`worker that ${which}: ready after ${seconds.toFixed(2)} s, with ${held}`);
  return started;
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

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 100_000) / 100;
}

function toSeconds(time: { seconds?: unknown; nanos?: number | null } | null | undefined): number {
  return Number(time?.seconds ?? 0) + (time?.nanos ?? 0) / 1e9;
}
