// Two receivers, a worker, the Temporal server and PostgreSQL are processes of their own that are killed; the sandbox sends over HTTP.
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createControlClient } from '../../sandbox/control/control-client.ts';
import { freePort } from '../../src/base/http/local-server.ts';
import { defaultReplyPolicy } from '../../src/config/reply-policy.ts';
import { openLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { firstOrganization, forwardReplies } from '../helpers/campaign.ts';
import { startSandbox, spawnCommand, type RunningSandbox } from '../helpers/command.ts';
import { describeIf, needsPostgres } from '../helpers/describe-if.ts';
import { hasPostgres, startCluster } from '../helpers/postgres.ts';
import { startReceiverProcess, type ReceiverProcess } from '../helpers/receiver-process.ts';
import { createTemporalOnFile, type TemporalOnFile } from '../helpers/temporal-on-file.ts';
import { until } from '../helpers/until.ts';
import { startWorkerProcess, type WorkerProcess } from '../helpers/worker-process.ts';
import { readItems } from './evidence.ts';

/** One of each kind of effects. */
const classes = ['interested', 'not_interested', 'do_not_contact', 'out_of_office', 'unactionable'] as const;
/** Of another person each, so that no reply decides about the task of another. */
const ofEachClass = 48;
const people = classes.length * ofEachClass;
/** After those, the people of the last rows refuse again and again. */
const replies = 1_000;
const ordered = 300;

let folder: string;
let sandbox: RunningSandbox;
let temporal: TemporalOnFile;
let postgres: Awaited<ReturnType<typeof startCluster>>;
let ledger: Ledger;
let worker: WorkerProcess | undefined;
const running: ReceiverProcess[] = [];

describeIf(hasPostgres(), needsPostgres)('two receivers on servers that are killed', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-killed-'));
    temporal = await createTemporalOnFile(folder);
    [sandbox, postgres] = await Promise.all([
      startSandbox(folder, { flags: ['--allow-receiver', '127.0.0.1/32'] }),
      startCluster(),
      temporal.start(),
    ]);
  });
  afterAll(async () => {
    for (const receiver of running) receiver.kill();
    worker?.kill();
    await ledger?.close();
    await Promise.all([sandbox?.stop(), temporal?.kill(), postgres?.end()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  // Guarantee: A reply is processed once, and none is lost
  it('give each reply the note and the task of its class exactly once, although Temporal and PostgreSQL are killed too', async () => {
    const control = createControlClient({ baseUrl: sandbox.ready.control.url });
    const params = await firstOrganization(control);
    const ports = [await freePort(), await freePort()];
    const secrets: string[] = [];
    for (const [index, port] of ports.entries()) {
      const url = `http://127.0.0.1:${port}/replies`;
      secrets.push(await forwardReplies(control, params, { campaign_id: `campaign-${index}`, url }));
    }
    await appendFile(
      path.join(folder, 'prospect-sync.yaml'),
      'ledger: {database_url: {env: DATABASE_URL}}\nreplies: {secrets: [{env: SECRET_0}, {env: SECRET_1}]}\n',
    );
    const env = {
      ...sandbox.env,
      TEMPORAL_ADDRESS: temporal.address,
      DATABASE_URL: postgres.url,
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

    const sent = new Map<string, (typeof classes)[number]>();
    let next = 0;
    /** The position after the last person of a class. */
    let firstOfRest = 0;
    const sendUntil = async (total: number) => {
      // A slot without a contact has no reply.
      for (; sent.size < total; next = next === ordered - 1 ? firstOfRest : next + 1) {
        const classification =
          sent.size < people ? (classes[sent.size % classes.length] ?? 'interested') : 'not_interested';
        const { data } = await control.POST('/organizations/{organization_id}/replies', {
          params,
          body: {
            classification,
            campaign_id: `campaign-${next % ports.length}`,
            prospect: { order_id: orderId, input_position: next },
            reply_text: `Reply ${next}`,
          },
        });
        for (const { delivery_id } of data?.deliveries ?? []) sent.set(delivery_id, classification);
        if (sent.size === people) firstOfRest ||= next + 1;
      }
    };
    /** Ends a process, and returns how it is started again. */
    const victims: (() => Promise<() => Promise<unknown>>)[] = [
      ...ports.map((port, index) => async () => {
        running[index]?.kill();
        return async () => (running[index] = await startReceiverProcess(folder, env, port));
      }),
      async () => {
        worker?.kill();
        return async () => (worker = await startWorkerProcess(folder, env));
      },
      async () => {
        await temporal.kill();
        return () => temporal.start();
      },
      async () => {
        await postgres.kill();
        return () => postgres.start();
      },
    ];
    /** As a machine that loses its power; each then waits for the others. */
    const everything = async () => {
      const starts = await Promise.all(victims.map((kill) => kill()));
      return () => Promise.all(starts.map((start) => start()));
    };
    const order = [...victims, everything];
    for (const [index, kill] of order.entries()) {
      const sending = sendUntil(Math.ceil(((index + 1) * replies) / order.length));
      await sleep(Math.random() * 300);
      const start = await kill();
      await sleep(Math.random() * 1_000);
      await start();
      await sending;
    }
    expect(sent.size).toBe(replies);
    // The sender's clock: failed attempts are repeated after a minute, then after two, and so on.
    const hasPending = async () => {
      const { data } = await control.GET('/organizations/{organization_id}/deliveries', {
        params: { ...params, query: { state: 'pending', limit: 1 } },
      });
      return data?.deliveries.length !== 0;
    };
    // An hour, and longer if need be.
    for (let minute = 0; minute < 60 || (await hasPending()); minute += 1)
      await control.POST('/clock', { body: { advance: 'PT1M' } });

    ledger = await openLedger({ databaseUrl: postgres.url });
    let left = replies;
    await until(
      async () => {
        const counts = await ledger.replies.counts();
        left = counts.find(({ state }) => state === 'received')?.count ?? 0;
        return left === 0;
      },
      () => `${left} replies are not processed`,
    );
    const stored = await ledger.replies.list({});
    expect(stored.map(({ webhookId }) => webhookId).sort()).toEqual([...sent.keys()].sort());
    expect(stored.filter(({ state }) => state !== 'processed')).toEqual([]);
    for (const [type, item] of [
      ['notes', 'note'],
      ['tasks', 'task'],
    ] as const) {
      const texts = await readItems(sandbox, type);
      const marked = (id: string) => texts.filter((text) => text.includes(`prospect-sync reply ${id}.`)).length;
      const wrong = [...sent].filter(([id, name]) => marked(id) !== Number(defaultReplyPolicy.classes[name][item]));
      expect(wrong).toEqual([]);
    }
    const suppressed = await ledger.suppressions.list({ withRemoved: false });
    const refusals = [...sent].filter(([, name]) => name === 'do_not_contact');
    expect(suppressed.map(({ addedBy }) => addedBy).sort()).toEqual(refusals.map(([id]) => `reply ${id}`).sort());
  }, 600_000);
});
