import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { IllegalStateError } from '@temporalio/common';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { locateTemporal } from '../../src/temporal/dev-server/locate-temporal.ts';
import {
  choosePorts,
  spawnServer,
  stopServer,
  waitUntilListening,
} from '../../src/temporal/dev-server/server-process.ts';
import { openNamespace } from './temporal-on-postgres.ts';
import { searchAttributes } from '../../src/temporal/search-attributes.ts';

// Must run before the first native connection; otherwise workers log each start and stop.
try {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
} catch (error) {
  // It ends with its last connection: another file of this process installed it, and then used none.
  if (!(error instanceof IllegalStateError)) throw error;
}

export type TemporalTestServer = Awaited<ReturnType<typeof startTemporal>>;

/**
 * An in-memory Temporal server with prompt timers; in `npm run test:cluster` a namespace on the cluster. Start it in beforeAll, stop it in
 * afterAll.
 */
export async function startTemporal(ui: 'ui' | 'headless' = 'headless') {
  const isOnCluster = process.env['PROSPECT_SYNC_TESTS'] === 'cluster';
  const server = await (isOnCluster ? openNamespace() : startDevServer(ui));
  const { address, namespace, uiUrl } = server;
  const connection = await Connection.connect({ address });
  const nativeConnection = await NativeConnection.connect({ address });
  const client = new Client({ connection, namespace });
  return {
    address,
    uiUrl,
    connection,
    nativeConnection,
    client,
    namespace,
    /** Stop the workers first. */
    async stop() {
      await nativeConnection.close();
      await connection.close();
      await server.end();
    },
  };
}

async function startDevServer(ui: 'ui' | 'headless') {
  const binary = await locateTemporal({ env: process.env, say: () => {} });
  const folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-temporal-'));
  const { server, ports } = await startServer(binary.path, folder, ui);
  return {
    address: `127.0.0.1:${ports.port}`,
    namespace: 'default',
    uiUrl: ports.uiPort === null ? null : `http://127.0.0.1:${ports.uiPort}`,
    async end() {
      process.kill(server.pid, 'SIGKILL'); // a polite stop takes seconds, and nothing is to be kept
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Another process may take a port after it was chosen. */
async function startServer(binary: string, folder: string, ui: 'ui' | 'headless', attempt = 1) {
  const ports = await choosePorts({}, ui);
  const logFile = path.join(folder, `server-${attempt}.log`);
  const server = await spawnServer({
    binary,
    env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder }, // in memory, it keeps a cluster id there
    ports,
    databaseFile: null,
    logFile,
    searchAttributes,
    promptTimers: true,
    detached: false,
  });
  try {
    await waitUntilListening(server, ports.port, logFile);
    if (ports.uiPort !== null) await waitUntilListening(server, ports.uiPort, logFile);
    return { server, ports };
  } catch (error) {
    await stopServer(server);
    if (attempt === 3) throw error;
    return startServer(binary, folder, ui, attempt + 1);
  }
}
