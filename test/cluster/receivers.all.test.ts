// Two receivers and a worker are processes of their own, on PostgreSQL and a Temporal server; the sandbox sends over HTTP.
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { createControlClient } from '../../sandbox/control/control-client.ts';
import { freePort } from '../../src/base/http/local-server.ts';
import { startSandbox, spawnCommand, type RunningSandbox } from '../helpers/command.ts';
import { firstOrganization, forwardReplies } from '../helpers/campaign.ts';
import { startNetworkGate } from '../helpers/network-gate.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../helpers/postgres.ts';
import { startReceiverProcess, type ReceiverProcess } from '../helpers/receiver-process.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';
import { startWorkerProcess, type WorkerProcess } from '../helpers/worker-process.ts';
import { describeIf, needsPostgres } from '../helpers/describe-if.ts';
import { until } from '../helpers/until.ts';
import { readItems } from './evidence.ts';

const replies = 980;
const receivers = 2;
/** Of receivers and of the worker, at random moments. */
const kills = 12;
/** Sent while Temporal or PostgreSQL cannot be reached. */
const inOutage = 10;

let folder: string;
let sandbox: RunningSandbox;
let temporal: TemporalTestServer;
let postgres: PostgresServer;
let ledger: Ledger;
let worker: WorkerProcess | undefined;
const running: ReceiverProcess[] = [];
const gates: Awaited<ReturnType<typeof startNetworkGate>>[] = [];

describeIf(hasPostgres(), needsPostgres)('two receivers on one ledger', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-receivers-'));
    [sandbox, temporal, postgres] = await Promise.all([
      startSandbox(folder, { flags: ['--allow-receiver', '127.0.0.1/32'] }),
      startTemporal(),
      startPostgres(),
    ]);
  });
  afterAll(async () => {
    for (const receiver of running) receiver.kill();
    worker?.kill();
    for (const gate of gates) gate.close();
    await ledger?.close();
    await Promise.all([sandbox?.stop(), temporal?.stop(), postgres?.stop()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  // Guarantee: A reply is processed once, and none is lost
  it('give each reply its effects exactly once, although they are killed, and Temporal and PostgreSQL are away', async () => {
    const databaseUrl = await postgres.createSchema();
    const control = createControlClient({ baseUrl: sandbox.ready.control.url });
    const params = await firstOrganization(control);
    const ports = await Promise.all(Array.from({ length: receivers }, () => freePort()));
    const secrets: string[] = [];
    for (const [index, port] of ports.entries()) {
      const url = `http://127.0.0.1:${port}/replies`;
      secrets.push(await forwardReplies(control, params, { campaign_id: `campaign-${index}`, url }));
    }
    const [host = '', port = ''] = temporal.address.split(':');
    const temporalGate = await startNetworkGate({ host, port: Number(port) });
    const database = new URL(databaseUrl);
    const databaseGate = await openDatabaseGate(database);
    gates.push(temporalGate, databaseGate);
    await appendFile(
      path.join(folder, 'prospect-sync.yaml'),
      'ledger: {database_url: {env: DATABASE_URL}}\nreplies: {secrets: [{env: SECRET_0}, {env: SECRET_1}]}\n',
    );
    const env = {
      ...sandbox.env,
      TEMPORAL_ADDRESS: `127.0.0.1:${temporalGate.port}`,
      DATABASE_URL: database.href,
      SECRET_0: secrets[0] ?? '',
      SECRET_1: secrets[1] ?? '',
    };
    worker = await startWorkerProcess(folder, env, ['--receive-port', '0']);
    // A worker can be a receiver as well.
    const [, url = ''] = /Receiver: ([^"\s]+)/.exec(worker.said()) ?? [];
    expect((await fetch(url, { method: 'POST', body: 'not signed' })).status).toBe(401);
    const run = await spawnCommand(['run', 'demo-discovery', '--json', '--yes'], { cwd: folder, env });
    const orderId = (JSON.parse(run.stdout) as { orders: { order_id: string }[] }).orders[0]?.order_id ?? '';

    for (const port of ports) running.push(await startReceiverProcess(folder, env, port));
    const sent: string[] = [];
    let next = 0;
    const sendUntil = async (total: number) => {
      // A slot without a contact has no reply.
      for (; sent.length < total; next += 1) {
        const { data } = await control.POST('/organizations/{organization_id}/replies', {
          params,
          body: {
            classification: 'not_interested',
            campaign_id: `campaign-${next % receivers}`,
            prospect: { order_id: orderId, input_position: next % 300 },
            reply_text: `Reply ${next}`,
          },
        });
        sent.push(...(data?.deliveries ?? []).map(({ delivery_id }) => delivery_id));
      }
    };
    const sending = sendUntil(replies);
    for (let number = 0; number < kills; number += 1) {
      const place = number % (receivers + 1);
      await sleep(Math.random() * 600);
      if (place < receivers) {
        running[place]?.kill();
        running[place] = await startReceiverProcess(folder, env, ports[place]);
      } else {
        worker.kill();
        worker = await startWorkerProcess(folder, env);
      }
    }
    await sending;
    for (const [gate, advance] of [
      [temporalGate, 'PT5M'],
      [databaseGate, 'PT1H'],
    ] as const) {
      gate.shut();
      await sendUntil(sent.length + inOutage);
      // The sender tries again and again meanwhile.
      await control.POST('/clock', { body: { advance } });
      gate.open();
    }
    expect(sent).toHaveLength(replies + 2 * inOutage);
    // The sender's clock: failed attempts are repeated after a minute, then after two, and so on.
    const isDelivered = async () => {
      const { data } = await control.GET('/organizations/{organization_id}/deliveries', {
        params: { ...params, query: { state: 'pending', limit: 1 } },
      });
      return data?.deliveries.length === 0;
    };
    await until(async () => {
      await control.POST('/clock', { body: { advance: 'PT1M' } });
      return isDelivered();
    });

    ledger = await openLedger({ databaseUrl });
    await until(async () => (await ledger.replies.counts()).every(({ state }) => state !== 'received'));
    const stored = await ledger.replies.list({});
    expect(stored.map(({ webhookId }) => webhookId).sort()).toEqual([...sent].sort());
    expect(new Set(stored.map(({ state }) => state))).toEqual(new Set(['processed']));
    const notes = await readItems(sandbox, 'notes');
    const counts = sent.map((id) => notes.filter((text) => text.includes(`prospect-sync reply ${id}.`)).length);
    expect(counts).toEqual(sent.map(() => 1));
    expect(notes).toHaveLength(sent.length);
  }, 600_000);
});

/** Changes the address to that of the gate: PostgreSQL listens on a socket in a folder, or on a port. */
async function openDatabaseGate(database: URL) {
  const socketName = '.s.PGSQL.5432';
  const sockets = database.searchParams.get('host');
  if (sockets !== null) {
    database.searchParams.set('host', folder);
    return startNetworkGate({ path: path.join(sockets, socketName) }, { path: path.join(folder, socketName) });
  }
  const gate = await startNetworkGate({ host: database.hostname, port: Number(database.port || 5_432) });
  database.host = `127.0.0.1:${gate.port}`;
  return gate;
}
