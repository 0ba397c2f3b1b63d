// The containers of deploy/kubernetes without a cluster: their arguments, on a read-only file system, with a ledger in PostgreSQL.
import { appendFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { startRun } from '../../src/worker/start-workflows.ts';
import { buildImage } from '../compose/image-folder.ts';
import { startSandbox, type RunningSandbox } from '../helpers/command.ts';
import { describeIf, needsPostgres } from '../helpers/describe-if.ts';
import { addRun } from '../helpers/project-runs.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../helpers/postgres.ts';
import { startReadOnlyWorker, whyNothingReadOnly } from '../helpers/read-only-worker.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';
import { until } from '../helpers/until.ts';
import { readDeployment } from './kubernetes-files.ts';

const reason = whyNothingReadOnly();
let folder: string;
let project: string;
let program: string;
let databaseUrl: string;
let env: Record<string, string>;
let sandbox: RunningSandbox;
let temporal: TemporalTestServer;
let postgres: PostgresServer;

describeIf(reason === null, { needs: `a read-only file system (${reason})` })(
  'the containers of deploy/kubernetes',
  () => {
    describeIf(hasPostgres(), needsPostgres)('with a ledger in PostgreSQL', () => {
      beforeAll(async () => {
        folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-kubernetes-'));
        project = path.join(folder, 'project');
        await mkdir(project);
        program = buildImage(path.join(folder, 'app'));
        [sandbox, temporal, postgres] = await Promise.all([startSandbox(project), startTemporal(), startPostgres()]);
        databaseUrl = await postgres.createSchema();
        env = {
          ...sandbox.env,
          TEMPORAL_ADDRESS: temporal.address,
          DATABASE_URL: databaseUrl,
          REPLIES_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
        };
        await appendFile(
          path.join(project, 'prospect-sync.yaml'),
          'ledger: {database_url: {env: DATABASE_URL}}\nreplies: {secrets: [{env: REPLIES_SECRET}]}\n',
        );
      });
      afterAll(async () => {
        await Promise.all([sandbox?.stop(), temporal?.stop(), postgres?.stop()]);
        await rm(folder, { recursive: true, force: true });
      });

      it('prospect-sync-worker: completes an order, writes to the volumes only, and closes its connections', async () => {
        const plan = await addRun({ folder: project, env }, 'read-only', { briefing_quantity: 20 });
        await using cleanup = new AsyncDisposableStack();
        const worker = cleanup.adopt(await startContainer('prospect-sync-worker'), (opened) => opened.stop());
        const [, health] = /Health: (http:\S+)\/readyz/.exec(worker.said()) ?? [];
        expect((await fetch(`${health}/readyz`)).status).toBe(200);
        const { handle } = await startRun(temporal.client, plan, { label: '2026-11-23' });
        const { order } = await handle.result();
        expect(order).toMatchObject({ slots: 20, reconciled: 20, findings: [] });
        expect(await readdir(path.join(project, 'out'))).toContain(`${order.orderId}.xlsx`);
        expect(await countConnections()).toBeLessThanOrEqual(10);
        await worker.stop();
        expect(await until(async () => (await countConnections()) === 0)).toBe(true);
      });

      it('prospect-sync-receiver: is alive, and asks who sends without a signature for one', async () => {
        await using cleanup = new AsyncDisposableStack();
        const receiver = cleanup.adopt(await startContainer('prospect-sync-receiver'), (opened) => opened.stop());
        const [, health] = /Health: (http:\S+)\/readyz/.exec(receiver.said()) ?? [];
        const [, address] = /Receiver: (http:\S+?)[\s",]/.exec(receiver.said()) ?? [];
        expect((await fetch(`${health}/healthz`)).status).toBe(200);
        expect((await fetch(address ?? 'nowhere', { method: 'POST', body: '{}' })).status).toBe(401);
      });
    });
  },
);

/** With the arguments of the container, on free ports. Its volumes /project/out and /tmp are one folder. */
async function startContainer(name: string) {
  const [{ args }] = readDeployment(name).spec.template.spec.containers;
  const free = args.map((arg, place) => (args[place - 1]?.endsWith('port') ? '0' : arg));
  return startReadOnlyWorker({
    program,
    args: [...free, '--config', path.join(project, 'prospect-sync.yaml')],
    folder,
    writable: path.join(project, 'out'),
    env: { ...process.env, ...env },
  });
}

async function countConnections(): Promise<number> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'test' });
  await client.connect();
  const { rows } = await client.query(
    "select count(*)::int as count from pg_stat_activity where application_name = 'prospect-sync' and datname = current_database()",
  );
  await client.end();
  return rows[0].count;
}
