/**
 * What writing an order to HubSpot costs in calls and time, beside the least that batches of 100, associations of 1,000
 * and the limits of a Professional portal allow. Ends with 1 where a bound is missed. Some five minutes for 10,000 slots.
 *   node bench/hubspot.ts [slots, 10000 unless given] [people of a company, 3] [milliseconds until HubSpot answers, 80]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { ActivityDependencies } from '../activities/activity-dependencies.ts';
import { createCrmActivities } from '../activities/crm-activities.ts';
import { createHubSpotClient } from '../src/hubspot/hubspot-client.ts';
import { toDomainBatches } from '../src/hubspot/object-search.ts';
import { HubSpotError } from '../src/hubspot/hubspot-error.ts';
import { COMPANY_KEY, managedProperties, propertyGroup } from '../src/hubspot/managed-properties.ts';
import { openLedger, type Ledger } from '../src/ledger/ledger.ts';
import { toCrmPlan, type CrmMapping } from '../src/delivery/mapping/crm-plan.ts';
import { defaultContactPolicy } from '../src/delivery/mapping/contact-policy.ts';
import { defaultMapping } from '../src/delivery/mapping/default-mapping.ts';
import { pollingSchema } from '../src/config/polling-settings.ts';
import { defaultReplyPolicy } from '../src/config/reply-policy.ts';
import { createProspectingClient } from '../src/service/client/prospecting-client.ts';
import type { WorkerConfiguration } from '../src/config/run-plan.ts';
import { createHubSpotSandbox } from '../sandbox/hubspot/hubspot-sandbox.ts';
import { company, prospect, slot } from '../test/delivery/mapping/slot-builders.ts';
import { toFailure } from '../src/worker/to-failure.ts';

const [slots = 10_000, people = 3, latencyMs = 80] = process.argv.slice(2).map(Number);
const bounds = { calls: 1.05, wall: 1.15, refused: 0.01 };
/** Of a Professional portal. */
const limits = { burst: 190, burstSeconds: 10, searchesPerSecond: 5 };
const orderId = '00000000-0000-4000-8000-00000000cafe';

const folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-bench-'));
const sandbox = createHubSpotSandbox({});
const domains = Array.from({ length: slots }, (_, position) => toDomain(position));
const missed: string[] = [];
let portals = 0;
const leastOfFirst = {
  search: toDomainBatches(domains, ['domain', COMPANY_KEY]).length,
  // Companies by key and written; people by key, by address and written; links.
  others: 2 * Math.ceil(slots / 100) + 3 * Math.ceil((slots * people) / 100) + Math.ceil((slots * people) / 1_000),
};

const own = await openPortal();
await pass('first pass', own, { least: leastOfFirst });
await pass('again, nothing changed', own, { writes: 0 });
await own.client.properties.ensure('companies', {
  group: propertyGroup,
  properties: [{ name: 'industry_text', label: 'Industry', type: 'string', fieldType: 'text' }],
});
const industry = { from: 'company.industry', transform: null, policy: 'always' } as const;
const remapped: CrmMapping = { ...defaultMapping, companies: { ...defaultMapping.companies, industry_text: industry } };
await pass('again, one field of companies more', own, { mapping: remapped, writes: Math.ceil(slots / 100) });
// What one worker is refused while the other searches it reads again: only the refusals are bounded.
await pass('first pass by two workers', await openPortal(), { workers: 2 });

await rm(folder, { recursive: true });
for (const miss of missed) console.error(`missed: ${miss}`);
process.exitCode = missed.length === 0 ? 0 : 1;

interface Expected {
  /** Calls that cannot be spared. */
  readonly least?: { readonly search: number; readonly others: number };
  /** Exactly so many calls that change something. */
  readonly writes?: number;
  readonly mapping?: CrmMapping;
  readonly workers?: number;
}

type OpenPortal = Awaited<ReturnType<typeof openPortal>>;

/** A portal, and a ledger that holds the order and knows no record yet. */
async function openPortal() {
  const ledger = await openLedger({ dataDir: path.join(folder, String((portals += 1))) });
  await fillLedger(ledger);
  const { portalId, token } = sandbox.createPortal({ name: 'bench', plan: 'professional' });
  const connect = () =>
    createHubSpotClient({
      baseUrl: 'https://api.hubapi.com',
      token,
      fetch: async (request) => {
        const answer = await sandbox.fetch(request);
        await sleep(latencyMs);
        return answer;
      },
    });
  const client = connect();
  for (const type of ['companies', 'contacts'] as const) {
    await client.properties.ensure(type, { group: propertyGroup, properties: managedProperties[type] });
  }
  return { portalId, ledger, client, connect };
}

/** Projects the order as workers do, each its part at the same time, and prints what that took. */
async function pass(name: string, { portalId, ledger, connect }: OpenPortal, expected: Expected): Promise<void> {
  const { least, writes, workers = 1, mapping = defaultMapping } = expected;
  // What was counted by HubSpot before must not slow this pass down.
  await sleep(limits.burstSeconds * 1_000);
  const journal = sandbox.journal(portalId);
  journal.clear();
  const started = performance.now();
  const part = Math.ceil(slots / workers);
  await Promise.all(
    Array.from({ length: workers }, (_, index) =>
      project(
        { ledger, hubspot: connect() },
        { projectionId: name, mapping, from: index * part, to: (index + 1) * part },
      ),
    ),
  );
  const seconds = (performance.now() - started) / 1_000;
  const calls = journal.entries();
  const answered = calls.filter(({ status }) => status !== 429);
  const searches = answered.filter((call) => call.path.endsWith('/search')).length;
  const changed = answered.filter((call) => /batch\/(?:create|update|upsert|associate)/.test(call.path)).length;
  const refused = (calls.length - answered.length) / calls.length;
  console.log(`\n${name}: ${calls.length} calls (${searches} searches, ${changed} changes) in ${seconds.toFixed(1)} s`);
  console.log(`  ${toShares(answered.map((call) => call.path))}`);
  judge(`${name}: 429`, refused, bounds.refused);
  if (writes !== undefined)
    judge(`${name}: changes beside the ${writes} expected`, changed / Math.max(writes, 1), writes === 0 ? 0 : 1);
  if (least === undefined) return;
  // In any ten seconds so many, searches too: the last one can be sent when all but the last lot are ten seconds old.
  const lots = Math.floor((least.others + least.search - 1) / limits.burst);
  const allowed = Math.max(lots * limits.burstSeconds, least.search / limits.searchesPerSecond);
  judge(
    `${name}: calls beside the least (${least.others + least.search})`,
    calls.length / (least.others + least.search),
    bounds.calls,
  );
  judge(`${name}: time beside what the limits allow (${allowed.toFixed(1)} s)`, seconds / allowed, bounds.wall);
}

/** `companies/batch/read 100, companies/search 103, …` */
function toShares(paths: readonly string[]): string {
  const byCall = Map.groupBy(paths, (path) => path.replace(/^\/crm\/v\d\/(?:objects|associations)\//, ''));
  return [...byCall].map(([call, its]) => `${call} ${its.length}`).join(', ');
}

function judge(what: string, ratio: number, bound: number): void {
  console.log(`  ${what}: ${ratio.toFixed(3)} (at most ${bound})`);
  if (ratio > bound) missed.push(`${what}: ${ratio.toFixed(3)} > ${bound}`);
}

interface Part {
  readonly projectionId: string;
  readonly mapping: CrmMapping;
  readonly from: number;
  readonly to: number;
}

async function project(
  { ledger, hubspot }: Pick<ActivityDependencies, 'ledger' | 'hubspot'>,
  part: Part,
): Promise<void> {
  const { projectionId, mapping, from, to } = part;
  const unusedService = createProspectingClient({ baseUrl: 'https://service.example', apiKey: () => '' });
  const configuration = configurationOf(mapping);
  const activities = createCrmActivities({
    prospecting: unusedService,
    hubspot,
    ledger,
    now: () => new Date(),
    configuration,
    toFailure,
  });
  const input = { orderId, projectionId, onlyUnfinished: false, from, to: Math.min(to, slots) };
  // As Temporal does: a refused call ends the attempt, and the next one continues from its heartbeat.
  let heartbeatDetails: unknown;
  for (let attempt = 1; ; attempt += 1) {
    const environment = new MockActivityEnvironment({ attempt, heartbeatDetails });
    environment.on('heartbeat', (details: unknown) => (heartbeatDetails = details));
    const refusal = await environment.run(activities.projectToCrm, input).then(() => null, toRefusal);
    if (refusal === null) return;
    await sleep((refusal.retryAfterSeconds ?? 1) * 1_000);
  }
}

/** Of a worker that only writes to the CRM. */
function configurationOf(mapping: CrmMapping): WorkerConfiguration {
  return {
    polling: pollingSchema.parse({}),
    crm: toCrmPlan(mapping, defaultContactPolicy),
    certificates: { key: null, directory: null, otherDirectory: '' },
    findRun: () => null,
    findExclusion: () => null,
    blacklistsMatched: 'at_publication',
    replies: defaultReplyPolicy,
    listRuns: () => [],
    listExclusions: () => [],
  };
}

function toRefusal(error: unknown): HubSpotError {
  if (error instanceof HubSpotError && error.status === 429) return error;
  throw error;
}

async function fillLedger(ledger: Ledger): Promise<void> {
  const order = { orderId, runName: 'bench', kind: 'discovery', status: 'COMPLETED', profileId: null };
  await ledger.orders.save({ ...order, requestedCount: slots, externalIdsAreRecordIds: false });
  await ledger.orders.publish(orderId, { total: slots, summaryJson: 'null' });
  const stored = domains.map((_, position) => {
    const json = JSON.stringify(toSlot(position));
    return { position, hash: String(position), status: 'ENRICHED', reasonCodes: [], externalId: null, json };
  });
  await ledger.slots.save(orderId, stored);
}

function toDomain(position: number): string {
  return `maschinenbau-${position}.example`;
}

function toSlot(position: number) {
  const domain = toDomain(position);
  const prospects = Array.from({ length: people }, (_, index) =>
    prospect({ id: null, email: `person-${index}@${domain}`, last_name: `Abel ${position}-${index}` }),
  );
  const content = { domain, website_url: `https://www.${domain}`, name: `Maschinenbau ${position} GmbH`, prospects };
  return slot({ input_position: position, company: company(content) });
}
