/**
 * How fast the receiver answers at a constant rate, whether it stores everything, and how far the effects are behind. Receiver, worker,
 * Temporal and sandbox have a process each. A bare handler that only verifies gets the same deliveries first, as the measure. Latencies are counted from the time at which a delivery was due, so that a stall counts for all deliveries behind it.
 * Those of the first five seconds are not counted: Node compiles what it runs often.
 *   node bench/receiver.ts [deliveries a second, 200 unless given] [seconds, 60 unless given]
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLedger } from '../src/ledger/ledger.ts';
import { parseSecret, sign, signatureHeaders } from '../src/replies/webhook-signature.ts';
import { startSandbox } from '../test/helpers/command.ts';
import { readMemory, readProcessorSeconds } from '../test/helpers/process-usage.ts';
import { startReceiverProcess } from '../test/helpers/receiver-process.ts';
import { startTemporal } from '../test/helpers/temporal-server.ts';
import { startWorkerProcess } from '../test/helpers/worker-process.ts';

const rate = Number(process.argv[2] ?? 200);
const seconds = Number(process.argv[3] ?? 60);
const warmUpSeconds = 5;
await using cleanup = new AsyncDisposableStack();
const folder = cleanup.adopt(await mkdtemp(path.join(tmpdir(), 'prospect-sync-bench-')), (made) =>
  rm(made, { recursive: true }),
);
const secret = `whsec_${randomBytes(32).toString('base64')}`;
const sandbox = cleanup.adopt(await startSandbox(folder), (opened) => opened.stop());
const temporal = cleanup.adopt(await startTemporal(), (opened) => opened.stop());
await appendFile(path.join(folder, 'prospect-sync.yaml'), 'replies: {secrets: [{env: REPLIES_SECRET}]}\n');
const dataDir = path.join(folder, '.prospect-sync');
const env = { ...sandbox.env, TEMPORAL_ADDRESS: temporal.address, REPLIES_SECRET: secret };
const worker = cleanup.adopt(await startWorkerProcess(folder, env, ['--data-dir', dataDir]), (opened) => opened.stop());
// As the unit of docs/deployment.md: an answer is due at once, an effect is not.
setPriority(worker.pid ?? 0, 5);
const receiver = cleanup.adopt(await startReceiverProcess(folder, env), (opened) => opened.stop());

const key = parseSecret(secret);
const pending: Promise<void>[] = [];
let latencies: number[] = [];
let answers = new Map<number | 'lost', number>();
const bare = cleanup.adopt(await startBareHandler(), (opened) => opened.kill());
const measure = await measureReceiver('bare handler', bare.url, bare.pid);
const { milliseconds } = await measureReceiver('receiver', receiver.replies.url, receiver.pid);
console.log(`processor a delivery: ${(milliseconds / measure.milliseconds).toFixed(1)} times the bare handler`);

const ledger = cleanup.adopt(await openLedger({ dataDir }), (opened) => opened.close());
const counts = await ledger.replies.counts();
const stored = counts.reduce((sum, { count }) => sum + count, 0);
const behind = counts.find(({ state }) => state === 'received')?.count ?? 0;
console.log(`stored ${stored} of ${rate * (warmUpSeconds + seconds)}; at the end ${behind} were not processed yet`);
const refusals = await ledger.replies.list({ classification: 'do_not_contact' });
const delays = refusals.flatMap(({ suppressedAt, receivedAt }) =>
  suppressedAt === null ? [] : [Date.parse(suppressedAt) - Date.parse(receivedAt)],
);
const [slowest = 0] = delays.toSorted((a, b) => b - a);
console.log(`suppressions of the last ${delays.length} refusals: at most ${slowest} ms after receipt`);
const { now, peak } = await readMemory(receiver.pid);
const toMegabytes = (bytes: number) => Math.round(bytes / 1e6);
console.log(`receiver: ${toMegabytes(now)} MB (RSS), at most ${toMegabytes(peak)} MB`);

async function measureReceiver(name: string, url: string, pid: number): Promise<{ milliseconds: number }> {
  await sendFor(url, warmUpSeconds, 'warm-up');
  latencies = [];
  answers = new Map();
  const before = await readProcessorSeconds(pid);
  await sendFor(url, seconds, 'msg');
  const milliseconds = (((await readProcessorSeconds(pid)) - before) * 1_000) / latencies.length;
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)} ms`;
  console.log(
    `${name}: ${rate} deliveries a second for ${seconds} s: p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(0.99999)}; answers ${JSON.stringify(Object.fromEntries(answers))}; ${milliseconds.toFixed(2)} ms of processor each`,
  );
  return { milliseconds };
}

async function startBareHandler() {
  const file = path.join(import.meta.dirname, 'bare-handler.ts');
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, REPLIES_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line]: unknown[] = await once(child.stdout, 'data');
  return { url: String(line).trim(), pid: child.pid ?? 0, kill: () => void child.kill() };
}

async function sendFor(url: string, duration: number, name: string): Promise<void> {
  const start = performance.now();
  for (let number = 0; number < rate * duration; number += 1) {
    const due = start + (number * 1_000) / rate;
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
    pending.push(deliver(url, `${name}_${number}`, due, number % 20 === 0));
  }
  await Promise.all(pending.splice(0));
}

async function deliver(url: string, id: string, due: number, isRefusal: boolean): Promise<void> {
  const body = Buffer.from(toReply(id, isRefusal ? 'do_not_contact' : 'out_of_office'));
  const timestampSeconds = Math.floor(Date.now() / 1_000);
  const headers = {
    'content-type': 'application/json',
    [signatureHeaders.id]: id,
    [signatureHeaders.timestamp]: String(timestampSeconds),
    [signatureHeaders.signature]: sign({ id, timestampSeconds, body, secrets: [key] }),
  };
  const answer = await fetch(url, { method: 'POST', headers, body }).then(
    ({ status }) => status,
    () => 'lost' as const,
  );
  latencies.push(performance.now() - due);
  answers.set(answer, (answers.get(answer) ?? 0) + 1);
}

/** Of a person whom no order has delivered. */
function toReply(id: string, classification: string): string {
  const at = new Date().toISOString();
  const data = {
    classification,
    classification_reason: 'An automatic answer.',
    prospect_first_name: '',
    prospect_last_name: '',
    prospect_full_name: '',
    prospect_email: '',
    prospect_job_title: '',
    company_name: '',
    company_website: '',
    company_country: '',
    campaign_id: 'bench',
    campaign_name: 'Bench',
    flow_name: '',
    thread_subject: 'Re: Hello',
    reply_text: 'I am out of the office. '.repeat(40),
    reply_text_truncated: false,
    reply_from_email: `${id}@stranger.example`,
    reply_received_at: at,
    sent_from_email: 'me@sender.example',
    app_url: '',
  };
  return JSON.stringify({
    id,
    type: `reply.${classification}`,
    timestamp: at,
    api_version: '2026-11-01',
    test: false,
    data,
  });
}
