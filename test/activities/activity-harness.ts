import { placeOrder } from '../helpers/place-order.ts';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Info } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { convertFailures } from '../../src/worker/to-failure.ts';
import { createActivities, type Activities } from '../../activities/index.ts';
import type { CompanyRow } from '../../src/service/contract/index.ts';
import type { RequestSettings } from '../../src/service/contract/request-settings.ts';
import { noFieldSettings, type FieldSettings } from '../../src/service/reading/shape.ts';
import { openLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { ledgerFile } from '../../src/ledger/sqlite.ts';
import { createProspectingClient } from '../../src/service/client/prospecting-client.ts';
import { digest } from '../../src/base/json/canonical-json.ts';
import { searchDigest } from '../../src/config/profile-settings.ts';
import { pollingSchema, type PollingConfig } from '../../src/config/polling-settings.ts';
import type { DeliveryPlan, RunPlan } from '../../src/config/run-plan.ts';
import { createJumpingClock } from '../helpers/jumping-clock.ts';
import { createSandboxPortal } from '../helpers/sandbox-portal.ts';
import { createWorkerConfiguration, crmPlan } from '../helpers/worker-configuration.ts';
import type { HubSpotSandboxOptions } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { createClock } from '../../sandbox/clock.ts';
import { createServiceSandbox, type ServiceSandboxOptions } from '../../sandbox/service/service-sandbox.ts';
import type { Fetch } from '../../src/base/http/http-answer.ts';
import { toFailure } from '../../src/worker/to-failure.ts';

/** The settings below `service` in the configuration. */
export interface Settings {
  readonly resultsItems?: string;
  readonly requests?: RequestSettings;
  readonly fields?: FieldSettings;
}

export interface ActivityHarnessOptions {
  readonly service?: ServiceSandboxOptions;
  readonly hubspot?: HubSpotSandboxOptions;
  /** Handles each request of the client; `proceed` sends it to the sandbox. */
  readonly serviceFetch?: (request: Request, proceed: Fetch) => Promise<Response>;
  readonly polling?: Partial<PollingConfig>;
}

/** The folder of an empty ledger. Each test opens a copy, since migrating takes longer than many tests. */
let migrated: string;
beforeAll(async () => {
  migrated = mkdtempSync(join(tmpdir(), 'migrated-'));
  await (await openLedger({ dataDir: migrated })).close();
});
afterAll(() => rmSync(migrated, { recursive: true }));

const opened: { folder: string; ledger: Ledger; service: { close(): void } }[] = [];

afterEach(async () => {
  for (const { folder, ledger, service } of opened.splice(0)) {
    await ledger.close();
    service.close();
    rmSync(folder, { recursive: true });
  }
});

/** The activities with both sandboxes and a ledger. The clock stands still until `pass` moves it. */
export async function createActivityHarness(options: ActivityHarnessOptions = {}) {
  const serviceClock = createClock({ frozenAt: Date.parse('2026-11-20T12:00:00Z') });
  const clock = () => new Date(serviceClock.now());
  /** Moves the clock, and waits for the output files that the service writes until then. */
  const letPass = async (seconds: number) => serviceClock.advanceTo(serviceClock.now() + seconds * 1_000);
  const pass = (seconds: number) => void letPass(seconds);
  const folder = mkdtempSync(join(tmpdir(), 'activities-'));
  copyFileSync(ledgerFile(migrated), ledgerFile(folder));
  const ledger = await openLedger({ dataDir: folder });
  const service = createServiceSandbox({ clock: serviceClock, ...options.service });
  opened.push({ folder, ledger, service });
  const { organizationId, apiKey } = service.createOrganization({ name: 'test' });
  const hubspotClock = createJumpingClock();
  const portal = createSandboxPortal({ sandbox: { clock, ...options.hubspot }, client: hubspotClock });
  const { sandbox: portals, client: hubspot, portalId } = portal;
  const between = options.serviceFetch;
  const serviceFetch = between === undefined ? service.fetch : (request: Request) => between(request, service.fetch);
  const connect = (settings: Settings = {}) =>
    createProspectingClient({
      baseUrl: 'http://service.test',
      apiKey: () => apiKey,
      fetch: serviceFetch,
      fetchFile: serviceFetch,
      ...settings,
    });
  const prospecting = connect();
  const worker = createWorkerConfiguration({ ...polling, ...options.polling }, folder);
  const createConfigured = (settings: Settings = {}) =>
    createActivities({
      prospecting: connect(settings),
      hubspot,
      ledger,
      now: clock,
      fields: settings.fields ?? noFieldSettings,
      configuration: worker.configuration,
      toFailure,
    });
  let activities = createConfigured();

  /** Runs an activity like a worker, which also converts its failure. `info`: attempt, heartbeatDetails and the like. */
  function perform<Name extends keyof Activities>(
    name: Name,
    input: Input<Name>,
    info: Partial<Info> = {},
  ): Promise<Output<Name>> {
    return createEnvironment(info).run(activities[name] as (input: Input<Name>) => Promise<Output<Name>>, input);
  }

  /** Runs an activity, and cancels it at its first heartbeat. */
  function performCancelled<Name extends keyof Activities>(name: Name, input: Input<Name>): Promise<Output<Name>> {
    const environment = createEnvironment();
    environment.once('heartbeat', () => environment.cancel());
    return environment.run(activities[name] as (input: Input<Name>) => Promise<Output<Name>>, input);
  }

  return {
    activityNames: Object.keys(activities) as (keyof Activities)[],
    perform,
    performCancelled,
    /** Replaces the service settings of the configuration. */
    configure(settings: Settings): void {
      activities = createConfigured(settings);
    },
    ...worker,
    /** Moves the clock of the HubSpot client. Milliseconds. */
    advanceHubSpotClock: hubspotClock.jump,
    service,
    organizationId,
    portals,
    portalId,
    prospecting,
    hubspot,
    ledger,
    folder,
    pass,
    letPass,

    /** The requests to the service, as `POST /api/v1/orders`. */
    asked: () => service.journal.entries({ owner: organizationId }).map(({ method, path }) => `${method} ${path}`),

    file(name: string, lines: readonly string[]): string {
      const path = join(folder, name);
      writeFileSync(path, `${lines.join('\n')}\n`);
      return path;
    },

    createRecords: portal.createRecords,
    records: portal.records,
    merge: portal.merge,
    unlink: portal.unlink,
    prepareCrm: portal.ensureProperties,
    sendToHubSpot: portal.send,

    /** Creates a profile with the required fields only. */
    async createProfile(name = 'Makers'): Promise<string> {
      const input = { ...profile, profile_name: name };
      const { profile_creation_id: id } = await prospecting.profiles.create(input, `profile ${name}`);
      pass(2);
      return (await prospecting.profiles.creation(id)).profile_id ?? '';
    },

    /** Stores the profile of a run in the ledger, as if the run had prepared it. Creates one unless its id is given. */
    async storeProfile({ profile: content }: RunPlan, given?: string): Promise<string> {
      const profileId = given ?? (await this.createProfile());
      const created = { generation: 1, creationId: `of ${profileId}`, profileId, status: 'SUCCEEDED' };
      await ledger.profiles.save({ contentHash: digest(content), searchHash: searchDigest(content), ...created });
      return profileId;
    },

    /** Places an enrichment order, and collects its results. */
    async collectEnrichment(companies: CompanyRow[], title = 'Enrichment'): Promise<Collected> {
      const profileId = await this.createProfile();
      const input = { order_type: 'ENRICHMENT', profile_id: profileId, title, companies } as const;
      return this.collectOrder((await placeOrder(prospecting.orders, input, `order ${orders++}`)).order_id);
    },

    async collectDiscovery(quantity: number, title = 'Discovery'): Promise<Collected> {
      const profileId = await this.createProfile();
      const input = { order_type: 'DISCOVERY', profile_id: profileId, title, briefing_quantity: quantity } as const;
      return this.collectOrder((await placeOrder(prospecting.orders, input, `order ${orders++}`)).order_id);
    },

    async collectOrder(orderId: string): Promise<Collected> {
      pass(4);
      const run = plan({ runName: 'collecting' });
      this.configureRun({ ...run, delivery: { ...run.delivery, externalIdsAreRecordIds: true } });
      const { total } = await perform('awaitPublication', { orderId, runName: 'collecting' });
      await perform('collectResults', { orderId, from: 0, to: total });
      return { orderId, total };
    },
  };
}
export type ActivityHarness = Awaited<ReturnType<typeof createActivityHarness>>;

type Input<Name extends keyof Activities> = Parameters<Activities[Name]>[0];
type Output<Name extends keyof Activities> = Awaited<ReturnType<Activities[Name]>>;

export interface Collected {
  readonly orderId: string;
  readonly total: number;
}

let orders = 0;

const silent = new DefaultLogger('ERROR', () => undefined);

/** An environment that converts failures like a worker. */
export function createEnvironment(info: Partial<Info> = {}): MockActivityEnvironment {
  return new MockActivityEnvironment(info, { logger: silent, interceptors: [() => ({ inbound: convertFailures })] });
}

/** The failure of an activity. The test fails when the activity succeeds. */
export async function failure(outcome: Promise<unknown>): Promise<ApplicationFailure> {
  const error = await outcome.then(
    () => 'no failure',
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApplicationFailure);
  return error as ApplicationFailure;
}

const polling = pollingSchema.parse({ profile: '1ms', order_first: '1s', order_max: '1m' });

export const profile = {
  profile_name: 'Makers',
  ideal_customer_profile: 'Companies that make things',
  target_countries: ['Germany'],
};

/** To HubSpot only. */
export const crmDelivery: DeliveryPlan = {
  crm: crmPlan,
  lists: null,
  spreadsheets: null,
  serviceOutputs: null,
  evidenceDirectory: '/nowhere',
  externalIdsAreRecordIds: false,
};

export function plan(changes: Partial<RunPlan> = {}): RunPlan {
  return {
    runName: 'weekly',
    digest: 'abc',
    kind: 'discovery',
    title: 'Weekly',
    profile,
    orderTexts: null,
    features: ['CONTACTS'],
    webhookUrl: null,
    briefingQuantity: 5,
    maxBriefings: 1_000_000,
    schedule: null,
    repeatAfterMilliseconds: 0,
    minDeliveredPercent: null,
    maxWithoutPeoplePercent: null,
    exclusions: [],
    companies: null,
    delivery: crmDelivery,
    ...changes,
  };
}
