/** What a command has open while it works: Temporal, and a worker of its own when nobody else works. */
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
import { openCacheFolder } from '../host/cache-folder.ts';
import { createDataConverter } from '../codec/data-converter.ts';
import { localCodecServer } from '../codec/local-codec-server.ts';
import type { TemporalConfig } from '../config/temporal-settings.ts';
import { connectTemporal, type TemporalService } from '../temporal/connect-temporal.ts';
import { formatMessage, type LogLine } from '../telemetry/logs.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { searchAttributes } from '../temporal/search-attributes.ts';
import { taskQueue } from '../temporal/workflow-ids.ts';
import { createWorker } from '../runtime/worker.ts';
import { createGrpcRetries } from './grpc-retries.ts';
import { forwardSdkLogs } from './sdk-logs.ts';
import { watchOutage } from './temporal-outage.ts';
import type { Terminal } from './terminal.ts';

export interface TemporalSession {
  readonly client: Client;
  readonly uiUrl: string | null;
  readonly service: TemporalService;
  readonly dataConverter: DataConverter;
  /** Task queue of its workflows and workers. */
  readonly queue: string;
  readonly tracing: Tracing | null;
  close(): Promise<void>;
}

export interface SessionSettings {
  readonly promptTimers?: boolean;
  readonly tracing?: Tracing | null;
  /** A call to Temporal fails after that, its retries included; 10 s unless given. null: it is repeated until Temporal answers. */
  readonly answerWithinMs?: number | null;
  /** Where the SDK tells what it does; its errors alone, to the terminal, unless given. */
  readonly runtime?: RuntimeOptions;
}

export interface OwnWorkerSettings {
  readonly shutdownGraceMs?: number;
  /** null: without Worker Versioning. */
  readonly deployment?: WorkerDeploymentOptions | null;
  readonly interceptors?: readonly ActivityInterceptorsFactory[];
}

/** Temporal answers a call within a fraction of a second. */
const usualAnswerMs = 10_000;
/** The client would otherwise look for a server that was away for long only every two minutes. */
const longestReconnectMs = 2_000;

export async function openTemporal(
  terminal: Terminal,
  dataDir: string,
  { encryption }: Pick<TemporalConfig, 'encryption'>,
  { promptTimers = false, tracing = null, answerWithinMs = usualAnswerMs, runtime }: SessionSettings = {},
): Promise<TemporalSession> {
  const { problem } = openCacheFolder(terminal.env);
  if (problem !== null) terminal.say(problem, 'warn');
  const service = await connectTemporal({
    env: terminal.env,
    dataDir,
    say: terminal.say,
    promptTimers,
    searchAttributes,
    ...(encryption === null ? {} : { uiCodecEndpoint: localCodecServer.url }),
  });
  const dataConverter = createDataConverter(encryption);
  const outage = watchOutage({ say: terminal.say, ...service.connectOptions, hint: toRestartHint(service, dataDir) });
  const retries = createGrpcRetries({ answerWithinMs, outage });
  const connection = await Connection.connect({
    ...service.connectOptions,
    interceptors: retries.interceptors,
    channelArgs: { 'grpc.max_reconnect_backoff_ms': longestReconnectMs },
  });
  // Last: one that forwards logs keeps the process alive until it is shut down.
  const installed = Runtime.install({
    ...(runtime ?? forwardErrors(terminal)),
    // The program handles signals itself: a run goes on in Temporal when its terminal is closed.
    shutdownSignals: [],
  });
  return {
    service,
    dataConverter,
    tracing,
    queue: terminal.env['TEMPORAL_TASK_QUEUE'] || taskQueue,
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
      // The SDK does it with the last worker; where none was started, nobody has. Twice does nothing.
      await installed.shutdown();
    },
  };
}

function forwardErrors(terminal: Terminal): RuntimeOptions {
  const write = (line: LogLine) => terminal.say(`worker: ${formatMessage(line)}`, line.level);
  return forwardSdkLogs({ level: 'ERROR', coreLevel: 'ERROR', write });
}

function toRestartHint({ isDevServer }: TemporalService, dataDir: string): string | null {
  return isDevServer ? `If it has ended, start it again: prospect-sync status --data-dir ${dataDir}` : null;
}

/** Starts a worker in this process; closing it gives activities in flight the time of grace, then cancels them: others go on with them. */
export async function openWorker(
  terminal: Terminal,
  clients: ActivityDependencies,
  { service, dataConverter, queue, tracing }: TemporalSession,
  settings: OwnWorkerSettings = {},
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
    cacheFolder: openCacheFolder(terminal.env).path,
    ...settings,
  }).catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  const ended = worker.run().catch((error: unknown) => {
    terminal.say(`Worker: ended by itself (${error instanceof Error ? error.name : 'unknown error'})`, 'error');
  });
  return {
    ended,
    state: () => worker.getState(),
    async close() {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
      await connection.close();
    },
  };
}
