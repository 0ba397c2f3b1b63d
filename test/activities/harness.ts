import { placeOrder } from '../helpers/place-order.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Info } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { convertFailures } from '../../src/failures/to-failure.ts';
import { createActivities, type Activities } from '../../activities/index.ts';
import type { CompanyRow } from '../../src/contract/index.ts';
import type { RequestSettings } from '../../src/contract/request-settings.ts';
import { noFieldSettings, type FieldSettings } from '../../src/shape/shape.ts';
import { createHubSpotClient } from '../../src/hubspot/hubspot-client.ts';
import { managedProperties, propertyGroup } from '../../src/hubspot/managed-properties.ts';
import type { CrmRecord, ObjectType } from '../../src/hubspot/hubspot-record.ts';
import { openLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { defaultContactPolicy, toCrmPlan, type CrmPlan, defaultMapping } from '../../src/mapping/crm-plan.ts';
import { propertyNames } from '../../src/projection/record-match.ts';
import { createProspectingClient } from '../../src/prospecting/prospecting-client.ts';
import { digest } from '../../src/json/canonical-json.ts';
import type {
  ExclusionPlan,
  ActivityTimeouts,
  RunPlan,
  StartedRun,
  WorkerConfiguration,
} from '../../src/config/run-plan.ts';
import { createJumpingClock } from '../helpers/jumping-clock.ts';
import { createHubSpotSandbox, type HubSpotSandboxOptions } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { createClock } from '../../sandbox/clock.ts';
import { createServiceSandbox, type ServiceSandboxOptions } from '../../sandbox/service/service-sandbox.ts';

/** `service` of the configuration. */
export interface Settings {
  readonly resultsItems?: string;
  readonly requests?: RequestSettings;
  readonly fields?: FieldSettings;
}

export interface ActivityHarnessOptions {
  readonly service?: ServiceSandboxOptions;
  readonly hubspot?: HubSpotSandboxOptions;
  /** Stands between the client and the service. */
  readonly serviceFetch?: (request: Request, proceed: (request: Request) => Promise<Response>) => Promise<Response>;
  readonly pace?: Partial<ActivityTimeouts>;
}

const opened: { folder: string; ledger: Ledger; service: { close(): void } }[] = [];

afterEach(async () => {
  for (const { folder, ledger, service } of opened.splice(0)) {
    await ledger.close();
    service.close();
    rmSync(folder, { recursive: true });
  }
});

/** Both stand-ins, a ledger of its own, and the activities on top. The clock stands still unless it is moved. */
export async function createActivityHarness(options: ActivityHarnessOptions = {}) {
  const serviceClock = createClock({ frozenAt: Date.parse('2026-11-20T12:00:00Z') });
  const clock = () => new Date(serviceClock.now());
  /** Waits for the files of outputs that are due; without any, time has passed when it is called. */
  const letPass = async (seconds: number) => serviceClock.advanceTo(serviceClock.now() + seconds * 1_000);
  const pass = (seconds: number) => void letPass(seconds);
  const folder = mkdtempSync(join(tmpdir(), 'activities-'));
  const ledger = await openLedger({ dataDir: folder });
  const service = createServiceSandbox({ clock: serviceClock, ...options.service });
  opened.push({ folder, ledger, service });
  const { organizationId, apiKey } = service.createOrganization({ name: 'test' });
  const portals = createHubSpotSandbox({ clock, ...options.hubspot });
  const { portalId, token } = portals.createPortal({ name: 'test' });
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
  const hubspotTime = createJumpingClock();
  const hubspot = createHubSpotClient({
    baseUrl: 'http://hubspot.test',
    token,
    fetch: portals.fetch,
    ...hubspotTime,
  });
  const runs = new Map<string, RunPlan>();
  const exclusions = new Map<string, ExclusionPlan>();
  const mapping: { crm: CrmPlan } = { crm: crmPlan };
  const configuration: WorkerConfiguration = {
    pace: { ...pace, ...options.pace },
    get crm() {
      return mapping.crm;
    },
    findRun(runName: string) {
      const found = runs.get(runName);
      return found === undefined ? null : { plan: found, digest: found.digest };
    },
    findExclusion: (name: string) => exclusions.get(name) ?? null,
  };
  const createOwnActivities = (settings: Settings = {}) =>
    createActivities({
      prospecting: connect(settings),
      hubspot,
      ledger,
      now: clock,
      fields: settings.fields ?? noFieldSettings,
      configuration,
    });
  let activities = createOwnActivities();

  /** Runs an activity as a worker does, casting of failures included. `info`: attempt, heartbeatDetails and the like. */
  function perform<Name extends keyof Activities>(
    name: Name,
    input: Input<Name>,
    info: Partial<Info> = {},
  ): Promise<Output<Name>> {
    return createEnvironment(info).run(activities[name] as (input: Input<Name>) => Promise<Output<Name>>, input);
  }

  /** The same, cancelled from outside while it runs. */
  function performCancelled<Name extends keyof Activities>(name: Name, input: Input<Name>): Promise<Output<Name>> {
    const environment = createEnvironment();
    environment.once('heartbeat', () => environment.cancel());
    return environment.run(activities[name] as (input: Input<Name>) => Promise<Output<Name>>, input);
  }

  async function postToCrm(path: string, body: object): Promise<void> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    expect((await portals.fetch(new Request(`http://hubspot.test${path}`, request))).status).toBeLessThan(300);
  }

  return {
    activityNames: Object.keys(activities) as (keyof Activities)[],
    perform,
    performCancelled,
    /** Works on with other settings of the service, as after a change of the configuration. */
    configure(settings: Settings): void {
      activities = createOwnActivities(settings);
    },
    /** Puts a run, with its exclusions, into the configuration; inputs of activities name it like that. */
    configureRun: (run: RunPlan): StartedRun => {
      runs.set(run.runName, run);
      for (const exclusion of run.exclusions) exclusions.set(exclusion.name, exclusion);
      return { runName: run.runName, digest: run.digest };
    },
    configureExclusion: (exclusion: ExclusionPlan): { name: string } => {
      exclusions.set(exclusion.name, exclusion);
      return { name: exclusion.name };
    },
    configureMapping: (crm: CrmPlan): void => {
      mapping.crm = crm;
    },
    removeRun: (runName: string): void => {
      runs.delete(runName);
    },
    configuration,
    /** Time of the client of HubSpot, in milliseconds. */
    wait: hubspotTime.jump,
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

    /** What the service was asked, as `POST /api/v1/orders`. */
    asked: () => service.journal.entries({ owner: organizationId }).map(({ method, path }) => `${method} ${path}`),

    file(name: string, lines: readonly string[]): string {
      const path = join(folder, name);
      writeFileSync(path, `${lines.join('\n')}\n`);
      return path;
    },

    async createRecords(type: ObjectType, records: readonly Record<string, string>[]): Promise<string[]> {
      const created = await hubspot.objects.create(
        type,
        records.map((properties) => ({ properties })),
      );
      return created.map((result) => (result.ok ? result.id : ''));
    },

    /** What people do in the CRM: remove the link of a contact and a company, or make one record of two. */
    async unlink(contactId: string, companyId: string): Promise<void> {
      const inputs = [{ from: { id: contactId }, to: [{ id: companyId }] }];
      await postToCrm('/crm/v4/associations/contacts/companies/batch/archive', { inputs });
    },
    async merge(type: ObjectType, primaryObjectId: string, objectIdToMerge: string): Promise<void> {
      await postToCrm(`/crm/v3/objects/${type}/merge`, { primaryObjectId, objectIdToMerge });
    },

    async records(type: ObjectType): Promise<CrmRecord[]> {
      const properties = propertyNames(type === 'companies' ? type : 'contacts', defaultMapping);
      const all: CrmRecord[] = [];
      for await (const page of hubspot.objects.list(type, { properties })) all.push(...page);
      return all;
    },

    /** A profile, as short as the service allows. */
    async createProfile(name = 'Makers'): Promise<string> {
      const input = { ...profile, profile_name: name };
      const { profile_creation_id: id } = await prospecting.profiles.create(input, `profile ${name}`);
      pass(2);
      return (await prospecting.profiles.creation(id)).profile_id ?? '';
    },

    /** The profile of a run, as if the run had prepared it; one is created where none is given. */
    async knowProfile({ profile: content }: RunPlan, given?: string): Promise<string> {
      const profileId = given ?? (await this.createProfile());
      const created = { generation: 1, creationId: `of ${profileId}`, profileId, status: 'SUCCEEDED' };
      await ledger.profiles.save({ contentHash: digest(content), ...created });
      return profileId;
    },

    /** An enrichment order that is published and whose results are in the ledger. */
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

    async prepareCrm(): Promise<void> {
      for (const type of ['companies', 'contacts'] as const) {
        await hubspot.properties.ensure(type, { group: propertyGroup, properties: managedProperties[type] });
      }
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

function createEnvironment(info: Partial<Info> = {}): MockActivityEnvironment {
  return new MockActivityEnvironment(info, { logger: silent, interceptors: [() => ({ inbound: convertFailures })] });
}

/** The failure in which an activity ends; fails the test when it ends otherwise. */
export async function failure(outcome: Promise<unknown>): Promise<ApplicationFailure> {
  const error = await outcome.then(
    () => 'no failure',
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApplicationFailure);
  return error as ApplicationFailure;
}

export const crmPlan = toCrmPlan(defaultMapping, defaultContactPolicy);

const pace = {
  profilePollMs: 1,
  orderFirstPollMs: 1_000,
  orderLongestPollMs: 60_000,
  heartbeatTimeoutMs: 10_000,
};

export const profile = {
  profile_name: 'Makers',
  ideal_customer_profile: 'Companies that make things',
  target_countries: ['Germany'],
};

export function plan(changes: Partial<RunPlan> = {}): RunPlan {
  return {
    runName: 'weekly',
    digest: 'abc',
    kind: 'discovery',
    title: 'Weekly',
    profile,
    features: ['CONTACTS'],
    webhookUrl: null,
    briefingQuantity: 5,
    exclusions: [],
    companies: null,
    delivery: { crm: crmPlan, spreadsheets: null, evidence: '/nowhere', externalIdsAreRecordIds: false },
    pace,
    ...changes,
  };
}
