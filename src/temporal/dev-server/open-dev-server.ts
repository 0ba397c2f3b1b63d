import type { Environment } from '../../base/host/environment-variables.ts';
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { withFileLock } from './file-lock.ts';
import { locateTemporal } from './locate-temporal.ts';
import { ensureSearchAttributes, expectNamespace, setRetention } from '../namespace.ts';
import { isStillRunning } from './process-identity.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { choosePorts, describeFailedStart, spawnServer, stopServer, waitUntilListening } from './server-process.ts';
import type { Ports, SearchAttributeDefinition } from './server-process.ts';
import { countLivingLeases, readServerState, writeLease, writeServerState } from './server-state.ts';
import type { ServerState } from './server-state.ts';

import { chooseHiddenAddress } from '../../base/http/local-server.ts';
import { makePrivateFolder, narrowFilesIn } from '../../base/host/private-files.ts';
import type { TemporalBinary } from './temporal-binary.ts';
import { spawnUiProxy } from './ui-proxy.ts';
import { TemporalUnavailableError } from '../temporal-unavailable-error.ts';

const namespace = 'default';
const retentionDays = 90; // the dev server's default of one day would delete histories that users still need
const startAttempts = 3;

export type DevServerOptions = {
  dataDir: string;
  env: Environment;
  say: (text: string) => void;
  promptTimers: boolean;
  searchAttributes: readonly SearchAttributeDefinition[];
  headless?: boolean;
  /** Codec server of the UI. A running server keeps its own. */
  uiCodecEndpoint?: string;
  locate?: typeof locateTemporal;
};

export type DevServer = {
  /** host:port */
  address: string;
  namespace: string;
  /** null when the server has no UI. */
  uiUrl: string | null;
  /** Releases the server. The last process stops the server and waits until it has ended. */
  release: () => Promise<void>;
};

/**
 * Connects to the dev server of the data folder, or starts it. The server outlives this process: several processes can share it, and the
 * next process can use it when this one is killed.
 */
export async function openDevServer(options: DevServerOptions): Promise<DevServer> {
  const folder = path.resolve(options.dataDir, 'temporal');
  await makePrivateFolder(path.dirname(folder));
  await makePrivateFolder(folder);
  await narrowFilesIn(folder);
  const lock = { file: path.join(folder, 'lock'), pollMilliseconds: 20 };
  return await withFileLock(lock, async () => {
    const state = (await findRunning(folder, options)) ?? (await start(folder, options));
    const lease = await writeLease(folder);
    const release = () => withFileLock(lock, () => releaseServer(folder, lease));
    return {
      address: addressOf(state),
      namespace,
      uiUrl: state.uiPort === null ? null : `http://127.0.0.1:${state.uiPort}`,
      release,
    };
  });
}

export async function isDevServerRunning(dataDir: string): Promise<boolean> {
  const state = await readServerState(path.resolve(dataDir, 'temporal'));
  return state?.process != null && (await isStillRunning(state.process));
}

async function findRunning(folder: string, options: DevServerOptions): Promise<ServerState | null> {
  const state = await readServerState(folder);
  if (state?.process == null || !(await isStillRunning(state.process))) return null;
  try {
    await waitUntilListening(state.process, state.port, logFile(folder));
    await failWhenEnded(state.process, logFile(folder), prepare(state, options));
    const kept = await keepUiProxy(folder, state, state.process);
    options.say(`Temporal: using the running dev server of this data folder at ${addressOf(state)}`);
    return kept;
  } catch (error) {
    if (error instanceof TemporalUnavailableError && error.reason === 'search-attributes') throw error;
    await stopServer(state.process); // it hangs, or is ending
    return null;
  }
}

/** Starts the proxy of the UI when it does not run, for example because it was killed. */
async function keepUiProxy(folder: string, state: ServerState, server: ProcessIdentity): Promise<ServerState> {
  const { ui, uiPort } = state;
  if (ui === undefined || uiPort === null || (ui.proxy !== null && (await isStillRunning(ui.proxy)))) return state;
  const { upstream } = ui;
  const proxy = await spawnUiProxy({ port: uiPort, upstream, server }, logFile(folder));
  const kept = { ...state, ui: { upstream, proxy } };
  await writeServerState(folder, kept);
  await waitUntilListening(proxy, uiPort, logFile(folder));
  return kept;
}

async function start(folder: string, options: DevServerOptions): Promise<ServerState> {
  const { locate = locateTemporal, dataDir, env, say } = options;
  const binary = await locate({ env, say, dataDir });
  const before = await readServerState(folder);
  await setForeignDatabaseAside(folder, before?.cliVersion ?? 'unknown', binary, say);
  if (before?.ui?.proxy) await stopServer(before.ui.proxy); // it may still use the port
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(folder, options, binary, attempt === 1 && before !== null ? before : {});
    } catch (error) {
      // Another process may have taken a port since it was chosen. Whatever the reason, other ports may help.
      const hasEnded = error instanceof TemporalUnavailableError && error.reason === 'not-started';
      if (!hasEnded || attempt === startAttempts) throw error;
      say(`Temporal: the dev server ended during its start; starting it again, ${attempt + 1} of ${startAttempts}`);
    }
  }
}

async function startOnce(
  folder: string,
  options: DevServerOptions,
  binary: TemporalBinary,
  preferred: Partial<Ports>,
): Promise<ServerState> {
  const ports = await choosePorts(preferred, options.headless === true ? 'headless' : 'ui');
  const upstream = await chooseHiddenAddress();
  const server = await spawnServer({
    ...options,
    binary: binary.path,
    ports,
    databaseFile: databaseFile(folder),
    logFile: logFile(folder),
    uiUpstream: upstream,
    detached: true,
  });
  const ui = ports.uiPort === null ? {} : { ui: { upstream, proxy: null } };
  const state = { process: server, ...ports, cliVersion: binary.version, ...ui };
  try {
    await writeServerState(folder, state);
    const kept = await keepUiProxy(folder, state, server);
    await waitUntilListening(server, ports.port, logFile(folder));
    await failWhenEnded(server, logFile(folder), prepare(kept, options));
    options.say(`Temporal: dev server started at ${addressOf(kept)}`);
    return kept;
  } catch (error) {
    await stopServer(server);
    throw error;
  }
}

async function prepare(state: ServerState, { searchAttributes }: DevServerOptions): Promise<void> {
  const connection = await Connection.connect({ address: addressOf(state) });
  try {
    await expectNamespace(connection, namespace, addressOf(state));
    await setRetention(connection, namespace, retentionDays);
    await ensureSearchAttributes(connection, namespace, searchAttributes);
  } finally {
    await connection.close();
  }
}

/** Without this check, a connection to a server that has ended would be retried for 10 s. */
async function failWhenEnded(server: ProcessIdentity, log: string, task: Promise<void>): Promise<void> {
  const done = new AbortController();
  const watch = async () => {
    while (!done.signal.aborted) {
      if (!(await isStillRunning(server))) throw await describeFailedStart(log);
      await sleep(50);
    }
  };
  try {
    await Promise.race([task, watch()]);
  } finally {
    done.abort();
  }
}

async function releaseServer(folder: string, lease: string): Promise<void> {
  await rm(lease, { force: true });
  if ((await countLivingLeases(folder)) > 0) return;
  const state = await readServerState(folder);
  if (state?.process == null) return;
  const { ui, ...rest } = state;
  await stopServer(state.process);
  if (ui?.proxy) await stopServer(ui.proxy);
  await writeServerState(folder, { ...rest, process: null });
}

/** Moves the database of another CLI version aside: a dev server creates its schema only in a new file, and does not migrate. */
async function setForeignDatabaseAside(
  folder: string,
  createdBy: string,
  binary: TemporalBinary,
  say: (text: string) => void,
): Promise<void> {
  const database = databaseFile(folder);
  if (createdBy === binary.version || !(await exists(database))) return;
  let aside = path.join(folder, `temporal-${createdBy}.db`);
  for (let copy = 2; await exists(aside); copy += 1) aside = path.join(folder, `temporal-${createdBy}.${copy}.db`);
  for (const suffix of ['', '-wal', '-shm']) {
    if (await exists(database + suffix)) await rename(database + suffix, aside + suffix);
  }
  say(`Temporal: the database was created by version ${createdBy}, this is ${binary.version}; moved to ${aside}`);
}

async function exists(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}

function addressOf({ port }: ServerState): string {
  return `127.0.0.1:${port}`;
}

function databaseFile(folder: string): string {
  return path.join(folder, 'temporal.db');
}

function logFile(folder: string): string {
  return path.join(folder, 'server.log');
}
