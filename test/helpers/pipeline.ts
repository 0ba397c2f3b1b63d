import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { ActivityDependencies } from '../../activities/activity-dependencies.ts';
import { openCacheFolder } from '../../src/base/host/cache-folder.ts';
import { createHubSpotClient } from '../../src/hubspot/hubspot-client.ts';
import { openLedger, type LedgerLocation } from '../../src/ledger/ledger.ts';
import type { CrmPlan } from '../../src/delivery/mapping/crm-plan.ts';
import { createProspectingClient } from '../../src/service/client/prospecting-client.ts';
import type { RequestSettings } from '../../src/service/contract/request-settings.ts';
import type { FieldSettings } from '../../src/service/reading/shape.ts';
import { pollingSchema, type PollingConfig } from '../../src/config/polling-settings.ts';
import type { ExclusionPlan, RunPlan } from '../../src/config/run-plan.ts';
import { demoProfile } from '../../sandbox/generated-data/demo-data.ts';
import { createHubSpotSandbox } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { createServiceSandbox, type ServiceSandboxOptions } from '../../sandbox/service/service-sandbox.ts';
import { createWorker } from '../../src/worker/worker.ts';
import type { TemporalTestServer } from './temporal-server.ts';
import { createWorkerConfiguration, crmPlan } from './worker-configuration.ts';
import type { Fetch } from '../../src/base/http/http-answer.ts';
import { toFailure } from '../../src/worker/to-failure.ts';

const quickPolling = pollingSchema.parse({ profile: '10ms', order_first: '10ms', order_max: '50ms' });

export interface PipelineOptions {
  readonly service?: ServiceSandboxOptions;
  /** Wraps the fetch function of the client. */
  readonly throughService?: (fetch: Fetch) => Fetch;
  readonly throughHubSpot?: (fetch: Fetch) => Fetch;
  /** The data converter of the worker and of the pipeline's client. Default: Temporal's. */
  readonly dataConverter?: DataConverter;
  /** A service to use instead of the sandbox. */
  readonly otherService?: { readonly url: string; readonly apiKey: string };
  /** `service` of the configuration. */
  readonly settings?: {
    readonly resultsItems?: string;
    readonly requests?: RequestSettings;
    readonly fields?: FieldSettings;
  };
  /** Default: the pipeline's folder. */
  readonly ledger?: LedgerLocation;
  /** The task queue. Two pipelines on one Temporal server need different ones. */
  readonly queue?: string;
}

/** Starts the whole pipeline in this process: both sandboxes without ports, a ledger and a worker. */
export async function startPipeline(temporal: TemporalTestServer, options: PipelineOptions = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-pipeline-'));
  const service = createServiceSandbox({
    progression: { profiles: { after_seconds: 0.02 }, orders: { after_seconds: 0.05 } },
    ...options.service,
  });
  const hubspot = createHubSpotSandbox({});
  const { organizationId, apiKey } = service.createOrganization({ name: 'test' });
  const { portalId, token } = hubspot.createPortal({ name: 'test' });
  const through = (fetch: Fetch, wrap: ((fetch: Fetch) => Fetch) | undefined) =>
    wrap === undefined ? fetch : wrap(fetch);
  const ledger = await openLedger(options.ledger ?? { dataDir: folder });
  const clients: ActivityDependencies = {
    prospecting: createProspectingClient({
      baseUrl: options.otherService?.url ?? 'https://service.example',
      apiKey: () => options.otherService?.apiKey ?? apiKey,
      fetch: through(options.otherService === undefined ? service.fetch : fetch, options.throughService),
      ...options.settings,
    }),
    hubspot: createHubSpotClient({
      baseUrl: 'https://hubspot.example',
      token,
      fetch: through(hubspot.fetch, options.throughHubSpot),
    }),
    ledger,
    now: () => new Date(),
    ...(options.settings?.fields === undefined ? {} : { fields: options.settings.fields }),
    configuration: configurationOf(folder).configuration,
    toFailure,
  };
  const { dataConverter = {} } = options;
  const { nativeConnection, connection, namespace } = temporal;
  const worker = await createWorker({
    connection: nativeConnection,
    namespace,
    clients,
    dataConverter,
    heartbeatTimeoutMs: 2_000,
    cacheFolder: openCacheFolder(process.env).path,
    ...(options.queue === undefined ? {} : { queue: options.queue }),
  });
  const working = worker.run();
  return {
    folder,
    clients,
    ledger,
    client: new Client({ connection, namespace, dataConverter }),
    service,
    hubspot,
    requests: () => service.journal.entries({ owner: organizationId }),
    crmRequests: () => hubspot.journal(portalId).entries(),
    organizationId,
    portalId,
    configureMapping: (crm: CrmPlan): void => configurationOf(folder).configureMapping(crm),
    configurePolling: (changes: Partial<PollingConfig>): void => configurationOf(folder).configurePolling(changes),
    async stop() {
      worker.shutdown();
      await working;
      await ledger.close();
      service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
export type Pipeline = Awaited<ReturnType<typeof startPipeline>>;

/** The configurations of the workers, by the folder of their pipeline. */
const configurations = new Map<string, ReturnType<typeof createWorkerConfiguration>>();

function configurationOf(folder: string) {
  const configuration = configurations.get(folder) ?? createWorkerConfiguration(quickPolling, folder);
  configurations.set(folder, configuration);
  return configuration;
}

/** Adds a run with its exclusions to the configuration of the workers of this folder. */
export function configureRun(folder: string, plan: RunPlan): RunPlan {
  configurationOf(folder).configureRun(plan);
  return plan;
}

export function configureExclusion(folder: string, exclusion: ExclusionPlan): void {
  configurationOf(folder).configureExclusion(exclusion);
}

/** Adds a discovery run to the configuration of the workers of this folder. */
export function discoveryPlan(folder: string, changes: Partial<RunPlan> = {}): RunPlan {
  return configureRun(folder, {
    runName: 'discovery',
    digest: 'd15c0',
    kind: 'discovery',
    title: 'New companies',
    profile: demoProfile,
    orderTexts: null,
    features: ['COMPANY_DATA', 'CONTACTS', 'ANALYSIS'],
    webhookUrl: null,
    briefingQuantity: 250,
    maxBriefings: 1_000_000,
    schedule: null,
    repeatAfterMilliseconds: 0,
    minDeliveredPercent: null,
    maxWithoutPeoplePercent: null,
    exclusions: [],
    companies: null,
    delivery: {
      crm: crmPlan,
      lists: null,
      spreadsheets: { directory: path.join(folder, 'out'), kinds: ['csv', 'xlsx'], rows: 'slot' },
      serviceOutputs: null,
      evidenceDirectory: path.join(folder, 'out'),
      externalIdsAreRecordIds: false,
    },
    ...changes,
  });
}
