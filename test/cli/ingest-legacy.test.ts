// The legacy listing of a profile: its companies arrive in HubSpot once, marked as unproved, and prove nothing.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { createHubSpotClient, type HubSpotClient } from '../../src/hubspot/hubspot-client.ts';
import type { CrmRecord, ObjectType } from '../../src/hubspot/hubspot-record.ts';
import { createProspectingClient } from '../../src/service/client/prospecting-client.ts';
import type { Ended } from '../helpers/command.ts';
import { startExampleProject, type ExampleProject } from '../helpers/example-project.ts';

const run = 'demo-discovery';
const ended: Ended = { code: null, stdout: '', stderr: '' };

let project: ExampleProject;
let hubspot: HubSpotClient;
let searchId = '';
let listingId = '';
let suppressedDomain = '';
/** Addresses of listed people. */
let forgotten = '';
let written = '';
let domainsOfOrder: unknown[] = [];
/** What each command of the story below ended with. */
let unpublished = ended;
let repeatedOrder = ended;
let dry = ended;
let unconfirmed = ended;
let published = ended;
let first = ended;
let second = ended;
let reconciled = ended;
let found = ended;
let later = ended;
let records: Record<'start' | 'unwritten' | 'ordered' | 'first' | 'second' | 'later', CrmRecord[]>;
let addresses: unknown[] = [];

const command = (...args: string[]) => project.command(...args);
const legacy = (...args: string[]) => command('ingest', '--legacy', searchId, '--run', run, ...args);

/** With the time of the last change, which shows whether a record was written. */
async function readRecords(): Promise<CrmRecord[]> {
  const own = ['order_id', 'position', 'status', 'delivered_at', 'run'].map((name) => `prospect_sync_${name}`);
  const read = async (type: ObjectType) => {
    const properties = ['domain', 'email', 'lastmodifieddate', 'hs_lastmodifieddate', ...own];
    return (await Array.fromAsync(hubspot.objects.list(type, { properties }))).flat();
  };
  return [...(await read('companies')), ...(await read('contacts'))];
}

const ofOrder = (all: readonly CrmRecord[], id: string) =>
  all.filter(({ properties }) => properties['prospect_sync_order_id'] === id);

async function configure(file: string, change: Record<string, unknown>): Promise<void> {
  const yaml = parse(await readFile(path.join(project.folder, 'prospect-sync.yaml'), 'utf8'));
  Object.assign(yaml.runs[run], change);
  await writeFile(path.join(project.folder, file), stringify(yaml));
}

/** Domain and addresses of each listed company. */
async function readListing() {
  const { url, apiKey } = project.service;
  const { companies } = await createProspectingClient({
    baseUrl: url,
    apiKey: () => apiKey,
  }).deliveries.companies(searchId, 0);
  return companies.map(({ domain, prospects }) => ({
    domain: String(domain),
    emails: (Array.isArray(prospects) ? prospects : []).map(({ email }) => String(email)),
  }));
}

beforeAll(async () => {
  project = await startExampleProject({ companies: 12 });
  const { url, token } = project.hubspot;
  hubspot = createHubSpotClient({ baseUrl: url, token });
  await configure('unpublished.yaml', { title: 'outcome:UNPUBLISHED' });
  await configure('later.yaml', { title: 'later' });
  await configure('published.yaml', { title: 'published', briefing_quantity: 4 });
  unpublished = await command('run', run, '--config', 'unpublished.yaml');
  repeatedOrder = await command('run', run, '--config', 'unpublished.yaml');
  searchId = /ingest --legacy ([0-9a-f-]{36})/.exec(unpublished.stderr)?.[1] ?? '';
  listingId = `legacy:${searchId}`;
  const start = await readRecords();
  dry = await legacy('--dry-run');
  unconfirmed = await legacy();
  const unwritten = await readRecords();

  published = await command('run', run, '--config', 'published.yaml', '--yes', '--json');
  const orderId = JSON.parse(published.stdout).orders[0].order_id;
  const ordered = await readRecords();
  domainsOfOrder = ofOrder(ordered, orderId).flatMap(({ properties }) => properties['domain'] ?? []);
  const others = (await readListing()).filter(({ domain }) => !domainsOfOrder.includes(domain));
  addresses = others.flatMap(({ emails }) => emails);
  const [suppressed, ...rest] = others.filter(({ emails }) => emails.length > 0);
  suppressedDomain = suppressed?.domain ?? '';
  [forgotten = '', written = ''] = rest.flatMap(({ emails }) => emails.slice(0, 1));
  await command('suppressions', 'add', suppressedDomain, '--reason', 'asked', '--yes');
  await command('forget', forgotten, '--future', '--yes');
  first = await legacy('--yes', '--json');
  const afterFirst = await readRecords();
  second = await legacy('--yes', '--json');
  const afterSecond = await readRecords();
  reconciled = await command('reconcile', orderId, '--json');
  found = await command('forget', written, '--json');
  later = await command('run', run, '--config', 'later.yaml', '--yes', '--json');
  const afterLater = await readRecords();
  records = { start, unwritten, ordered, first: afterFirst, second: afterSecond, later: afterLater };
});
afterAll(() => project?.stop());

describe('an order that was completed before results were published', () => {
  it('ends the run with the command that writes the companies of its profile', () => {
    expect(unpublished.code).toBe(1);
    expect(unpublished.stderr).toContain(`run: prospect-sync ingest --legacy ${searchId} --run ${run}`);
  });

  it('is not placed a second time by the next run without a confirmation', () => {
    expect(repeatedOrder).toMatchObject({ code: 1, stderr: expect.stringContaining('Repeated order') });
    expect(repeatedOrder.stderr).toContain(`run ${run} was not confirmed: nothing was started or changed`);
  });
});

describe('ingest --legacy', () => {
  it.each([
    [['--legacy', 'acme'], 'must be a UUID'],
    [['--legacy', 'legacy:acme'], 'must be a UUID'],
    [[], 'ingest needs an order id, or --legacy PROSPECT_SEARCH_ID'],
    [['0d5f3c9e-4a3e-4b55-9c0a-1f1f8d5a7b11', '--dry-run'], '--dry-run needs --legacy'],
    [['--legacy', '0d5f3c9e-4a3e-4b55-9c0a-1f1f8d5a7b11'], 'Add --run NAME, one of: demo-discovery'],
    [['--legacy', '0d5f3c9e-4a3e-4b55-9c0a-1f1f8d5a7b11', '--force'], 'a legacy listing belongs to no order'],
  ])('ends with 2 for %j', async (args, message) => {
    expect(await command('ingest', ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('fails without a change when the service does not know the prospect search', async () => {
    const unknown = await command('ingest', '--legacy', '0d5f3c9e-4a3e-4b55-9c0a-1f1f8d5a7b11', '--run', run);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('404') });
  });

  it('says what it read, and writes nothing with --dry-run or without a confirmation', () => {
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringMatching(/: 12 companies, \d+ contacts/) });
    expect(dry.stdout).toContain('nothing was written');
    expect(unconfirmed).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing was started or changed') });
    expect(unconfirmed.stderr).toContain('Unproved: ');
    expect(records.unwritten).toEqual(records.start);
  });

  it('writes each listed company once, and leaves out and counts those of orders that the ledger has', () => {
    expect(JSON.parse(published.stdout).orders).toMatchObject([{ reconciled: 4, findings: [] }]);
    expect(JSON.parse(first.stdout)).toMatchObject({
      ok: true,
      order_id: listingId,
      companies: 12,
      in_known_orders: { companies: 4 },
      crm: { companies: { created: 7, skipped: 1, failed: 0, quarantined: 0 } },
    });
    const companies = ofOrder(records.first, listingId).flatMap(({ properties }) => properties['domain'] ?? []);
    expect(new Set(companies).size).toBe(7);
    expect(companies).toHaveLength(7);
    expect(companies.filter((domain) => domainsOfOrder.includes(domain))).toEqual([]);
  });

  it('marks the records with the listing in place of an order, and gives them no status, position or time', () => {
    const unproved = ofOrder(records.first, listingId);
    expect(unproved.some(({ properties }) => properties['email'])).toBe(true);
    const absent = { prospect_sync_status: null, prospect_sync_position: null, prospect_sync_delivered_at: null };
    for (const { properties } of unproved) expect(properties).toMatchObject({ prospect_sync_run: run, ...absent });
  });

  it('does not write a suppressed company, its people, or a forgotten person', () => {
    const of = (name: string) => records.first.map(({ properties }) => properties[name]);
    expect(addresses).toContain(forgotten);
    expect(of('email')).toContain(written);
    expect(of('email')).not.toContain(forgotten);
    expect(of('domain')).not.toContain(suppressedDomain);
    expect(first.stdout + first.stderr).not.toContain('@');
  });

  it('changes nothing when it is repeated', () => {
    const nothing = { created: 0, updated: 0, failed: 0, quarantined: 0 };
    expect(JSON.parse(second.stdout).crm).toMatchObject({ companies: { ...nothing, unchanged: 7 }, contacts: nothing });
    expect(records.second).toEqual(records.first);
  });

  it('does not disturb the reconciliation of an order', () => {
    expect(JSON.parse(reconciled.stdout).orders).toMatchObject([{ reconciled: 4, findings: [] }]);
    expect(records.first).toEqual(expect.arrayContaining(records.ordered));
  });

  it('leaves its records to an order that has the same companies later, which reconciles as usual', () => {
    expect(JSON.parse(later.stdout).orders).toMatchObject([{ slots: 12, reconciled: 12, findings: [] }]);
    const companies = ofOrder(records.later, listingId).filter(({ properties }) => properties['domain']);
    expect(companies).toEqual([]);
  });

  it('proves nothing: reconcile and the other commands about orders refuse its id', async () => {
    const refusal = { code: 2, stderr: expect.stringContaining(`${listingId} is a legacy listing, not an order`) };
    for (const id of [listingId, searchId]) expect(await command('reconcile', id)).toMatchObject(refusal);
    expect(await command('rows', listingId)).toMatchObject(refusal);
  });

  it('leaves the person of a record findable by forget, which names it', () => {
    const contact = records.first.find(({ properties }) => properties['email'] === written);
    expect(JSON.parse(found.stdout)).toMatchObject({ found: true, records: [{ object: 'contacts', id: contact?.id }] });
  });
});
