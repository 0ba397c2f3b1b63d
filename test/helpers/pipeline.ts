import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { ActivityDependencies } from '../../activities/activity-dependencies.ts';
import { openCacheFolder } from '../../src/host/cache-folder.ts';
import { createHubSpotClient } from '../../src/hubspot/hubspot-client.ts';
import { openLedger, type LedgerLocation } from '../../src/ledger/ledger.ts';
import { defaultContactPolicy } from '../../src/mapping/contact-policy.ts';
import { toCrmPlan, type CrmPlan } from '../../src/mapping/crm-plan.ts';
import { defaultMapping } from '../../src/mapping/default-mapping.ts';
import { createProspectingClient } from '../../src/prospecting/prospecting-client.ts';
import type { RequestSettings } from '../../src/contract/request-settings.ts';
import type { FieldSettings } from '../../src/shape/shape.ts';
import type { ExclusionPlan, ActivityTimeouts, RunPlan, WorkerConfiguration } from '../../src/config/run-plan.ts';
import { demoProfile } from '../../sandbox/generated-data/demo-data.ts';
import { createHubSpotSandbox } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { createServiceSandbox, type ServiceSandboxOptions } from '../../sandbox/service/service-sandbox.ts';
import { createWorker } from '../../src/runtime/worker.ts';
import type { TemporalTestServer } from './temporal-server.ts';

const quickPace: ActivityTimeouts = {
  profilePollMs: 10,
  orderFirstPollMs: 10,
  orderLongestPollMs: 50,
  heartbeatTimeoutMs: 2_000,
};

type Fetch = (request: Request) => Promise<Response>;
export interface PipelineOptions {
  readonly service?: ServiceSandboxOptions;
  /** Stands between the client and the stand-in. */
  readonly throughService?: (fetch: Fetch) => Fetch;
  readonly throughHubSpot?: (fetch: Fetch) => Fetch;
  /** Of the worker and of the pipeline's client; Temporal's own when absent. */
  readonly dataConverter?: DataConverter;
  /** A service of somebody else, instead of the sandbox. */
  readonly otherService?: { readonly url: string; readonly apiKey: string };
  /** `service` of the configuration. */
  readonly settings?: {
    readonly resultsItems?: string;
    readonly requests?: RequestSettings;
    readonly fields?: FieldSettings;
  };
  /** In the pipeline's folder unless given. */
  readonly ledger?: LedgerLocation;
  /** Pipelines beside each other need queues of their own. */
  readonly queue?: string;
}

/** The whole pipeline in this process: both stand-ins without ports, a ledger in a folder of its own, a worker. */
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
    configuration: configurationOf(folder),
  };
  const { dataConverter = {} } = options;
  const { nativeConnection, connection, namespace } = temporal;
  const worker = await createWorker({
    connection: nativeConnection,
    namespace,
    clients,
    dataConverter,
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
    /** How records are written from now on. */
    configureMapping(crm: CrmPlan): void {
      plansOf(folder).crm = crm;
    },
    /** Of looks that are taken from now on. */
    configurePace(changes: Partial<ActivityTimeouts>): void {
      const plans = plansOf(folder);
      plans.pace = { ...plans.pace, ...changes };
    },
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

interface ConfiguredPlans {
  pace: ActivityTimeouts;
  crm: CrmPlan;
  readonly runs: Map<string, RunPlan>;
  readonly exclusions: Map<string, ExclusionPlan>;
}

/** What the workers of a folder find in their configuration, by that folder. */
const configured = new Map<string, ConfiguredPlans>();

function plansOf(folder: string) {
  const plans = configured.get(folder) ?? {
    pace: quickPace,
    crm: toCrmPlan(defaultMapping, defaultContactPolicy),
    runs: new Map(),
    exclusions: new Map(),
  };
  configured.set(folder, plans);
  return plans;
}

function configurationOf(folder: string): WorkerConfiguration {
  const plans = plansOf(folder);
  const { runs, exclusions } = plans;
  return {
    get pace() {
      return plans.pace;
    },
    get crm() {
      return plans.crm;
    },
    findRun(runName) {
      const plan = runs.get(runName);
      return plan === undefined ? null : { plan, digest: plan.digest };
    },
    findExclusion: (name) => exclusions.get(name) ?? null,
  };
}

/** Puts a run, with its exclusions, into the configuration of the workers of that folder. */
export function configureRun(folder: string, plan: RunPlan): RunPlan {
  const { runs, exclusions } = plansOf(folder);
  runs.set(plan.runName, plan);
  for (const exclusion of plan.exclusions) exclusions.set(exclusion.name, exclusion);
  return plan;
}

export function configureExclusion(folder: string, exclusion: ExclusionPlan): void {
  plansOf(folder).exclusions.set(exclusion.name, exclusion);
}

/** A discovery in the configuration of the workers of that folder. */
export function discoveryPlan(folder: string, changes: Partial<RunPlan> = {}): RunPlan {
  return configureRun(folder, {
    runName: 'discovery',
    digest: 'd15c0',
    kind: 'discovery',
    title: 'New companies',
    profile: demoProfile,
    features: ['COMPANY_DATA', 'CONTACTS', 'ANALYSIS'],
    webhookUrl: null,
    briefingQuantity: 250,
    exclusions: [],
    companies: null,
    delivery: {
      crm: toCrmPlan(defaultMapping, defaultContactPolicy),
      spreadsheets: { directory: path.join(folder, 'out'), kinds: ['csv', 'xlsx'], rows: 'slot' },
      evidence: path.join(folder, 'out'),
      externalIdsAreRecordIds: false,
    },
    pace: quickPace,
    ...changes,
  });
}
