/** Opens the connection to Temporal, and a worker in this process that uses it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { TemporalUnavailableError } from '../temporal/temporal-unavailable-error.ts';
import { errorName } from '../base/failures/error-name.ts';
import type { Environment } from '../base/host/environment-variables.ts';
import { Client, Connection } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import {
  NativeConnection,
  Runtime,
  type ActivityInterceptorsFactory,
  type RuntimeOptions,
  type WorkerDeploymentOptions,
} from '@temporalio/worker';
import type { ActivityDependencies } from '../../activities/activity-dependencies.ts';
import { openCacheFolder } from '../base/host/cache-folder.ts';
import { createDataConverter } from '../temporal/codec/encryption-codec.ts';
import { localCodecServer } from '../base/http/local-server.ts';
import type { TemporalConfig } from '../config/temporal-settings.ts';
import { warnOfMisspeltVariables } from '../temporal/misspelt-variables.ts';
import { connectTemporal, type TemporalService } from '../temporal/connect-temporal.ts';
import { formatMessage, type Log, type LogLine } from '../base/logs.ts';
import type { Tracing } from './telemetry/tracing.ts';
import { taskQueue } from '../temporal/workflow-ids.ts';
import { searchAttributes } from '../temporal/search-attributes.ts';
import { startStoredReplies } from '../replies/start-replies.ts';
import { startReply, withinTime } from './start-workflows.ts';
import { createWorker } from './worker.ts';
import { createGrpcRetries, watchOutage } from '../temporal/grpc-retries.ts';
import { forwardSdkLogs } from './telemetry/sdk-logs.ts';
import { withSentence } from '../base/text/normalize-text.ts';

export interface TemporalSession {
  readonly client: Client;
  readonly uiUrl: string | null;
  readonly service: TemporalService;
  readonly dataConverter: DataConverter;
  /** Task queue of the workflows and workers. */
  readonly queue: string;
  readonly tracing: Tracing | null;
  readonly heartbeatTimeoutMs: number;
  close(): Promise<void>;
}

/** The environment variables and the log of a process. */
export interface ProcessContext {
  readonly env: Readonly<Environment>;
  readonly log: Log;
}

export interface SessionSettings {
  /** The local dev server fires timers without rounding them up. */
  readonly promptTimers?: boolean;
  readonly tracing?: Tracing | null;
  /** Time limit for a call to Temporal including its retries; 10 s unless given. null: retried until Temporal answers. */
  readonly answerWithinMs?: number | null;
  /** Waits for a Temporal that cannot be reached yet, until aborted; without it, that is an error. */
  readonly waiting?: AbortSignal | undefined;
  /** Receives the log lines of the SDK; only its errors are logged unless given. */
  readonly runtime?: RuntimeOptions;
}

export interface OpenWorkerSettings {
  readonly shutdownGraceMs?: number;
  /** null: without Worker Versioning. */
  readonly deployment?: WorkerDeploymentOptions | null;
  readonly interceptors?: readonly ActivityInterceptorsFactory[];
}

/** Temporal usually answers within a fraction of a second. */
const defaultAnswerMs = 10_000;
/** The default of the client is two minutes after a long outage. */
const maxReconnectMs = 2_000;

export async function openTemporal(
  { env, log }: ProcessContext,
  dataDir: string,
  { encryption, heartbeatTimeoutMs }: TemporalConfig,
  { promptTimers = false, tracing = null, answerWithinMs = defaultAnswerMs, waiting, runtime }: SessionSettings = {},
): Promise<TemporalSession> {
  const { problem } = openCacheFolder(env);
  for (const text of [...(problem === null ? [] : [problem]), ...warnOfMisspeltVariables(env)]) log(text, 'warn');
  const connect = () =>
    connectTemporal({
      env,
      dataDir,
      say: log,
      promptTimers,
      searchAttributes,
      ...(encryption === null ? {} : { uiCodecEndpoint: localCodecServer.url }),
    });
  const service = await (waiting === undefined ? connect() : untilReachable(connect, waiting, log));
  const dataConverter = createDataConverter(encryption);
  const outage = watchOutage({ log, ...service.connectOptions, hint: toRestartHint(service, dataDir) });
  const retries = createGrpcRetries({ answerWithinMs, outage });
  const connection = await Connection.connect({
    ...service.connectOptions,
    interceptors: retries.interceptors,
    channelArgs: { 'grpc.max_reconnect_backoff_ms': maxReconnectMs },
  });
  // Last: one that forwards logs keeps the process alive until it is shut down.
  const releaseRuntime = useRuntime({
    ...(runtime ?? logErrors(log)),
    // The program handles signals itself: a run continues in Temporal when its terminal is closed.
    shutdownSignals: [],
  });
  return {
    service,
    dataConverter,
    tracing,
    heartbeatTimeoutMs,
    queue: env['TEMPORAL_TASK_QUEUE'] || taskQueue,
    client: new Client({
      connection,
      namespace: service.namespace,
      dataConverter,
      interceptors: { workflow: tracing === null ? [] : [tracing.client] },
    }),
    uiUrl: service.uiUrl,
    async close() {
      await retries.end();
      await connection.close();
      await service.release();
      await releaseRuntime();
    },
  };
}

/** The SDK has one runtime in a process, which all sessions share: a console may have several. The first one chooses its logs. */
const shared: { sessions: number; runtime: Runtime | null } = { sessions: 0, runtime: null };

function useRuntime(options: RuntimeOptions): () => Promise<void> {
  shared.runtime ??= Runtime.install(options);
  shared.sessions += 1;
  return async () => {
    shared.sessions -= 1;
    if (shared.sessions > 0) return;
    const { runtime } = shared;
    shared.runtime = null;
    // The SDK shuts it down with the last worker, but only if there was one. A second call has no effect.
    await runtime?.shutdown();
  };
}

const connectEveryMs = 5_000;

/** A process that starts with the machine may be earlier than Temporal. */
async function untilReachable<T>(connect: () => Promise<T>, signal: AbortSignal, log: Log): Promise<T> {
  for (let isSaid = false; ; isSaid = true) {
    try {
      return await connect();
    } catch (error) {
      const isAway = error instanceof TemporalUnavailableError && error.reason === 'unreachable';
      if (!isAway || signal.aborted) throw error;
      if (!isSaid) log(withSentence(error.message, 'Waiting for it'), 'warn');
      await sleep(connectEveryMs, null, { signal }).catch(() => undefined);
    }
  }
}

function logErrors(log: Log): RuntimeOptions {
  const write = (line: LogLine) => log(`worker: ${formatMessage(line)}`, line.level);
  return forwardSdkLogs({ level: 'ERROR', coreLevel: 'ERROR', write });
}

function toRestartHint({ isDevServer }: TemporalService, dataDir: string): string | null {
  return isDevServer ? `If it has stopped, restart it: prospect-sync status --data-dir ${dataDir}` : null;
}

/** Starts a worker in this process, which starts the workflows of stored replies too. Closing it waits for `shutdownGraceMs`, then cancels running activities; another worker retries them. */
export async function openWorker(
  { env, log }: ProcessContext,
  clients: ActivityDependencies,
  { client, service, dataConverter, queue, tracing, heartbeatTimeoutMs }: TemporalSession,
  settings: OpenWorkerSettings = {},
) {
  const connection = await NativeConnection.connect(service.connectOptions);
  const { namespace } = service;
  const worker = await createWorker({
    connection,
    namespace,
    clients,
    dataConverter,
    queue,
    tracing,
    heartbeatTimeoutMs,
    cacheFolder: openCacheFolder(env).path,
    ...settings,
  }).catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  const ended = worker.run().catch((error: unknown) => {
    log(`Worker stopped unexpectedly: ${errorName(error)}`, 'error');
  });
  const closing = new AbortController();
  const starting = startStoredReplies(
    {
      startWorkflow: (reply) => withinTime(client, () => startReply(client, reply, queue)),
      inbox: clients.ledger.replies,
      log,
    },
    closing.signal,
  );
  return {
    ended,
    state: () => worker.getState(),
    async close() {
      closing.abort();
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.all([ended, starting]);
      await connection.close();
    },
  };
}
