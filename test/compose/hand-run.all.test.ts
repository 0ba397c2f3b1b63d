// No Docker engine is needed: the processes of docker-compose.yml are started by hand, with the commands and the environment
// that stand there. Only addresses, ports and folders are this machine's.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { locateTemporal } from '../../src/temporal/dev-server/locate-temporal.ts';
import { choosePorts } from '../../src/temporal/dev-server/server-process.ts';
import { spawnCommand, startSandbox, type RunningSandbox } from '../helpers/command.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../helpers/postgres.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';
import { environmentOf, passwords, root, runScript, serviceOf } from '../helpers/compose-file.ts';
import { describeIf, needsPostgres } from '../helpers/describe-if.ts';
import { until } from '../helpers/until.ts';

const within = describeIf(hasPostgres(), needsPostgres);
const stopped: ChildProcess[] = [];
let project: string;
let sandbox: RunningSandbox;
let temporal: TemporalTestServer;
let postgres: PostgresServer;

within('the processes of docker-compose.yml', () => {
  beforeAll(async () => {
    project = await mkdtemp(path.join(tmpdir(), 'prospect-sync-compose-'));
    [sandbox, temporal, postgres] = await Promise.all([startSandbox(project), startTemporal(), startPostgres()]);
    await appendFile(path.join(project, 'prospect-sync.yaml'), 'ledger: {database_url: {env: DATABASE_URL}}\n');
  });
  afterAll(async () => {
    for (const child of stopped) if (child.exitCode === null) child.kill('SIGKILL');
    await Promise.all([sandbox?.stop(), temporal?.stop(), postgres?.stop()]);
    await rm(project, { recursive: true, force: true });
  });

  it('temporal-namespaces: creates what is missing, and nothing twice', async () => {
    const { path: binary } = await locateTemporal({ env: process.env, say: () => {} });
    const env = { TEMPORAL_ADDRESS: temporal.address, HOME: project };
    for (let time = 0; time < 2; time += 1)
      await runScript('temporal-namespaces', env, [['temporal operator', `${binary} operator`]]);
    const { namespaces } = await temporal.connection.workflowService.listNamespaces({});
    const found = namespaces?.map(({ namespaceInfo }) => namespaceInfo?.name);
    expect(found).toEqual(expect.arrayContaining(['default', 'sandbox']));
  });

  it('sandbox: serves the address and keys of its worker', () => {
    const environment = environmentOf('sandbox-worker', {});
    expect(environment).toMatchObject({
      PROSPECTING_API_KEY: sandbox.ready.service.apiKey,
      HUBSPOT_TOKEN: sandbox.ready.hubspot.token,
    });
    expect(serviceOf('sandbox').command).toEqual(['sandbox', '--example=/example']);
  });

  it('worker: two healthy workers complete an order of a run, and stop in time', async () => {
    const databaseUrl = await postgres.createSchema();
    const given = environmentOf('worker', { ...passwords, ...sandbox.env });
    expect(given['DATABASE_URL']).toBe('postgres://ledger:ghi@postgres:5432/prospect_sync');
    const addresses = {
      TEMPORAL_ADDRESS: temporal.address,
      DATABASE_URL: databaseUrl,
      PROSPECTING_BASE_URL: sandbox.env['PROSPECTING_BASE_URL'] ?? '',
      HUBSPOT_BASE_URL: sandbox.env['HUBSPOT_BASE_URL'] ?? '',
    };
    const env = { ...given, ...addresses };
    const workers = await Promise.all([startWorker(env), startWorker(env)]);

    const { code, stdout, stderr } = await spawnCommand(['run', 'demo-discovery', '--json'], { cwd: project, env });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(stderr).toContain('using the worker of another process on the task queue');
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      temporal_ui: 'http://localhost:8080',
      orders: [{ reconciled: 300 }],
    });
    const health = await Promise.all(workers.map(({ address }) => fetch(`${address}/healthz`)));
    expect(health.map(({ status }) => status)).toEqual([200, 200]);
    for (const { child } of workers) child.kill('SIGTERM'); // STOPSIGNAL
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0]);
  });
});

/** With nothing in its environment but what the file says, and where programs are. */
async function startWorker(env: Record<string, string>) {
  const { port } = await choosePorts({}, 'headless');
  const args = [serviceOf('worker').command].flat().map((arg) => (arg === '8080' ? String(port) : arg));
  const cli = path.join(root, 'tools/prospect-sync.mjs');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cli, ...args], {
    cwd: project,
    env: { PATH: process.env['PATH'], HOME: project, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  stopped.push(child);
  const ended = once(child, 'exit').then(([exitCode]) => exitCode);
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const address = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`the worker ended: ${output}`);
    return isReady();
  });
  return { child, address, ended };
}
