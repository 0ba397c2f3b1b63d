// Temporal's server and PostgreSQL as docker-compose.yml starts them, as processes of this machine: `npm run test:cluster`.
import { appendFileSync, copyFileSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { Client } from 'pg';
import { dayMs } from '../../src/base/day-milliseconds.ts';
import { freePort } from '../../src/base/http/local-server.ts';
import { locateTemporal } from '../../src/temporal/dev-server/locate-temporal.ts';
import { identifyProcess } from '../../src/temporal/dev-server/process-identity.ts';
import { waitUntilListening } from '../../src/temporal/dev-server/server-process.ts';
import { ensureSearchAttributes } from '../../src/temporal/namespace.ts';
import { searchAttributes } from '../../src/temporal/search-attributes.ts';
import { findServerPrograms } from './server-programs.ts';
import { environmentOf, passwords, root, runScript } from './compose-file.ts';
import { findPsql, startCluster } from './postgres.ts';
import { untilPasses } from './until.ts';

export type TemporalOnPostgres = Awaited<ReturnType<typeof startAll>>;

declare global {
  /** Helpers are loaded anew for each file. */
  var temporalOnPostgres: Promise<TemporalOnPostgres> | undefined;
}

/** The files of tests whose schedules are those of Temporal's newer scheduler. */
const withNewScheduler = ['schedules', 'backfill-schedule', 'apply-schedules'];
/** Ports of the server, besides PostgreSQL's. */
const portNames = ['FRONTEND', 'HISTORY', 'MATCHING', 'WORKER'].flatMap((role) => [
  `${role}_GRPC_PORT`,
  `${role}_MEMBERSHIP_PORT`,
]);

/** The cluster of all files of this process, with the namespaces of docker-compose.yml. test/cluster/run-cluster-tests.ts ends it. */
export function useTemporalOnPostgres(): Promise<TemporalOnPostgres> {
  return (globalThis.temporalOnPostgres ??= startAll());
}

/** A namespace named after the test file. */
export async function openNamespace() {
  const { address } = await useTemporalOnPostgres();
  const namespace = path.basename(expect.getState().testPath ?? '').replace(/\..*/, '');
  const connection = await Connection.connect({ address });
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs(dayMs),
  });
  // The server notices new namespaces later.
  await untilPasses(() => ensureSearchAttributes(connection, namespace, searchAttributes));
  await connection.close();
  return { address, namespace, uiUrl: null, end: async () => {} };
}

async function startAll() {
  const programs = await findServerPrograms(process.env);
  const psql = findPsql();
  if (programs === null || psql === null) throw new Error('run the tests with: npm run test:cluster');
  const folder = mkdtempSync(path.join(tmpdir(), 'prospect-sync-temporal-'));
  const port = await freePort();
  const administrator = { user: 'prospect_sync', password: passwords.POSTGRES_PASSWORD };
  const postgres = await startCluster({ superuser: administrator.user, password: administrator.password, port });
  const query = async (database: string, login: { user: string; password: string }, text: string) => {
    const client = new Client({ ...login, database, host: '127.0.0.1', port });
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  // The image of PostgreSQL makes it.
  await query('postgres', administrator, 'create database prospect_sync');
  const binaries = `${psql}:${path.dirname(programs.sqlTool)}:/usr/bin:/bin`;
  const host = { PATH: binaries, PGHOST: '127.0.0.1', PGPORT: String(port) };
  await runScript('postgres-roles', host, [['/server/', `${path.join(root, 'tools/server')}/`]]);
  await runScript('temporal-schema', host, [
    ['temporal-sql-tool', programs.sqlTool],
    ['--ep postgres -p 5432', `--ep 127.0.0.1 -p ${port}`],
    // The program contains the files of the image.
    ['-d "/etc/temporal/schema/', '--schema-name "'],
    ['/versioned"', '"'],
  ]);
  const server = await prepareServer(programs.server, folder, port);
  await server.start();
  const { path: cli } = await locateTemporal({ env: process.env, say: () => {} });
  const { address } = server;
  await untilPasses(async () => {
    await runScript('temporal-namespaces', { TEMPORAL_ADDRESS: address, HOME: folder }, [
      ['temporal operator', `${cli} operator`],
    ]);
  });
  return {
    ...server,
    postgres,
    /** The address of an empty schema, for the role of the ledger. */
    async createSchema(schema: string): Promise<string> {
      const url = new URL(environmentOf('worker', passwords)['DATABASE_URL'] ?? '');
      await query('prospect_sync', { user: url.username, password: url.password }, `create schema ${schema}`);
      url.host = `127.0.0.1:${port}`;
      url.searchParams.set('options', `-c search_path=${schema}`);
      return url.href;
    },
    async end() {
      await server.kill();
      await postgres.end();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** A server on the same ports each time. */
async function prepareServer(binary: string, folder: string, postgresPort: number) {
  const logFile = path.join(folder, 'server.log');
  const settings = path.join(folder, 'dynamic-config.yaml');
  copyFileSync(path.join(root, 'tools/server/dynamic-config.yaml'), settings);
  const constrained = withNewScheduler.map(
    (namespace) => `  - {value: true, constraints: {namespace: ${namespace}}}\n`,
  );
  for (const name of ['history.enableCHASMSchedulerCreation', 'history.enableCHASMSchedulerRouting'])
    appendFileSync(settings, `${name}:\n${constrained.join('')}`);
  const ports: Record<string, string> = {};
  for (const name of [...portNames, 'FRONTEND_HTTP_PORT']) ports[name] = String(await freePort());
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: folder,
    ...environmentOf('temporal', passwords),
    ...ports,
    POSTGRES_SEEDS: '127.0.0.1',
    DB_PORT: String(postgresPort),
    BIND_ON_IP: '127.0.0.1',
    DYNAMIC_CONFIG_FILE_PATH: settings,
  };
  const port = Number(ports['FRONTEND_GRPC_PORT']);
  let running: ChildProcess | undefined;
  process.once('exit', () => running?.kill('SIGKILL'));
  return {
    address: `127.0.0.1:${port}`,
    logFile,
    async start() {
      const log = openSync(logFile, 'a');
      running = spawn(binary, ['start'], { cwd: folder, env, stdio: ['ignore', log, log] });
      await once(running, 'spawn');
      const identity = running.pid === undefined ? null : await identifyProcess(running.pid);
      if (identity === null) throw new Error(`Temporal's server did not start. See ${logFile}`);
      await waitUntilListening(identity, port, logFile);
    },
    /** SIGKILL, which no clean end follows. */
    async kill() {
      if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
      const ended = once(running, 'exit');
      running.kill('SIGKILL');
      await ended;
    },
  };
}
