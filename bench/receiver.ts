/**
 * How fast the receiver answers at a constant rate, and whether it stores everything. Receiver, worker, Temporal and sandbox have a
 * process each. Latencies are counted from the time at which a delivery was due, so that a stall counts for all deliveries behind it.
 * Those of the first five seconds are not counted: Node compiles what it runs often.
 *   node bench/receiver.ts [deliveries a second, 200 unless given] [seconds, 60 unless given]
 */
import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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
cleanup.adopt(await startWorkerProcess(folder, env, ['--data-dir', dataDir]), (opened) => opened.stop());
const receiver = cleanup.adopt(await startReceiverProcess(folder, env), (opened) => opened.stop());

const key = parseSecret(secret);
const latencies: number[] = [];
const statuses = new Map<number, number>();
const pending: Promise<void>[] = [];
await sendFor(warmUpSeconds, 'warm-up');
latencies.length = 0;
const before = await readProcessorSeconds(receiver.pid);
await sendFor(seconds, 'msg');

const processor = (await readProcessorSeconds(receiver.pid)) - before;
const sorted = latencies.toSorted((a, b) => a - b);
const at = (share: number) => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)} ms`;
const ledger = cleanup.adopt(await openLedger({ dataDir }), (opened) => opened.close());
const stored = (await ledger.replies.counts()).reduce((sum, { count }) => sum + count, 0);
const { now, peak } = await readMemory(receiver.pid);
const toMegabytes = (bytes: number) => Math.round(bytes / 1e6);
console.log(`${rate} deliveries a second for ${seconds} s: p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(0.99999)}`);
console.log(
  `answers ${JSON.stringify(Object.fromEntries(statuses))}; stored ${stored} of ${rate * (warmUpSeconds + seconds)}`,
);
console.log(
  `receiver: ${processor.toFixed(1)} s of processor, ${((processor * 1_000) / latencies.length).toFixed(2)} ms a delivery; ${toMegabytes(now)} MB (RSS), at most ${toMegabytes(peak)} MB`,
);

async function sendFor(duration: number, name: string): Promise<void> {
  const start = performance.now();
  for (let number = 0; number < rate * duration; number += 1) {
    const due = start + (number * 1_000) / rate;
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
    pending.push(deliver(`${name}_${number}`, due));
  }
  await Promise.all(pending.splice(0));
}

async function deliver(id: string, due: number): Promise<void> {
  const body = Buffer.from(toReply(id));
  const timestampSeconds = Math.floor(Date.now() / 1_000);
  const headers = {
    'content-type': 'application/json',
    [signatureHeaders.id]: id,
    [signatureHeaders.timestamp]: String(timestampSeconds),
    [signatureHeaders.signature]: sign({ id, timestampSeconds, body, secrets: [key] }),
  };
  const { status } = await fetch(receiver.replies.url, { method: 'POST', headers, body });
  latencies.push(performance.now() - due);
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}

/** Of a person whom no order has delivered. */
function toReply(id: string): string {
  const at = new Date().toISOString();
  const data = {
    classification: 'out_of_office',
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
    type: 'reply.out_of_office',
    timestamp: at,
    api_version: '2026-11-01',
    test: false,
    data,
  });
}
