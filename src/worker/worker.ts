/** Creates the Temporal worker from connection, clients and settings, and reads the settings of Worker Versioning. */
import type { Environment } from '../base/host/environment-variables.ts';
import type { DataConverter } from '@temporalio/common';
import {
  Worker,
  type ActivityInboundCallsInterceptor,
  type ActivityInterceptorsFactory,
  type NativeConnection,
  type WorkerDeploymentOptions,
} from '@temporalio/worker';
import type { ActivityDependencies } from '../../activities/activity-dependencies.ts';
import { convertFailures } from './to-failure.ts';
import { createActivities } from '../../activities/index.ts';
import { boundResults } from '../../activities/result-size-limit.ts';
import { keepHeartbeating } from '../../activities/activity-heartbeat.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ProspectingClient } from '../service/client/prospecting-client.ts';
import { saveAnswerShapes } from '../proof/report/service-drift.ts';
import { createWorkerCodec } from '../temporal/codec/worker-codec.ts';
import type { Tracing } from './telemetry/tracing.ts';
import { taskQueue } from '../temporal/workflow-ids.ts';
import { toWorkerIdentity } from './worker-identity.ts';
import { bundleWorkflows } from '../temporal/workflow-bundle.ts';

import { InvalidSettingError } from '../base/text/explained-error.ts';

export interface WorkerSettings {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly clients: ActivityDependencies;
  /** The same as that of the client (createDataConverter); Temporal's default when absent. */
  readonly dataConverter?: DataConverter;
  readonly heartbeatTimeoutMs: number;
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
  heartbeatTimeoutMs,
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
    identity: toWorkerIdentity(clients.configuration.listRuns(), clients.ledger.installation),
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
        () => ({ inbound: keepAnswerShapes(clients) }),
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
      heartbeatTimeoutMs,
    }),
  });
}

/** Saves what each activity has seen of the service's answers. It neither fails nor delays the activity; what fails is saved by the next one. */
export function keepAnswerShapes({
  ledger,
  prospecting,
}: {
  readonly ledger: Pick<Ledger, 'answerShapes'>;
  readonly prospecting: Pick<ProspectingClient, 'answers' | 'baseUrl'>;
}): ActivityInboundCallsInterceptor {
  return {
    async execute(input, next) {
      try {
        return await next(input);
      } finally {
        void saveAnswerShapes(ledger, prospecting).catch(() => undefined);
      }
    },
  };
}

const behaviors = ['PINNED', 'AUTO_UPGRADE'] as const;

/** Worker Versioning, from the environment variables that Temporal's Worker Controller sets; null when they are not set. */
export function toDeployment(env: Readonly<Environment>): WorkerDeploymentOptions | null {
  const { TEMPORAL_DEPLOYMENT_NAME: deploymentName, TEMPORAL_WORKER_BUILD_ID: buildId } = env;
  const behaviorName = env['TEMPORAL_VERSIONING_BEHAVIOR'] || 'PINNED';
  const defaultVersioningBehavior = behaviors.find((behavior) => behavior === behaviorName);
  if (defaultVersioningBehavior === undefined)
    throw new InvalidSettingError(`TEMPORAL_VERSIONING_BEHAVIOR must be one of ${behaviors.join(', ')}`);
  if (!deploymentName && !buildId) return null;
  if (!deploymentName || !buildId) {
    throw new InvalidSettingError(
      'TEMPORAL_DEPLOYMENT_NAME and TEMPORAL_WORKER_BUILD_ID belong together: set both for Worker Versioning, or neither',
    );
  }
  if (deploymentName.includes('.'))
    throw new InvalidSettingError(
      'TEMPORAL_DEPLOYMENT_NAME must not contain a dot: Temporal separates name and build id with it',
    );
  return { version: { deploymentName, buildId }, useWorkerVersioning: true, defaultVersioningBehavior };
}
