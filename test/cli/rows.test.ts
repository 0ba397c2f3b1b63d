// One order from collected to written: what would be written, what was not, why, and once more.
import { appendFile, cp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { createControlClient } from '../../sandbox/control/control-client.ts';
import { createHubSpotClient, type HubSpotClient } from '../../src/hubspot/hubspot-client.ts';
import { readCsv } from '../../src/base/spreadsheet/read-csv.ts';
import { readXlsx } from '../../src/base/spreadsheet/read-xlsx.ts';
import { readRecords } from '../helpers/table-records.ts';
import { startExampleProject, type ExampleProject } from '../helpers/example-project.ts';
import { isWholeDomain, itOfAll } from '../helpers/sample.ts';

let project: ExampleProject;
let hubspot: HubSpotClient;
let orderId = '';
let domain = '';
let twins: string[] = [];
let files: { path: string; kind: string }[] = [];

beforeAll(async () => {
  project = await startExampleProject();
  const { url, token } = project.hubspot;
  hubspot = createHubSpotClient({ baseUrl: url, token });
  const yaml = parse(await readFile(path.join(project.folder, 'prospect-sync.yaml'), 'utf8'));
  yaml.runs['demo-discovery'].crm = false;
  yaml.runs['demo-discovery'].briefing_quantity = 40;
  await writeFile(path.join(project.folder, 'files-only.yaml'), stringify(yaml));
  const { stdout } = await command('run', 'demo-discovery', '--config', 'files-only.yaml', '--json');
  const [order] = JSON.parse(stdout).orders;
  orderId = order.order_id;
  files = order.files;
  domain = String((await readRecords(readCsv(order.files[0].path)))[3]?.['Domain']);
});
afterAll(() => project?.stop());

const command = (...args: string[]) => project.command(...args);
const document = async (...args: string[]) => JSON.parse((await command(...args, '--json')).stdout);

async function countCompanies(): Promise<number> {
  let count = 0;
  for await (const page of hubspot.objects.list('companies', { properties: [] })) count += page.length;
  return count;
}

describe('profile_id', () => {
  itOfAll('orders from an existing profile, which is neither created nor changed', async () => {
    const [created] = await document('profiles', '--config', 'files-only.yaml');
    expect(created).toMatchObject({ status: 'SUCCEEDED', runs: ['demo-discovery', 'demo-enrichment'], orders: 1 });
    const yaml = parse(await readFile(path.join(project.folder, 'files-only.yaml'), 'utf8'));
    const { profile: _, ...run } = yaml.runs['demo-discovery'];
    const order = { target_countries: ['Austria'] };
    yaml.service.requests = { target_countries: 'send' };
    yaml.runs = { existing: { ...run, profile_id: created.profile_id, order, briefing_quantity: 3 } };
    await writeFile(path.join(project.folder, 'existing.yaml'), stringify(yaml));
    const control = createControlClient({ baseUrl: project.control.url });
    const creations = async () => {
      const query = { method: 'POST', path: '/api/v1/search-profile-creations' };
      return (await control.GET('/journal', { params: { query } })).data?.entries.length;
    };
    const before = await creations();
    const { orders } = await document('run', 'existing', '--yes', '--config', 'existing.yaml');
    expect(orders).toMatchObject([{ ordered: 3, reconciled: 3 }]);
    expect(await creations()).toBe(before);
    expect(await document('profiles', '--config', 'existing.yaml')).toEqual([
      { name: null, profile_id: created.profile_id, status: 'existing', runs: ['existing'], orders: 2 },
    ]);
    const unknown = { ...yaml.runs.existing, profile_id: '0d5f3c9e-4a3e-4b55-9c0a-1f1f8d5a7b11' };
    await writeFile(path.join(project.folder, 'unknown.yaml'), stringify({ ...yaml, runs: { unknown } }));
    const refused = await command('run', 'unknown', '--config', 'unknown.yaml', '--yes', '--json');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/profile/i);
  });
});

describe('companies.hubspot', () => {
  itOfAll.each([
    ['filter_groups', [{ filters: [{ propertyName: 'lifecyclestage', operator: 'EQ', value: 'lead' }] }]],
    // The customers of the project have a domain, its leads have none.
    ['without', 'domain'],
  ])('selects companies by %s', async (key, value) => {
    const hubspot = { [key]: value };
    const yaml = parse(await readFile(path.join(project.folder, 'prospect-sync.yaml'), 'utf8'));
    const { companies: _, ...run } = yaml.runs['demo-enrichment'];
    yaml.runs = {
      chosen: { ...run, companies: { hubspot } },
      leads: { ...run, companies: { hubspot: { lifecycle_stages: ['lead'] } } },
    };
    await writeFile(path.join(project.folder, 'chosen.yaml'), stringify(yaml));
    const quantityOf = async (name: string) =>
      (await document('run', name, '--dry-run', '--config', 'chosen.yaml')).order.quantity;
    expect(await quantityOf('chosen')).toBe(await quantityOf('leads'));
    expect(await quantityOf('leads')).toBeGreaterThan(10);
  });

  it.each(['doctor', 'run chosen --dry-run', 'run chosen --yes'])(
    'refuses the label of an option before anything is ordered: %s',
    async (line) => {
      const yaml = parse(await readFile(path.join(project.folder, 'prospect-sync.yaml'), 'utf8'));
      const { companies: _, ...run } = yaml.runs['demo-enrichment'];
      const filters = [{ propertyName: 'lifecyclestage', operator: 'NOT_IN', values: ['Customer', 'Opportunity'] }];
      yaml.runs = { chosen: { ...run, companies: { hubspot: { filter_groups: [{ filters }] } } } };
      await writeFile(path.join(project.folder, 'labels.yaml'), stringify(yaml));
      const { code, stdout, stderr } = await command(...line.split(' '), '--config', 'labels.yaml');
      expect(code).toBe(1);
      expect(stdout + stderr).toContain(
        'lifecyclestage NOT_IN "Customer": no option of the property. Did you mean cust',
      );
    },
  );
});

describe('preview', () => {
  it('rejects a mapped property that does not exist or cannot be written', async () => {
    const yaml = parse(await readFile(path.join(project.folder, 'prospect-sync.yaml'), 'utf8'));
    const refusal = async (companies: Record<string, string>) => {
      await writeFile(path.join(project.folder, 'misfit.yaml'), stringify({ ...yaml, mapping: { companies } }));
      return command('preview', 'demo-discovery', '--config', 'misfit.yaml', '--json');
    };
    const missing = await refusal({ no_such_property: 'company.industry' });
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('(PROPERTY_MISSING: no_such_property)') });
    const readOnly = await refusal({ hs_object_id: 'company.id' });
    expect(readOnly).toMatchObject({ code: 1, stderr: expect.stringContaining('(PROPERTY_READ_ONLY: hs_object_id)') });
  });

  it('says of a run without HubSpot that it writes nothing', async () => {
    const { code, stderr } = await command('preview', 'demo-discovery', '--config', 'files-only.yaml', '--json');
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('(crm: false)') });
  });

  it('rejects a run without a collected order', async () => {
    const { code, stderr } = await command('preview', 'demo-enrichment');
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no order in the ledger yet'),
    });
  });
});

describe('report', () => {
  it('writes a HTML file that only its owner can read, and replaces none unasked', async () => {
    const file = path.join(project.folder, 'report.html');
    expect(await document('report', orderId, '--html', file)).toMatchObject({ order_id: orderId, file });
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect(await readFile(file, 'utf8')).toContain('What it brought');
    const again = await command('report', orderId, '--html', file);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('add --overwrite to replace it') });
    const other = await command('report', orderId, '--html', path.join(project.folder, 'report.csv'));
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('the command writes HTML') });
  });
});

describe('rows', () => {
  it.each([
    ['the first characters of its id', () => orderId.slice(0, 8).toUpperCase()],
    ['the name of its run', () => 'demo-discovery'],
  ])('names an order by %s, and says which one is meant', async (_way, name) => {
    const { code, stdout, stderr } = await command('export', name());
    expect(code).toBe(0);
    expect(stdout === (await command('export', orderId)).stdout).toBe(true);
    expect(stderr).toContain(`${name()} is order ${orderId} of run demo-discovery, in the ledger since `);
  });

  it.each([['last'], ['demo-discovery']])('has its field names learned by %s', async (name) => {
    const { code, stdout, stderr } = await command('service', 'learn', name);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: expect.stringContaining('company.name'),
      stderr: expect.stringContaining(`${name} is order `),
    });
    expect(await command('service', 'learn', 'lasst')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The ledger has no order "lasst"'),
    });
  });

  it('names the newest order of the ledger by last', async () => {
    const runs: { order_id: string | null }[] = await document('status');
    const newest = runs.find(({ order_id: placed }) => placed !== null);
    const { code, stderr } = await command('rows', 'last');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining(`last is order ${newest?.order_id} of run`),
    });
  });

  it('rejects what names no order', async () => {
    const other = orderId.startsWith('000') ? '1111' : '0000';
    for (const [name, message] of [
      [other, `The ledger has no order "${other}"`],
      [orderId.slice(0, 3), 'at least its first 4 characters'],
      ['lasst', 'the name of a run (demo-discovery, demo-enrichment) for its newest order, or last'],
      [`${orderId}0`, 'The ledger has no order'],
    ] as const)
      expect(await command('rows', name)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('rejects an unknown outcome and an unknown order', async () => {
    for (const [option, word, known] of [
      ['--outcome', 'broken', 'must be one of created, updated, '],
      ['--status', 'FAILED', 'must be one of ENRICHED, PARTIAL, UNRESOLVED, DUPLICATE, BLOCKED, found "FAILED"'],
      ['--item', 'people', 'must be one of company, contact, found "people"'],
      ['--reason', 'NO_PEOPLE_FUND', 'Did you mean NO_PEOPLE_FOUND?'],
    ] as const)
      expect(await command('rows', orderId, option, word)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(known),
      });
    expect(await command('rows', orderId, '--reason', 'forgotten')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('no matching rows'),
    });
    const stranger = '00000000-0000-4000-8000-000000000000';
    const { code, stderr } = await command('rows', stranger);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(`ingest ${stranger}`) });
  });
});

interface RowDocument {
  readonly position: number;
  readonly item: string;
  readonly record_id: string | null;
}

/** What the ledger says: the record ids of companies, by position. */
async function readCompanyIds(): Promise<Record<string, string | null>> {
  const rows: RowDocument[] = await document('rows', orderId);
  const companies = rows.filter(({ item }) => item === 'company');
  return Object.fromEntries(companies.map(({ position, record_id: id }) => [position, id]));
}

/** What a file says. */
async function readFileIds({ path: file, kind }: { path: string; kind: string }): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const record of await readRecords(kind === 'csv' ? readCsv(file) : readXlsx(file)))
    ids[String(record['Position'])] = String(record['HubSpot Company Id']);
  return ids;
}

async function askHubSpot(path: string, body: object): Promise<void> {
  const { url, token } = project.hubspot;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  expect((await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status).toBe(204);
}

describe('the commands for one order', () => {
  it('preview, report, complete, repair and find its rows', async () => {
    await previewWrites();
    await ingestAmbiguousCompany();
    await retryUnfinishedRows();
    if (isWholeDomain) await reconcileACopy();
    await retryRefusedLinks();
    if (isWholeDomain) await restoreRemovedLink();
    await explainRows();
    await retryNothing();
    const unknown = await command('why', 'No such company');
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toContain('HubSpot record id');
    const several = await command('why', 'a');
    expect(several).toMatchObject({ code: 1, stdout: '' });
    expect(several.stderr).toContain('Several companies have a name that begins so: "a');
  });
});

/** `preview` shows what would be written for the newest order of a run, and writes nothing. */
async function previewWrites(): Promise<void> {
  const before = await countCompanies();
  const { code, stdout, stderr } = await command('preview', 'demo-discovery', '--out', 'preview.csv', '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`demo-discovery is order ${orderId}`) });
  const shown = JSON.parse(stdout);
  expect(shown).toMatchObject({ order_id: orderId, file: 'preview.csv' });
  expect(shown.items['company would be created']).toBe(40);
  expect(shown.properties['companies.domain']).toBe(40);
  expect(await countCompanies()).toBe(before);
  const file = path.join(project.folder, 'preview.csv');
  expect((await stat(file)).mode & 0o077).toBe(0);
  const lines = (await readFile(file, 'utf8')).split('\r\n');
  expect(lines.some((line) => line.includes(`,"domain",,"${domain}"`))).toBe(true);
}

/** `rows` shows the row that matches two CRM companies, with both. */
async function ingestAmbiguousCompany(): Promise<void> {
  const properties = { domain, name: 'Twin' };
  const created = await hubspot.objects.create('companies', [{ properties }, { properties }]);
  twins = created.flatMap((result) => (result.ok ? [result.id] : [])).toSorted();
  const { code } = await command('ingest', orderId, '--run', 'demo-discovery', '--json');
  expect(code).toBe(3);
  const rows = await document('rows', orderId, '--outcome', 'quarantined');
  expect(rows).toMatchObject([
    { item: 'company', outcome: 'quarantined', rule: 'domain_of_several_records', matched_by: 'domain' },
  ]);
  expect(rows[0].candidates.toSorted()).toEqual(twins);
  expect(await document('rows', orderId, '--reason', 'domain_of_several_records')).toHaveLength(1);
  expect(await document('rows', orderId, '--status', 'ENRICHED', '--item', 'company')).toHaveLength(40);
  expect(await document('rows', orderId, '--status', 'PARTIAL')).toEqual([]);
  const people: { rule: string }[] = await document('rows', orderId, '--outcome', 'skipped', '--outcome', 'failed');
  expect(people.map(({ rule }) => rule)).toContain('company_not_written');
}

/** `retry` writes only unfinished rows, without a request to the service, and then the files. `changes` lists what `preview` has announced. */
async function retryUnfinishedRows(): Promise<void> {
  await hubspot.objects.archive('companies', [twins[0] ?? '']);
  expect(await command('preview', orderId, '--out', 'announced.csv')).toMatchObject({ code: 0 });
  const announced = await readRecords(readCsv(path.join(project.folder, 'announced.csv')));
  await refuseLinksOnce();
  const asked = async () => (await resultsAsked()).length;
  const before = await asked();
  const { code, stdout } = await command('retry', orderId, '--json');
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 3,
    ok: false,
    findings: [{ code: 'crm_write_failed' }],
    crm: { companies: { created: 39, updated: 1, quarantined: 0 } },
    files: [
      { kind: 'csv', rows: 40 },
      { kind: 'xlsx', rows: 40 },
    ],
  });
  expect(await asked()).toBe(before);
  expect(files.map(({ kind }) => kind)).toEqual(['csv', 'xlsx']);
  for (const file of files) expect(await readFileIds(file)).toEqual(await readCompanyIds());
  expect(Object.values(await readCompanyIds())).toContain(twins[1]);
  const expected = announced
    .filter((row) => row['HubSpot Record Id'] === twins[1] && !String(row['Property']).startsWith('prospect_sync_'))
    .map((row) => ({ property: row['Property'], before: row['HubSpot Now'] ?? '', after: row['Would Be Written'] }));
  expect(expected.length).toBeGreaterThan(3);
  const changed: { property: string }[] = await document('changes', orderId);
  const byProperty = (rows: { property: unknown }[]) =>
    rows.toSorted((a, b) => (String(a.property) < String(b.property) ? -1 : 1));
  expect(byProperty(changed)).toEqual(
    byProperty(expected).map((row) => ({ ...row, object: 'companies', record_id: twins[1], at: expect.any(String) })),
  );
  const { stdout: text, stderr } = await command('changes', orderId);
  expect(text).toContain(`company ${twins[1]}  address: nothing -> "`);
  expect(stderr).toContain(`${expected.length} values of 1 records that HubSpot had already`);
}

/** `reconcile` in a copy of the folder finds the line that was added to the file of the copy; the file of the original is not read. */
async function reconcileACopy(): Promise<void> {
  const copy = `${project.folder}-copy`;
  await cp(project.folder, copy, { recursive: true, filter: (source) => !source.endsWith('temporal') });
  const inCopy = path.join(copy, path.relative(project.folder, files[0]?.path ?? ''));
  await appendFile(inCopy, 'Added GmbH\r\n');
  const { code, stdout } = await command(
    'reconcile',
    orderId,
    '--config',
    path.join(copy, 'prospect-sync.yaml'),
    '--json',
  );
  const [order] = JSON.parse(stdout).orders;
  expect({ code, findings: order.findings.map(({ code: finding }: { code: string }) => finding) }).toEqual({
    code: 3,
    findings: expect.arrayContaining(['csv_file_changed']),
  });
  expect(order.certificate).toMatch(copy);
  await rm(copy, { recursive: true });
}

/** `retry` leaves a deleted company as it is. `ingest --force` creates it again, and links its contacts. */
async function retryRefusedLinks(): Promise<void> {
  const refused: RowDocument[] = await document('rows', orderId, '--reason', 'company_link_refused');
  expect(refused).not.toEqual([]);
  await hubspot.objects.archive('companies', [twins[1] ?? '']);
  const { code, stdout } = await command('retry', orderId);
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`file        ${files[0]?.path}`),
  });
  expect(await document('rows', orderId, '--reason', 'deleted_in_hubspot')).toHaveLength(1);
  expect(await command('ingest', orderId, '--run', 'demo-discovery', '--force', '--yes')).toMatchObject({ code: 0 });
  const ids = await readCompanyIds();
  for (const file of files) expect(await readFileIds(file)).toEqual(ids);
  expect(Object.values(ids)).not.toContain(twins[1]);
  const people = refused.flatMap(({ record_id: id }) => id ?? []);
  const linked = await hubspot.associations.read('contacts', 'companies', people);
  const companyId = ids[refused[0]?.position ?? ''];
  for (const id of people) expect(linked.get(id)?.map((link) => link.id)).toEqual([companyId]);
  expect(await command('reconcile', orderId, '--json')).toMatchObject({ code: 0 });
}

/** `reconcile` finds a removed link, which `ingest` creates again and reports. */
async function restoreRemovedLink(): Promise<void> {
  const [person]: RowDocument[] = (await document('rows', orderId)).filter(
    ({ item }: RowDocument) => item === 'contact:0',
  );
  const companyId = (await readCompanyIds())[person?.position ?? ''];
  const inputs = [{ from: { id: person?.record_id }, to: [{ id: companyId }] }];
  await askHubSpot('/crm/v4/associations/contacts/companies/batch/archive', { inputs });
  const { code, stdout } = await command('reconcile', orderId, '--json');
  expect({ code, ...JSON.parse(stdout).orders[0] }).toMatchObject({
    code: 3,
    reconciled: 39,
    findings: [{ code: 'crm_link_missing', count: 1, positions: [person?.position] }],
  });
  const repaired = await command('ingest', orderId, '--run', 'demo-discovery');
  expect(repaired).toMatchObject({ code: 0, stdout: expect.stringMatching(/ links +1 {2}restored\n/) });
  expect(await document('rows', orderId, '--reason', 'company_link_restored')).toMatchObject([
    { position: person?.position, item: 'contact:0', record_id: person?.record_id, outcome: 'created' },
  ]);
}

/** `why` shows the history of a company by its domain, name or record, and that of a contact by its address. */
async function explainRows(): Promise<void> {
  const byDomain = await document('why', `https://www.${domain.toUpperCase()}/`);
  const outcomesOf = (events: { kind: string }[]) => events.filter(({ kind }) => kind === 'outcome');
  const [returned] = byDomain.filter(({ kind }: { kind: string }) => kind === 'returned');
  expect(returned).toMatchObject({ order_id: orderId, position: 3, status: 'ENRICHED' });
  // Every pass of the order.
  const passes = outcomesOf(byDomain);
  expect(passes.length).toBeGreaterThan(1);
  for (const pass of passes) expect(pass).toMatchObject({ order_id: orderId, item: 'company' });
  const newest = passes.at(-1);
  expect(newest).toMatchObject({ outcome: isWholeDomain ? 'unchanged' : 'created', pass: passes.length });
  const { record_id: companyId } = z.object({ record_id: z.string() }).parse(newest);
  expect(await document('why', companyId)).toEqual(passes);
  const [record] = (await hubspot.objects.read('companies', { ids: [companyId], properties: ['name'] })).values();
  const name = record?.properties['name'] ?? '';
  for (const text of [name, ` ${name.toUpperCase()}`, name.slice(0, -1)])
    expect(await document('why', text)).toEqual(byDomain);
  const [id = ''] = (await hubspot.associations.read('companies', 'contacts', [companyId]))
    .get(companyId)
    ?.map((link) => link.id) ?? [''];
  const contact = (await hubspot.objects.read('contacts', { ids: [id], properties: ['email'] })).get(id);
  const email = contact?.properties['email'] ?? '';
  const rows = await document('why', ` ${email.toUpperCase()} `);
  expect(rows.at(-1)).toMatchObject({ order_id: orderId, item: expect.stringContaining('contact:'), record_id: id });
  for (const text of [`mailto:${email}?subject=x`, `<${email}>`]) expect(await document('why', text)).toEqual(rows);
  const portal = 'https://app-eu1.hubspot.com/contacts/4711';
  for (const link of [`${portal}/record/0-2/${companyId}/?q=1`, `${portal}/company/${companyId}`])
    expect(await document('why', link)).toEqual(passes);
  expect(await document('why', `${portal}/contact/${id}`)).toEqual(rows);
}

async function retryNothing(): Promise<void> {
  const { stdout } = await command('retry', orderId);
  expect(stdout).toMatch(/^nothing to retry: no company and no contact of the order was quarantined or failed\. Its/);
}

/** HubSpot refuses the next links of people to companies. */
async function refuseLinksOnce(): Promise<void> {
  const gone = { status: 'error', category: 'OBJECT_NOT_FOUND', message: 'gone', context: {} };
  const body = { status: 'COMPLETE', results: [], numErrors: 1, errors: [gone] };
  const path = '/crm/v4/associations/contacts/companies/batch/create';
  const fault = { portal_id: project.hubspot.portalId, path, status: 207, body, times: 1 };
  const answer = await fetch(`${project.control.url}/faults`, { method: 'POST', body: JSON.stringify(fault) });
  expect(answer.status).toBe(201);
}

async function resultsAsked(): Promise<unknown[]> {
  const answer = await fetch(`${project.control.url}/journal?path=/api/v1/orders/${orderId}/results`);
  const { entries } = (await answer.json()) as { entries: unknown[] };
  return entries;
}
