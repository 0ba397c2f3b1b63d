/** The composition root: configuration to clients, clients to activities, activities to a worker. */
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
import { boundResults } from '../../activities/result-size-limit.ts';
import { keepHeartbeating } from '../../activities/activity-heartbeat.ts';
import { createWorkerCodec } from '../codec/worker-codec.ts';
import type { Config } from '../config/config.ts';
import type { HubSpotConfig } from '../config/hubspot-settings.ts';
import { createPublicFetch } from '../http/public-fetch.ts';
import { createHubSpotClient, type HubSpotClient } from '../hubspot/hubspot-client.ts';
import { describePostgres } from '../ledger/describe-postgres.ts';
import { openLedger, type Ledger } from '../ledger/ledger.ts';
import { ledgerFile } from '../ledger/sqlite.ts';
import { createProspectingClient } from '../prospecting/prospecting-client.ts';
import { toWorkerConfiguration } from '../config/run-plan.ts';
import { watchFetch, type CallWatcher, type System } from '../telemetry/calls.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { taskQueue } from '../temporal/workflow-ids.ts';
import { bundleWorkflows } from '../temporal/workflow-bundle.ts';

export interface WorkerSettings {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly clients: ActivityDependencies;
  /** The one of its clients (createDataConverter); Temporal's own when absent. */
  readonly dataConverter?: DataConverter;
  /** The program's own unless given. */
  readonly queue?: string;
  /** Where bundled workflows are kept for the next start; nowhere unless given. */
  readonly cacheFolder?: string | null;
  /** How long activities in flight may go on when the worker is told to stop, before they are cancelled; 10 s unless given. */
  readonly shutdownGraceMs?: number;
  readonly deployment?: WorkerDeploymentOptions | null;
  readonly tracing?: Tracing | null;
  /** Around all activities. */
  readonly interceptors?: readonly ActivityInterceptorsFactory[];
}

/** How long a workflow waits for the worker that knows it, before any other one takes it: 10 seconds unless set. */
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

export async function openConfiguredLedger({ ledger }: Config, dataDir: string): Promise<Ledger> {
  return openLedger(ledger.databaseUrl === null ? { dataDir } : { databaseUrl: ledger.databaseUrl.reveal() });
}

/**
 * The file, or the database as PostgreSQL names it; never its credentials. Nothing is opened or changed yet, but a
 * PostgreSQL that is configured has let us in.
 * @throws {LedgerError}
 */
export async function describeConfiguredLedger({ ledger }: Config, dataDir: string): Promise<string> {
  if (ledger.databaseUrl === null) return ledgerFile(dataDir);
  return describePostgres({ databaseUrl: ledger.databaseUrl.reveal() });
}

export function createConfiguredHubSpot(
  { token, portal, timeoutMilliseconds, ...hubspot }: HubSpotConfig,
  watchers: readonly CallWatcher[] = [],
): HubSpotClient {
  return createHubSpotClient({
    ...hubspot,
    token: token.reveal(),
    portal: { id: portal.id ?? undefined, type: portal.type ?? undefined },
    timeoutSeconds: timeoutMilliseconds / 1_000,
    ...watched('hubspot', watchers),
  });
}

export function createConfiguredProspecting(
  { service }: Config,
  watchers: readonly CallWatcher[] = [],
): ActivityDependencies['prospecting'] {
  return createProspectingClient({
    baseUrl: service.baseUrl,
    apiKey: () => service.apiKey.reveal(),
    timeoutMs: service.timeoutMilliseconds,
    resultsItems: service.resultsItems,
    requests: service.requests,
    orderIdPath: service.fields.order.order_id,
    ...watched('service', watchers),
    fetchFile: watchFetch('service', createPublicFetch(), watchers),
  });
}

function watched(system: System, watchers: readonly CallWatcher[]) {
  return watchers.length === 0 ? {} : { fetch: watchFetch(system, fetch, watchers) };
}

/** Both sides; `watchers` see each call. */
export function createSystems(
  config: Config,
  watchers: readonly CallWatcher[] = [],
): Pick<ActivityDependencies, 'prospecting' | 'hubspot'> {
  return {
    prospecting: createConfiguredProspecting(config, watchers),
    hubspot: createConfiguredHubSpot(config.hubspot, watchers),
  };
}

export function createDependencies(
  config: Config,
  ledger: Ledger,
  systems = createSystems(config),
): ActivityDependencies {
  return {
    ...systems,
    ledger,
    now: () => new Date(),
    configuration: toWorkerConfiguration(config),
    fields: config.service.fields,
  };
}
