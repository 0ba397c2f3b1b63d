/** What a command has open while it works: Temporal, and a worker of its own when nobody else works. */
import { hostname } from 'node:os';
import { Client, Connection } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import type { Clients } from '../../activities/clients.ts';
import { createDataConverter } from '../codec/data-converter.ts';
import { localCodecServer } from '../codec/local-codec-server.ts';
import type { TemporalConfig } from '../config/temporal-settings.ts';
import { connectTemporal, type TemporalService } from '../dev-server/connect-temporal.ts';
import { searchAttributes } from '../search-attributes.ts';
import { taskQueue } from '../temporal.ts';
import { createWorker } from '../worker.ts';
import { createGrpcRetries } from './grpc-retries.ts';
import type { Terminal } from './terminal.ts';

export interface TemporalSession {
  readonly client: Client;
  readonly uiUrl: string | null;
  readonly service: TemporalService;
  readonly dataConverter: DataConverter;
  close(): Promise<void>;
}

/** Pollers are remembered for minutes; one that lives asks again within a minute. */
const livingPollerSeconds = 70;

export async function openTemporal(
  terminal: Terminal,
  dataDir: string,
  { encryption }: TemporalConfig,
  { promptTimers = false } = {},
): Promise<TemporalSession> {
  // The program handles signals itself: a run goes on in Temporal when its terminal is closed.
  Runtime.install({
    logger: new DefaultLogger('ERROR', ({ message }) => terminal.say(`worker: ${message}`)),
    shutdownSignals: [],
  });
  const service = await connectTemporal({
    env: terminal.env,
    dataDir,
    say: terminal.say,
    promptTimers,
    searchAttributes,
    ...(encryption === null ? {} : { uiCodecEndpoint: localCodecServer.url }),
  });
  const retries = createGrpcRetries();
  const connection = await Connection.connect({ ...service.connectOptions, interceptors: retries.interceptors });
  const dataConverter = createDataConverter(encryption);
  return {
    service,
    dataConverter,
    client: new Client({ connection, namespace: service.namespace, dataConverter }),
    uiUrl: service.uiUrl,
    async close() {
      await retries.end();
      await connection.close();
      await service.release();
    },
  };
}

/** Starts a worker in this process; closing it lets activities in flight reach their next heartbeat. */
export async function openWorker(
  terminal: Terminal,
  clients: Clients,
  { service, dataConverter }: TemporalSession,
  queue = taskQueue,
) {
  const connection = await NativeConnection.connect(service.connectOptions);
  const worker = await createWorker({ connection, namespace: service.namespace, clients, dataConverter, queue });
  const ended = worker.run().catch((error: unknown) => {
    terminal.say(`Worker: ended by itself (${error instanceof Error ? error.name : 'unknown error'})`);
  });
  return {
    ended,
    async close() {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
      await connection.close();
    },
  };
}

/** True when another process works on the task queue. */
export async function isWorkedOn({ client, service }: TemporalSession): Promise<boolean> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: service.namespace,
    taskQueue: { name: taskQueue },
  });
  const oldest = Date.now() / 1_000 - livingPollerSeconds;
  return (pollers ?? []).some(
    ({ lastAccessTime, identity }) => Number(lastAccessTime?.seconds ?? 0) > oldest && lives(identity ?? ''),
  );
}

/** A worker names itself `pid@host`; of this host's we know whether they still live. */
function lives(identity: string): boolean {
  const [pid, host] = identity.split('@');
  if (host !== hostname() || !/^\d+$/.test(pid ?? '')) return true;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}
