import { writeFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { createControlClient } from '../../sandbox/control/control-client.ts';
import { createHubSpotClient } from '../../src/hubspot/hubspot-client.ts';
import type { Ended } from '../helpers/command.ts';
import { startExampleProject, type ExampleProject } from '../helpers/example-project.ts';
import { runCommand } from '../helpers/run-command.ts';
import { until } from '../helpers/until.ts';
import { itOfAll } from '../helpers/sample.ts';

const notEnded: Ended = { code: null, stdout: '', stderr: '' };
/** More than one page of results and one batch of records. */
const quantity = 120;
const remedy = /Order ([0-9a-f-]{36}) exists, .* continue it with: prospect-sync ingest \1 --run demo-discovery$/m;

let project: ExampleProject;
/** Two runs, each with the records of HubSpot after it. */
const first = { ended: notEnded, records: [0, 0] };
const second = { ended: notEnded, records: [0, 0] };
/** A run that fails after its order was placed. Its order is ingested afterwards. */
let failed = notEnded;
let continued = notEnded;
/** Ids of the owners that the mapping assigns. */
let owners: string[] = [];
/** Of all runs. */
let listed = notEnded;

beforeAll(async () => {
  project = await startExampleProject();
  const file = path.join(project.folder, 'prospect-sync.yaml');
  const yaml = parse(await readFile(file, 'utf8'));
  owners = (await readOwners()).slice(0, 2);
  yaml.runs['demo-discovery'].briefing_quantity = quantity;
  yaml.mapping = {
    companies: {
      lifecyclestage: { value: 'lead' },
      description: { value: '{order.title} in {company.city}, {slot.delivered_at|date}', policy: 'always' },
      hubspot_owner_id: { round_robin: owners },
    },
    contacts: { hubspot_owner_id: { from: 'company_record.hubspot_owner_id' } },
  };
  yaml.runs['demo-discovery'].hubspot_lists = { companies: 'Prospects', contacts: 'People of {order.run}' };
  await writeFile(file, stringify(yaml));
  for (const run of [first, second]) {
    run.ended = await command('run', 'demo-discovery', '--json', '--yes');
    run.records = [await countRecords('companies'), await countRecords('contacts')];
  }
  // A file takes the place of the folder after the check before the order.
  yaml.runs['demo-discovery'].spreadsheets = { directory: 'taken/out' };
  await writeFile(path.join(project.folder, 'broken.yaml'), stringify(yaml));
  failed = await project.watchCommand(
    (text) => void (/started run/.test(text) && writeFileSync(path.join(project.folder, 'taken'), '')),
    'run',
    'demo-discovery',
    '--config',
    'broken.yaml',
    '--json',
    '--yes',
  );
  continued = await command('ingest', remedy.exec(failed.stderr)?.[1] ?? '', '--run', 'demo-discovery', '--json');
  yaml.runs['demo-discovery'] = {
    ...yaml.runs['demo-discovery'],
    briefing_quantity: 5,
    crm: false,
    hubspot_lists: undefined,
    spreadsheets: undefined,
  };
  await writeFile(path.join(project.folder, 'few.yaml'), stringify(yaml));
  listed = await command('status', 'demo-discovery', '--json');
});
afterAll(() => project?.stop());

const command = (...args: string[]) => project.command(...args);

async function readOwners(): Promise<string[]> {
  const { url, token } = project.hubspot;
  const response = await fetch(`${url}/crm/v3/owners`, { headers: { authorization: `Bearer ${token}` } });
  return ((await response.json()) as { results: { id: string }[] }).results.map(({ id }) => id);
}

async function countRecords(type: 'companies' | 'contacts') {
  const { url, token } = project.hubspot;
  let count = 0;
  for await (const page of createHubSpotClient({ baseUrl: url, token }).objects.list(type, { properties: [] }))
    count += page.length;
  return count;
}

async function countWritten(type: 'companies' | 'contacts') {
  const { url, token } = project.hubspot;
  const properties = ['prospect_sync_order_id'];
  let count = 0;
  for await (const page of createHubSpotClient({ baseUrl: url, token }).objects.list(type, { properties }))
    count += page.filter((record) => record.properties['prospect_sync_order_id']).length;
  return count;
}

interface OwnedRecord {
  readonly id: string;
  readonly properties: Record<string, string | null>;
  readonly associations?: { readonly companies: { readonly results: readonly { readonly id: string }[] } };
}

const orderIdOf = ({ stdout }: Ended): string => JSON.parse(stdout).orders[0].order_id;

describe('run', () => {
  it('creates no second record when it runs again', () => {
    expect(first.ended).toMatchObject({ code: 0 });
    expect(JSON.parse(second.ended.stdout)).toMatchObject({
      ok: true,
      orders: [
        { reconciled: quantity, crm: { companies: { created: 0, updated: quantity }, contacts: { created: 0 } } },
      ],
    });
    expect(second.records).toEqual(first.records);
    expect(orderIdOf(first.ended)).not.toBe(orderIdOf(second.ended));
  });
});

describe('a run with lists of HubSpot', () => {
  it('adds what it wrote to them, and an order with the same companies adds no record twice', async () => {
    const contacts = await countWritten('contacts');
    expect(await countWritten('companies')).toBe(quantity);
    const toLists = ({ stdout }: Ended) => JSON.parse(stdout).orders[0].lists;
    expect(toLists(first.ended)).toEqual([
      { object: 'companies', list_id: expect.any(String), added: quantity, missing: 0 },
      { object: 'contacts', list_id: expect.any(String), added: contacts, missing: 0 },
    ]);
    expect(toLists(second.ended)).toMatchObject([{ added: 0 }, { added: 0 }]);
    const { url, token } = project.hubspot;
    const count = async (path: string) => {
      const response = await fetch(`${url}/crm/v3/lists/${path}`, { headers: { authorization: `Bearer ${token}` } });
      return ((await response.json()) as { list: { size: number } }).list.size;
    };
    expect(await count('object-type-id/0-2/name/Prospects')).toBe(quantity);
    expect(await count('object-type-id/0-1/name/People%20of%20demo-discovery')).toBe(contacts);
  });
});

describe('a mapping with constants and texts', () => {
  it('writes them to every company', async () => {
    const { url, token } = project.hubspot;
    const found: Record<string, string | null>[] = [];
    const properties = ['prospect_sync_order_id', 'lifecyclestage', 'city', 'description'];
    for await (const page of createHubSpotClient({ baseUrl: url, token }).objects.list('companies', { properties }))
      found.push(...page.map((record) => record.properties));
    const written = found.filter((record) => record['prospect_sync_order_id']);
    expect(written).toHaveLength(quantity);
    for (const { lifecyclestage, city, description } of written) {
      expect(lifecyclestage).toBe('lead');
      expect(description).toMatch(new RegExp(`^Demo: new companies in ${city}, \\d{4}-\\d\\d-\\d\\d$`));
    }
  });
});

describe('a mapping with owners', () => {
  it('shares the companies among them, and gives each contact the owner of its company', async () => {
    const { url, token } = project.hubspot;
    const read = async (type: string): Promise<OwnedRecord[]> => {
      const records: OwnedRecord[] = [];
      const query = 'limit=100&properties=hubspot_owner_id,prospect_sync_order_id&associations=companies';
      let next: string | undefined = `${url}/crm/v3/objects/${type}?${query}`;
      while (next !== undefined) {
        const response = await fetch(next, { headers: { authorization: `Bearer ${token}` } });
        const page = (await response.json()) as { results: OwnedRecord[]; paging?: { next: { link: string } } };
        records.push(...page.results.filter(({ properties }) => properties['prospect_sync_order_id']));
        next = page.paging?.next.link;
      }
      return records;
    };
    const owned = new Map((await read('companies')).map(({ id, properties }) => [id, properties['hubspot_owner_id']]));
    const count = (owner: string) => [...owned.values()].filter((each) => each === owner).length;
    expect(owners.map(count)).toEqual([quantity / 2, quantity / 2]);
    const contacts = await read('contacts');
    expect(contacts.length).toBeGreaterThan(0);
    for (const { properties, associations } of contacts)
      expect(properties['hubspot_owner_id']).toBe(owned.get(associations?.companies.results[0]?.id ?? ''));
  });
});

describe('mapping test', () => {
  it('prints of exported slots what the run wrote to HubSpot', async () => {
    expect(await command('export', orderIdOf(continued), '--out', 'slots.ndjson.gz')).toMatchObject({ code: 0 });
    const { stdout } = await command('mapping', 'test', 'slots.ndjson.gz', '--run', 'demo-discovery');
    const mapped: { item: string; always?: object; fill_empty?: object }[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const companies = mapped.filter(({ item }) => item === 'company');
    const names = ['domain', 'name', 'city', 'numberofemployees', 'lifecyclestage', 'description'] as const;
    const printed = companies.map(({ always, fill_empty: filled }): Record<string, string> => ({
      ...always,
      ...filled,
    }));
    const { url, token } = project.hubspot;
    const written = new Map<string, Record<string, string | null>>();
    for await (const page of createHubSpotClient({ baseUrl: url, token }).objects.list('companies', {
      properties: names,
    }))
      for (const { properties } of page) written.set(properties['domain'] ?? '', properties);
    const pick = (from: Record<string, string | null> | undefined) => names.map((name) => from?.[name] ?? null);
    expect(companies).toHaveLength(quantity);
    expect(printed.map(pick)).toEqual(printed.map(({ domain = '' }) => pick(written.get(domain))));
  });

  it('names what is wrong with the file or the run', async () => {
    const noSlots = await command('mapping', 'test', 'prospect-sync.yaml');
    expect(noSlots).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('prospect-sync.yaml contains no slots.'),
    });
    const noFile = await command('mapping', 'test', 'nowhere.json');
    expect(noFile).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nowhere.json cannot be read: there is no such file (ENOENT)'),
    });
    await writeFile(
      path.join(project.folder, 'page.json'),
      JSON.stringify({ items: [{ input_position: 3, status: 'UNRESOLVED', reason_codes: [] }] }),
    );
    const noRun = await command('mapping', 'test', 'page.json', '--run', 'other');
    expect(noRun).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no run "other"') });
    const { stdout } = await command('mapping', 'test', 'page.json', '--json');
    expect(JSON.parse(stdout)).toEqual([{ position: 3, item: 'company', skipped: 'not_enriched' }]);
  });
});

describe('reconcile', () => {
  it('exits with code 3 and names what is missing', async () => {
    const orderId = orderIdOf(continued);
    await rm(path.join(project.folder, 'out', `${orderId}.xlsx`));
    const { code, stdout } = await command('reconcile', orderId, '--json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      orders: [{ reconciled: quantity, findings: [{ code: 'xlsx_file_missing' }] }],
    });
  });

  it('lists with --differences what was written, what HubSpot has now, who changed it and when', async () => {
    const orderId = orderIdOf(continued);
    const { url, token, portalId } = project.hubspot;
    const written: { id: string; name: string }[] = [];
    const properties = ['name', 'prospect_sync_order_id'];
    for await (const page of createHubSpotClient({ baseUrl: url, token }).objects.list('companies', { properties }))
      for (const { id, properties: found } of page)
        if (found['prospect_sync_order_id'] === orderId) written.push({ id, name: found['name'] ?? '' });
    const [edited, wrong] = written;
    const rename = (place: string, name = 'Other AG') =>
      fetch(place, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ properties: { name } }),
      });
    const atControl = (id: string | undefined) => `${project.control.url}/portals/${portalId}/records/companies/${id}`;
    await rename(atControl(edited?.id));
    await rename(`${url}/crm/v3/objects/companies/${wrong?.id}`);
    const { stdout } = await command('reconcile', orderId, '--differences', '--json');
    const company = {
      object: 'companies',
      property: 'name',
      present: 'Other AG',
      at: expect.stringMatching(/^20.*Z$/),
    };
    const { differences } = JSON.parse(stdout).orders[0];
    expect(differences).toHaveLength(2);
    expect(differences).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...company,
          finding: 'edited',
          record_id: edited?.id,
          written: edited?.name,
          by: expect.stringMatching(/^CRM_UI/),
        }),
        expect.objectContaining({
          ...company,
          finding: 'crm_company_property_wrong',
          record_id: wrong?.id,
          written: wrong?.name,
          by: expect.stringMatching(/^INTEGRATION/),
        }),
      ]),
    );
    const asText = await command('reconcile', orderId, '--differences');
    expect(asText.stdout).toContain(
      `edited  company ${edited?.id}  name: written ${JSON.stringify(edited?.name)}, now "Other AG", by CRM_UI`,
    );
    for (const record of [edited, wrong]) await rename(atControl(record?.id), record?.name);
  });
});

describe('run when it fails after its order was placed', () => {
  it('explains how to continue the order instead of placing another one', () => {
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(remedy) });
    expect(JSON.parse(failed.stdout)).toMatchObject({ ok: false, error: expect.stringMatching(remedy) });
    const orderId = remedy.exec(failed.stderr)?.[1];
    expect(JSON.parse(continued.stdout)).toMatchObject({
      ok: true,
      orders: [{ order_id: orderId, reconciled: quantity }],
    });
  });
});

describe('exclusions and orders', () => {
  it('are neither read nor changed with the key of another organization than that of the orders', async () => {
    const { data } = await createControlClient({ baseUrl: project.control.url }).POST('/organizations', {
      body: { name: 'other' },
    });
    const env = { ...project.env, PROSPECTING_API_KEY: String(data?.api_key) };
    for (const args of [
      'exclusions preview',
      'exclusions list',
      'exclusions delete customers --yes',
      'exclusions sync customers --take-over x',
      `ingest ${orderIdOf(first.ended)}`,
      `reconcile ${orderIdOf(first.ended)} --repair`,
    ])
      expect(await runCommand(args.split(' '), { cwd: project.folder, env })).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('the API key belongs to another organization than the ledger'),
      });
  });
});

describe('ingest', () => {
  it('uses the run that placed the order, and refuses a run of another kind', async () => {
    const orderId = orderIdOf(first.ended);
    const other = await command('ingest', orderId, '--run', 'demo-enrichment');
    expect(other).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is of kind discovery, and run demo-enrichment of kind enrichment'),
    });
    const forced = await command('ingest', orderId, '--force');
    expect(forced).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--force also overwrites what newer orders'),
    });
    expect(forced.stderr).toContain(`the delivery of order ${orderId} was not confirmed: nothing was started`);
  });

  it('chooses no run of another kind when that which placed the order is not in the configuration', async () => {
    const yaml = parse(await readFile(path.join(project.folder, 'prospect-sync.yaml'), 'utf8'));
    delete yaml.runs['demo-discovery'];
    await writeFile(path.join(project.folder, 'without.yaml'), stringify(yaml));
    expect(await command('ingest', orderIdOf(first.ended), '--config', 'without.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'no run of kind discovery, so the delivery settings are unknown. Add run demo-discovery, which placed the order',
      ),
    });
  });
});

describe('status', () => {
  it('rejects a name that is neither configured nor a run', async () => {
    const { code, stderr } = await command('status', 'demo-discover');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(
        'There is no run named demo-discover. Did you mean demo-discovery? The configuration has: ',
      ),
    });
  });

  it('lists the runs with their outcome and order', () => {
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { status: 'failed', outcome: 'failed', failure: 'FileFailed' },
      { status: 'completed', outcome: 'reconciled', failure: null, order_id: orderIdOf(second.ended) },
      { status: 'completed', outcome: 'reconciled' },
    ]);
  });
});

describe('cancel', () => {
  itOfAll('ends a run that waits for its order, and both commands say how to collect the order', async () => {
    const control = createControlClient({ baseUrl: project.control.url });
    await control.POST('/clock', { body: { mode: 'frozen' } });
    const isWaiting = Promise.withResolvers<void>();
    const running = project.watchCommand(
      (text) => void (/publication/.test(text) && isWaiting.resolve()),
      'run',
      'demo-discovery',
      '--config',
      'few.yaml',
      '--yes',
    );
    await Promise.race([isWaiting.promise, running]);
    // A run in progress orders nothing more.
    const dry = await command('run', 'demo-discovery', '--config', 'few.yaml', '--dry-run');
    expect(dry.stderr).toMatch(
      /Run in progress: until run\/demo-discovery\/\S+ ends, run demo-discovery only follows it and orders nothing/,
    );
    const cancelled = await command('cancel', 'demo-discovery', '--json');
    expect(cancelled).toMatchObject({ code: 0 });
    const { workflow_id, ended, order_id } = JSON.parse(cancelled.stdout);
    expect([workflow_id, ended]).toEqual([expect.stringMatching(/^run\/demo-discovery\//), true]);
    const { code, stderr } = await running;
    expect(code).toBe(1);
    expect(stderr).toContain(`${workflow_id} failed: it was cancelled. Its order ${order_id} stays placed`);
    expect(stderr).toContain(`To collect it: prospect-sync ingest ${order_id} --run demo-discovery`);

    const ingesting = command('ingest', order_id, '--config', 'few.yaml');
    const { stdout } = await until(async () => {
      const answer = await command('cancel', `order/${order_id}`);
      return answer.code === 0 && answer;
    });
    // Temporal knows the run once the workflow has read it.
    expect(stdout).toMatch(new RegExp(`To collect it: prospect-sync ingest ${order_id}(?: --run demo-discovery)?\n$`));
    expect(await ingesting).toMatchObject({ code: 1 });

    await control.POST('/clock', { body: { mode: 'real' } });
    const collected = await command('ingest', order_id, '--run', 'demo-discovery', '--config', 'few.yaml', '--json');
    expect(JSON.parse(collected.stdout).orders[0]).toMatchObject({ order_id, reconciled: 5 });
    expect(await command('cancel', 'demo-discovery')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No run "demo-discovery" is in progress. Nothing was cancelled.'),
    });
    expect(await command('cancel', workflow_id)).toMatchObject({ code: 2 });
    expect(await command('cancel', 'run/nothing/2026-01-01')).toMatchObject({ code: 2 });
  });
});
