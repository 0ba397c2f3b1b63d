/** The composition root: configuration to clients, clients to activities, activities to a worker. */
import path from 'node:path';
import type { DataConverter } from '@temporalio/common';
import { Worker, type NativeConnection, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import type { Clients } from '../activities/clients.ts';
import { castFailures } from '../activities/failures.ts';
import { createActivities } from '../activities/index.ts';
import { keepBeating } from '../activities/progress.ts';
import type { Config } from './config/shape.ts';
import type { HubSpotConfig } from './config/hubspot-settings.ts';
import { createHubSpotClient, type HubSpotClient } from './hubspot/client.ts';
import { openLedger, type Ledger } from './ledger/ledger.ts';
import { createProspectingClient } from './prospecting/client.ts';
import { createRunLookup } from './run-plan.ts';
import { taskQueue } from './temporal.ts';

export interface WorkerSettings {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly clients: Clients;
  /** The one of its clients (createDataConverter); Temporal's own when absent. */
  readonly dataConverter?: DataConverter;
  /** The program's own unless given. */
  readonly queue?: string;
  /** Made by bundleWorkflowCode; bundled from source when absent. */
  readonly workflowBundle?: WorkflowBundleWithSourceMap | undefined;
}

/** Activities in flight when a worker is told to stop get this long to reach their next heartbeat. */
const shutdownGraceTime = '10 seconds';

/** How long a workflow waits for the worker that knows it, before any other one takes it: 10 seconds unless set. */
const stickyQueueScheduleToStartTimeout = '3 seconds';

export function createWorker({
  connection,
  namespace,
  clients,
  dataConverter = {},
  queue = taskQueue,
  workflowBundle,
}: WorkerSettings): Promise<Worker> {
  return Worker.create({
    connection,
    namespace,
    dataConverter,
    taskQueue: queue,
    activities: createActivities(clients),
    interceptors: { activity: [() => ({ inbound: castFailures }), () => ({ inbound: keepBeating })] },
    shutdownGraceTime,
    maxConcurrentActivityTaskExecutions: 10,
    stickyQueueScheduleToStartTimeout,
    ...(workflowBundle === undefined ? { workflowsPath } : { workflowBundle }),
  });
}

/** TypeScript in the clone, JavaScript in the package. */
export const workflowsPath = path.join(import.meta.dirname, `../workflows/index${path.extname(import.meta.filename)}`);

export async function openConfiguredLedger({ ledger }: Config, dataDir: string): Promise<Ledger> {
  return openLedger(ledger.databaseUrl === null ? { dataDir } : { databaseUrl: ledger.databaseUrl.reveal() });
}

export function createConfiguredHubSpot({
  token,
  portal,
  timeoutMilliseconds,
  ...hubspot
}: HubSpotConfig): HubSpotClient {
  return createHubSpotClient({
    ...hubspot,
    token: token.reveal(),
    portal: { id: portal.id ?? undefined, type: portal.type ?? undefined },
    timeoutSeconds: timeoutMilliseconds / 1_000,
  });
}

export function createConfiguredProspecting({ service }: Config): Clients['prospecting'] {
  return createProspectingClient({
    baseUrl: service.baseUrl,
    apiKey: () => service.apiKey.reveal(),
    timeoutMs: service.timeoutMilliseconds,
    resultsItems: service.resultsItems,
  });
}

export function createClients(config: Config, ledger: Ledger): Clients {
  return {
    prospecting: createConfiguredProspecting(config),
    hubspot: createConfiguredHubSpot(config.hubspot),
    ledger,
    now: () => new Date(),
    findRun: createRunLookup(config),
  };
}
