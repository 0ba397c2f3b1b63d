// A service that follows the specification may choose otherwise wherever nothing is shown. Whatever it chooses, a run ends
// reconciled with everybody in the CRM, or stops before anything is written and goes on with the setting that it names.
import { ApplicationFailure } from '@temporalio/common';
import * as fc from 'fast-check';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { alternatives, styles } from '../../sandbox/service/dialect/alternatives.ts';
import { defaultRequestSettings } from '../../src/service/contract/request-settings.ts';
import type { RunPlan, StartedRun } from '../../src/config/run-plan.ts';
import { noFieldSettings } from '../../src/service/reading/shape.ts';
import { crmPlan } from '../helpers/worker-configuration.ts';
import { createActivityHarness, plan, profile, type Settings, type ActivityHarness } from './activity-harness.ts';
import { fileCompanies } from '../helpers/companies-source.ts';
import { isWholeDomain, sampleOf } from '../helpers/sample.ts';

type Assumed = Readonly<Record<string, string>>;

const rows = [
  'company_name,website_url,city,country,external_id',
  'Nordwind Solar GmbH,https://nordwind-solar.example,Hamburg,Germany,7',
  'Kieler Werft AG,https://www.kieler-werft.example,Kiel,Germany,8',
  'Moved,https://x.website-moved.example,Ulm,Germany,9',
  'Again,https://nordwind-solar.example,Hamburg,Germany,10',
];

/** Both kinds of order; the second is found in the CRM by what the first one wrote. */
function plansOf(folder: string): RunPlan[] {
  const delivery = {
    crm: crmPlan,
    lists: null,
    spreadsheets: null,
    serviceOutputs: null,
    evidenceDirectory: folder,
    externalIdsAreRecordIds: false,
  };
  const features = ['COMPANY_DATA', 'CONTACTS'] as const;
  const seller = { ...profile, seller_offering: 'Machines' };
  const discovery = plan({
    runName: 'new',
    profile: seller,
    title: 'New companies',
    briefingQuantity: 4,
    delivery,
    features,
  });
  const companies = fileCompanies(join(folder, 'companies.csv'));
  return [
    discovery,
    plan({
      ...discovery,
      runName: 'known',
      title: 'Known companies',
      kind: 'enrichment',
      briefingQuantity: null,
      companies,
    }),
  ];
}

interface Ended {
  /** What stopped the run on its way, in order. */
  readonly stops: string[];
  readonly findings: readonly { readonly code: string }[];
  readonly reconciled: number;
  readonly total: number;
}

/** The activities of a run in the order of its workflow; what stops it is answered as its message says. */
async function runToTheEnd(
  harness: ActivityHarness,
  runPlan: RunPlan,
  assumed: Assumed,
  settings: { current: Settings },
): Promise<Ended> {
  const { perform } = harness;
  const stops: string[] = [];
  const runKey = (attempt: number) => `run/${runPlan.runName}#${attempt}`;
  const run = harness.configureRun(runPlan);
  await prepareProfile(harness, run);
  let orderId: string | null = null;
  for (let attempt = 1; orderId === null; attempt += 1) {
    if (runPlan.kind === 'enrichment') await perform('draftOrder', { run, runKey: runKey(attempt) });
    const input = { run, runKey: runKey(attempt) };
    try {
      orderId = (await untilAnswered(() => perform('placeOrder', input))).orderId;
    } catch (error) {
      const isUnknown = error instanceof ApplicationFailure && error.type === 'OrderOutcomeUnknown';
      if (isUnknown) orderId = await ingestByHand(harness, runPlan);
      else stops.push(answer(harness, error, assumed, settings, attempt));
    }
  }
  harness.pass(4);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { ...(await ingest(harness, runPlan, orderId, attempt)), stops };
    } catch (error) {
      stops.push(answer(harness, error, assumed, settings, attempt));
    }
  }
}

async function prepareProfile({ perform, pass }: ActivityHarness, run: StartedRun): Promise<void> {
  const { creationId } = await perform('requestProfile', { run });
  pass(2);
  await perform('awaitProfile', { run, creationId });
}

async function ingest(harness: ActivityHarness, { runName }: RunPlan, orderId: string, attempt: number) {
  const { perform } = harness;
  const { total } = await perform('awaitPublication', { orderId, runName });
  await perform('collectResults', { orderId, from: 0, to: total });
  await perform('summarizeSlots', { orderId });
  await perform('checkLeaks', { orderId, runName });
  await perform('prepareCrm', {});
  const range = { from: 0, to: total, onlyUnfinished: false };
  await perform('projectToCrm', { orderId, projectionId: `${orderId}#${attempt}`, ...range });
  const { crm } = await perform('openOrder', { orderId });
  const proof = await perform('reconcileRange', { orderId, from: 0, to: total, crm });
  const { findings, reconciled } = await perform('concludeReconciliation', { orderId, proofs: [proof] });
  return { findings, reconciled, total };
}

/** A person looks for the order in the service, by its title, and names it with `ingest`. */
async function ingestByHand(
  { service, organizationId, ledger }: ActivityHarness,
  { runName, title }: RunPlan,
): Promise<string> {
  const order = service
    .organization(organizationId)
    .orders.values()
    .find(({ input }) => input.title === title);
  if (order === undefined) throw new Error('no such order was placed');
  await ledger.orderRequests.settleRun(runName, order.id);
  return order.id;
}

/** Temporal tries again what may pass; so does this. */
async function untilAnswered<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApplicationFailure) || error.nonRetryable === true || attempt === 5) throw error;
    }
  }
}

/** Does what the message of a stop says, and nothing else; a field that is to be named is named as the service calls it. */
function answer(
  harness: ActivityHarness,
  error: unknown,
  assumed: Assumed,
  settings: { current: Settings },
  attempt: number,
): string {
  if (!(error instanceof ApplicationFailure) || attempt > 20) throw error;
  const proposed = [...error.message.matchAll(/set (service\.[\w.]+): ([^\s;)]+)/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  const asked = [
    ...error.message.matchAll(/Set ((?:service\.fields\.[\w.]+(?: or )?)+) \(seen: ([^;]*?)\), or null/g),
  ].map(([, names = '', seen = '']) => {
    const fields = names.split(' or ');
    const chosen =
      fields.find((name) => seen.includes(assumed[name.replace('service.fields.', '')] ?? '?')) ?? fields[0] ?? '';
    return [chosen, assumed[chosen.replace('service.fields.', '')] ?? 'null'] as const;
  });
  const changes = [...proposed, ...asked];
  if (changes.length === 0) throw error;
  for (const [name, value] of changes) settings.current = withSetting(settings.current, name, value);
  harness.configure(settings.current);
  return `${error.type}: ${changes.map(([name, value]) => `${name}=${value}`).join(' ')}`;
}

function withSetting(
  { requests = defaultRequestSettings, fields = noFieldSettings, ...rest }: Settings,
  name: string,
  text: string,
): Settings {
  const [, group, ...keys] = name.split('.');
  const value = text === 'null' ? null : text;
  const [outer = '', inner] = keys;
  const put = <T extends object>(record: T): T =>
    inner === undefined
      ? { ...record, [outer]: value }
      : { ...record, [outer]: { ...Reflect.get(record, outer), [inner]: value } };
  return group === 'requests'
    ? { ...rest, fields, requests: put(requests) }
    : { ...rest, requests, fields: put(fields) };
}

/** Everybody in the CRM, by what a person would look for. */
async function readCrm(harness: ActivityHarness) {
  const companies = await harness.records('companies');
  const contacts = await harness.records('contacts');
  return {
    companies: companies.map(({ properties }) => `${properties['name']} ${properties['domain']}`).toSorted(),
    contacts: contacts
      .map(({ properties }) => `${properties['email']} ${properties['firstname']} ${properties['lastname']}`)
      .toSorted(),
  };
}

async function tryService(assumed: Assumed) {
  const harness = await createActivityHarness({ service: { assume: assumed } });
  harness.file('companies.csv', rows);
  const settings: { current: Settings } = { current: {} };
  const ended: Ended[] = [];
  for (const runPlan of plansOf(harness.folder)) ended.push(await runToTheEnd(harness, runPlan, assumed, settings));
  // Whatever was answered but a refusal, an order may stand behind it.
  const placed = harness.service.journal
    .entries({ owner: harness.organizationId })
    .filter(({ method, path, status }) => method === 'POST' && path === '/api/v1/orders' && status !== 422);
  return {
    ended,
    crm: await readCrm(harness),
    keys: new Set(placed.map(({ idempotency_key: key }) => key)),
    stops: ended.flatMap(({ stops }) => stops),
  };
}

/** What the sandbox delivers in its own words: everybody has to arrive, whatever the words. */
let everybody: Awaited<ReturnType<typeof readCrm>>;
beforeAll(async () => {
  everybody = (await tryService({})).crm;
});

/** Two orders that are proved whole, everybody in the CRM, and no key under which a third order was placed. */
async function outcomeOf(assumed: Assumed) {
  const { ended, crm, keys } = await tryService(assumed);
  const isProved = ended.every(({ findings, reconciled, total }) => findings.length === 0 && reconciled === total);
  return { isProved, crm, orders: keys.size };
}

const asInTheSandboxesOwnWords = () => ({ isProved: true, crm: everybody, orders: 2 });

type Choice = readonly [key: string, value: string];

// The delivery policy decides who is delivered, not how.
const choices = Object.entries(alternatives).flatMap(([key, { values }]) =>
  key === 'delivery_policy' ? [] : values.slice(1).map((value): Choice => [key, value]),
);

describe('the orders that the other services deliver', () => {
  it('contain more than four contacts', () => {
    expect(everybody.contacts.length).toBeGreaterThan(4);
  });

  // Guarantee: A new field, type, code or version of the service fails no run
  it('writes and reconciles two complete orders with every choice, each among others', async () => {
    const seed = Date.now() % 2 ** 31;
    const count = isWholeDomain ? choices.length : Math.min(choices.length, 40);
    const [shuffled = []] = fc.sample(fc.shuffledSubarray(choices, { minLength: count, maxLength: count }), {
      numRuns: 1,
      seed,
    });
    const services = dealServices(shuffled);
    expect(services.flatMap((assumed) => Object.entries(assumed))).toHaveLength(count);
    const failed: object[] = [];
    for (const assumed of services)
      if (!(await isComplete(assumed)))
        failed.push({ assumed, alone: await Promise.all(Object.entries(assumed).map(tryAlone)) });
    expect({ seed, failed }).toEqual({ seed, failed: [] });
  });

  it('writes and reconciles two complete orders whose contacts the delivery policy has selected', async () => {
    const { isProved, crm, orders } = await outcomeOf({ delivery_policy: 'results' });
    expect({ isProved, orders, companies: crm.companies }).toEqual({
      isProved: true,
      orders: 2,
      companies: everybody.companies,
    });
    expect(crm.contacts.length).toBeLessThan(everybody.contacts.length);
    expect(everybody.contacts).toEqual(expect.arrayContaining(crm.contacts));
  });

  it.each(sampleOf(Object.entries(styles), 2))(
    'writes and reconciles two complete orders with the naming style %s',
    async (_, assumed) => {
      expect(await outcomeOf(assumed)).toEqual(asInTheSandboxesOwnWords());
    },
  );

  it.each([
    ['company.prospects', 'xq_people'],
    ['company.name', 'xq_title'],
    ['company.website_url', 'xq_link'],
    ['prospect.email', 'xq_mail'],
    ['prospect.full_name', 'xq_full'],
  ])('recognises %s by its values when its name is unknown', async (key, name) => {
    expect(await outcomeOf({ [key]: name, person_name: 'full' })).toEqual(asInTheSandboxesOwnWords());
  });
});

/** Puts each choice into one service of up to twelve choices that a client can read. */
function dealServices(shuffled: readonly Choice[]): Assumed[] {
  const services: Assumed[] = [];
  for (const [key, value] of shuffled) {
    const at = services.findIndex((service) => {
      const added = { ...service, [key]: value };
      const hasRoom = Object.keys(service).length < 12 && service[key] === undefined;
      return hasRoom && namesDiffer(added) && tellsWhatItIgnores(added);
    });
    if (at === -1) services.push({ [key]: value });
    else services[at] = { ...services[at], [key]: value };
  }
  return services;
}

/** Tells which choice of a failed service is its cause. */
async function tryAlone([key, value]: Choice): Promise<string> {
  return `${key}=${value}: ${(await isComplete({ [key]: value })) ? 'passes alone' : 'fails alone'}`;
}

async function isComplete(assumed: Assumed): Promise<boolean> {
  return isDeepStrictEqual(await outcomeOf(assumed), asInTheSandboxesOwnWords());
}

/**
 * A service that takes no notice of unknown fields gives no sign that it knows a website, a city or a country by another
 * name, so that nothing can be learnt from it: such names have to be set.
 */
function tellsWhatItIgnores(assumed: Assumed): boolean {
  const renamed = ['row.website_url', 'row.city', 'row.country'].some((key) => assumed[key] !== undefined);
  return !(renamed && assumed['unknown_request_fields'] === 'ignore');
}

/** Two fields of one record under one name are no service that anybody could read. */
function namesDiffer(assumed: Assumed): boolean {
  return ['company', 'prospect'].every((record) => {
    const fields = Object.keys(alternatives).filter((key) => key.startsWith(`${record}.`));
    const names = fields.map((key) => (assumed[key] ?? alternatives[key]?.values[0] ?? '').replaceAll('_', ''));
    return new Set(names).size === names.length;
  });
}
