/** Creates the Temporal worker from connection, clients and settings. */
import type { DataConverter } from '@temporalio/common';
import {
  Worker,
  type ActivityInterceptorsFactory,
  type NativeConnection,
  type WorkerDeploymentOptions,
} from '@temporalio/worker';
import type { ActivityDependencies } from '../../activities/activity-dependencies.ts';
import { convertFailures } from '../../activities/to-failure.ts';
import { createActivities } from '../../activities/index.ts';
import { boundResults } from '../../activities/payload-size.ts';
import { keepHeartbeating } from '../../activities/activity-heartbeat.ts';
import { createWorkerCodec } from '../codec/worker-codec.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { taskQueue } from '../temporal/start-workflows.ts';
import { bundleWorkflows } from '../temporal/workflow-bundle.ts';

export interface WorkerSettings {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly clients: ActivityDependencies;
  /** The same as that of the client (createDataConverter); Temporal's default when absent. */
  readonly dataConverter?: DataConverter;
  /** Default: `taskQueue`. */
  readonly queue?: string;
  /** Caches the workflow bundle for the next start; no cache unless given. */
  readonly cacheFolder?: string | null;
  /** How long running activities may continue after a shutdown request before they are cancelled; 10 s unless given. */
  readonly shutdownGraceMs?: number;
  readonly deployment?: WorkerDeploymentOptions | null;
  readonly tracing?: Tracing | null;
  /** Wrap every activity. */
  readonly interceptors?: readonly ActivityInterceptorsFactory[];
}

/** How long a workflow task waits for the worker that has the workflow cached; Temporal's default is 10 seconds. */
const stickyQueueScheduleToStartTimeout = '3 seconds';

export async function createWorker({
  connection,
  namespace,
  clients,
  dataConverter = {},
  queue = taskQueue,
  cacheFolder = null,
  shutdownGraceMs = 10_000,
  deployment = null,
  tracing = null,
  interceptors = [],
}: WorkerSettings): Promise<Worker> {
  return Worker.create({
    connection,
    namespace,
    dataConverter: { ...dataConverter, payloadCodecs: dataConverter.payloadCodecs?.map(createWorkerCodec) ?? [] },
    taskQueue: queue,
    activities: createActivities(clients),
    interceptors: {
      activity: [
        ...(tracing === null ? [] : [tracing.activity]),
        ...interceptors,
        () => ({ inbound: convertFailures }),
        () => ({ inbound: boundResults }),
        () => ({ inbound: keepHeartbeating }),
      ],
    },
    sinks: { ...tracing?.sinks },
    shutdownGraceTime: shutdownGraceMs,
    ...(deployment === null ? {} : { workerDeploymentOptions: deployment }),
    maxConcurrentActivityTaskExecutions: 10,
    stickyQueueScheduleToStartTimeout,
    workflowBundle: await bundleWorkflows({
      interceptorModules: tracing?.workflowModules ?? [],
      failureConverterPath: dataConverter.failureConverterPath,
      cacheFolder,
    }),
  });
}
