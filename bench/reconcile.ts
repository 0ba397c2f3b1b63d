/**
 * What it costs to prove an order: processor time and memory of the worker while it reads the published slots and the HubSpot
 * records again and writes the certificate, and of the commands that export the slots and verify the certificate. Sandbox, worker and
 * commands have a process each; the sandbox's time is in no figure. Ends with 1 where a bound is missed.
 *   node bench/reconcile.ts [slots, 100000 unless given]
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startReconcile, startRun } from '../src/worker/start-workflows.ts';
import { startSandbox } from '../test/helpers/command.ts';
import { readMemory, readProcessorSeconds, resetPeakMemory } from '../test/helpers/process-usage.ts';
import { addRun } from '../test/helpers/project-runs.ts';
import { startTemporal } from '../test/helpers/temporal-server.ts';
import { startWorkerProcess } from '../test/helpers/worker-process.ts';

const slots = Number(process.argv[2] ?? 100_000);
/** Of 100,000 slots. */
const bounds = { reconcileSeconds: 25, reconcileMegabytes: 300, verifySeconds: 5 };
const cli = path.join(import.meta.dirname, '../tools/prospect-sync.mjs');
const missed: string[] = [];

await using cleanup = new AsyncDisposableStack();
const [folder, exports] = [await makeFolder(), await makeFolder()];
const sandbox = cleanup.adopt(await startSandbox(folder), (opened) => opened.stop());
const temporal = cleanup.adopt(await startTemporal(), (opened) => opened.stop());
const env = { ...sandbox.env, TEMPORAL_ADDRESS: temporal.address, XDG_CACHE_HOME: path.join(folder, 'cache') };
const plan = await addRun({ folder, env }, 'proved', { briefing_quantity: slots });
await (await startWorker()).stop(); // compiles the workflows, as the package ships them
const collector = await startWorker();
const collectorStart = await readProcessorSeconds(collector.pid);
const { handle } = await startRun(temporal.client, plan, { label: 'bench', isConfirmed: true });
const { order } = await handle.result();
const collectSeconds = (await readProcessorSeconds(collector.pid)) - collectorStart;
await collector.stop();
console.log(
  `${slots} slots ordered, collected, written and reconciled: ${collectSeconds.toFixed(1)} s of processor time`,
);

const worker = await startWorker();
const idle = { memory: await readMemory(worker.pid), seconds: await readProcessorSeconds(worker.pid) };
await resetPeakMemory(worker.pid);
const started = await startReconcile(temporal.client, { orderId: order.orderId });
const proof = await started.handle.result();
const reconcileSeconds = (await readProcessorSeconds(worker.pid)) - idle.seconds;
const { peak } = await readMemory(worker.pid);
if (proof.reconciled !== slots || proof.findings.length > 0)
  throw new Error(`${proof.reconciled} of ${slots} reconciled: ${JSON.stringify(proof.findings)}`);
report('reconcile', reconcileSeconds, { bound: bounds.reconcileSeconds });
report('reconcile, memory above the idle worker', (peak - idle.memory.now) / 1e6, {
  bound: bounds.reconcileMegabytes,
  unit: 'MB',
});
await worker.stop();

const exported = path.join(exports, 'slots.ndjson.gz');
report('export', await runCommand(['export', order.orderId, '--out', exported]));
report('verify', await runCommand(['verify', proof.certificate, '--slots', exported]), { bound: bounds.verifySeconds });

for (const miss of missed) console.error(`missed: ${miss}`);
process.exitCode = missed.length === 0 ? 0 : 1;

async function makeFolder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'prospect-sync-bench-'));
  cleanup.defer(() => rm(made, { recursive: true }));
  return made;
}

/** A failed measurement stops it too. */
async function startWorker() {
  return cleanup.adopt(await startWorkerProcess(folder, env), (opened) => opened.stop());
}

/** Runs a command of prospect-sync. @returns its processor time in seconds */
async function runCommand(args: readonly string[]): Promise<number> {
  const config = ['--config', path.join(folder, 'prospect-sync.yaml')];
  // The shell's `times` counts ended children, which Node does not show.
  const script = '"$@" > /dev/null && times';
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', cli, ...args, ...config];
  const { stdout } = await promisify(execFile)('bash', ['-c', script, 'bash', ...command], {
    env: { ...process.env, ...env },
  });
  const ofChildren = stdout.trim().split('\n').at(-1) ?? '';
  return [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}

/** Bounds are for 100,000 slots. */
function report(what: string, figure: number, { bound, unit = 's' }: { bound?: number; unit?: string } = {}): void {
  console.log(
    `${what}: ${figure.toFixed(1)} ${unit}${bound === undefined ? '' : ` (at most ${bound} ${unit} for 100000 slots)`}`,
  );
  if (bound !== undefined && figure > bound) missed.push(`${what}: ${figure.toFixed(1)} ${unit}`);
}
