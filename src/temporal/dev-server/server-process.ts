// The process of `temporal server start-dev`: chooses its ports, starts it, waits until it listens, and stops it.
import type { Environment } from '../../base/host/environment-variables.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TypedSearchAttributes } from '@temporalio/common';
import type { SearchAttributeType } from '@temporalio/common';
import { identifyProcess, isStillRunning } from './process-identity.ts';
import type { ProcessIdentity } from './process-identity.ts';

import { freePort, isListening, type LocalAddress } from '../../base/http/local-server.ts';
import { programEnvironment } from './program-environment.ts';
import { TemporalUnavailableError } from '../temporal-unavailable-error.ts';

export type SearchAttributeDefinition = { name: string; type: SearchAttributeType };
export type Ports = { port: number; uiPort: number | null };

export type ServerOptions = {
  binary: string;
  env: Environment;
  ports: Ports;
  /** null: in memory. */
  databaseFile: string | null;
  logFile: string;
  searchAttributes: readonly SearchAttributeDefinition[];
  /** Otherwise timers, and retries of activities, are up to 1 s late, which does not matter in production. */
  promptTimers: boolean;
  uiCodecEndpoint?: string;
  /** Address of the UI behind a proxy on `uiPort`. */
  uiUpstream?: LocalAddress;
  /** The option of child_process. When false, Ctrl-C in the terminal also ends the server. */
  detached: boolean;
};

const ip = '127.0.0.1';
const startSeconds = 30;
const stopSeconds = 10;
/** Without TEMPORAL_… variables: the CLI would read them, although they are for clients of another service. */
const serverVariables = ['XDG_CONFIG_HOME', 'GOMAXPROCS', 'GOMEMLIMIT'];

/** Free ports: the preferred ones if they are free. */
export async function choosePorts(preferred: Partial<Ports>, ui: 'ui' | 'headless'): Promise<Ports> {
  const port = await freePort(preferred.port);
  return { port, uiPort: ui === 'ui' ? await freePort(preferred.uiPort ?? undefined) : null };
}

/** Files of a process that `start` starts can be read by this user only. */
function withPrivateFiles<T>(start: () => T): T {
  const before = process.umask(0o077);
  try {
    return start();
  } finally {
    process.umask(before);
  }
}

/**
 * Returns before the server listens. The server does not keep this process alive.
 * @throws {TemporalUnavailableError} `not-started` when it has already ended
 */
export async function spawnServer(options: ServerOptions): Promise<ProcessIdentity> {
  const log = await open(options.logFile, 'a', 0o600);
  try {
    const child = withPrivateFiles(() =>
      spawn(options.binary, serverArguments(options), {
        cwd: path.dirname(options.logFile),
        env: programEnvironment(options.env, serverVariables),
        detached: options.detached,
        stdio: ['ignore', log.fd, log.fd],
      }),
    );
    await once(child, 'spawn');
    child.unref();
    const identity = child.pid === undefined ? null : await identifyProcess(child.pid);
    if (identity === null) throw await describeFailedStart(options.logFile);
    return identity;
  } finally {
    await log.close();
  }
}

/** @throws {TemporalUnavailableError} `not-started` with the end of the log when the server has ended; `silent` after 30 s */
export async function waitUntilListening(server: ProcessIdentity, port: number, logFile: string): Promise<void> {
  const deadline = performance.now() + startSeconds * 1000;
  while (!(await isListening(port))) {
    if (!(await isStillRunning(server))) throw await describeFailedStart(logFile);
    if (performance.now() > deadline) {
      const text = `the Temporal dev server does not accept connections on port ${port} after ${startSeconds} s. See ${logFile}`;
      throw new TemporalUnavailableError('silent', text);
    }
    await sleep(20);
  }
}

/** Returns when the process has ended: otherwise the next server with the same database would not start. */
export async function stopServer(server: ProcessIdentity): Promise<void> {
  const killAt = performance.now() + stopSeconds * 1000;
  let signal: NodeJS.Signals = 'SIGTERM';
  let sent: NodeJS.Signals | undefined;
  while (await isStillRunning(server)) {
    if (sent !== signal) process.kill(server.pid, signal);
    sent = signal;
    await sleep(20);
    if (performance.now() > killAt) signal = 'SIGKILL';
  }
}

function serverArguments(options: ServerOptions): string[] {
  const { ports, databaseFile, searchAttributes, promptTimers } = options;
  return [
    'server',
    'start-dev',
    `--ip=${ip}`,
    `--port=${ports.port}`,
    ...toUiArguments(options),
    // The HTTP interface cannot be disabled, and would answer every web page that finds its port. No request has this host.
    '--dynamic-config-value=frontend.httpAllowedHosts=[" "]',
    ...(databaseFile === null ? [] : [`--db-filename=${databaseFile}`]),
    ...searchAttributes.map(
      ({ name, type }) => `--search-attribute=${name}=${TypedSearchAttributes.toMetadataType(type)}`,
    ),
    ...(promptTimers ? ['--dynamic-config-value=history.timerProcessorMaxTimeShift="20ms"'] : []),
  ];
}

function toUiArguments({ ports, uiUpstream, uiCodecEndpoint }: ServerOptions): string[] {
  if (ports.uiPort === null) return ['--headless'];
  const place =
    uiUpstream === undefined
      ? [`--ui-port=${ports.uiPort}`]
      : [`--ui-ip=${uiUpstream.host}`, `--ui-port=${uiUpstream.port}`];
  return [...place, ...(uiCodecEndpoint === undefined ? [] : [`--ui-codec-endpoint=${uiCodecEndpoint}`])];
}

/** The error for a dev server that ended during its start, with the last lines of its log. */
export async function describeFailedStart(logFile: string): Promise<TemporalUnavailableError> {
  const lines = (await readFile(logFile, 'utf8')).trim().split('\n').slice(-3);
  const text = `the Temporal dev server did not start; the end of ${logFile}:`;
  return new TemporalUnavailableError('not-started', [text, ...lines].join('\n  '));
}
