// One order from collected to written: what would be written, what was not, why, and once more.
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { createHubSpotClient, type HubSpotClient } from '../../src/hubspot/client.ts';
import { readCsv } from '../../src/spreadsheet/read-csv.ts';
import { startExampleProject, type ExampleProject } from '../helpers/example-project.ts';

let project: ExampleProject;
let hubspot: HubSpotClient;
let orderId = '';
let domain = '';
let twins: string[] = [];

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
  for await (const rows of readCsv(order.files[0].path)) domain ||= String(rows.rows[3]?.cells['Domain'] ?? '');
}, 120_000);
afterAll(() => project?.stop());

const command = (...args: string[]) => project.command(...args);
const document = async (...args: string[]) => JSON.parse((await command(...args, '--json')).stdout);

async function countCompanies(): Promise<number> {
  let count = 0;
  for await (const page of hubspot.objects.list('companies', { properties: [] })) count += page.length;
  return count;
}

describe('preview', () => {
  it('tells of the newest order of a run what would be written, and writes nothing', async () => {
    const before = await countCompanies();
    const { code, stdout, stderr } = await command('preview', 'demo-discovery', '--out', 'preview.csv', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^Ledger: .*ledger\.db\n$/) });
    const shown = JSON.parse(stdout);
    expect(shown).toMatchObject({ order_id: orderId, file: 'preview.csv' });
    expect(shown.items['company would be created']).toBe(40);
    expect(shown.properties['companies.domain']).toBe(40);
    expect(await countCompanies()).toBe(before);
    const file = path.join(project.folder, 'preview.csv');
    expect((await stat(file)).mode & 0o077).toBe(0);
    const lines = (await readFile(file, 'utf8')).split('\r\n');
    expect(lines.some((line) => line.includes(`,domain,,${domain}`))).toBe(true);
  }, 60_000);

  it('promises nothing that a run would end with: a mapped property that is not there, or cannot be written', async () => {
    const yaml = parse(await readFile(path.join(project.folder, 'prospect-sync.yaml'), 'utf8'));
    const refusal = async (companies: Record<string, string>) => {
      await writeFile(path.join(project.folder, 'misfit.yaml'), stringify({ ...yaml, mapping: { companies } }));
      return command('preview', 'demo-discovery', '--config', 'misfit.yaml', '--json');
    };
    const missing = await refusal({ no_such_property: 'company.industry' });
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('(PROPERTY_MISSING: no_such_property)') });
    const readOnly = await refusal({ hs_object_id: 'company.id' });
    expect(readOnly).toMatchObject({ code: 1, stderr: expect.stringContaining('(PROPERTY_READ_ONLY: hs_object_id)') });
  }, 60_000);

  it('refuses a run that has collected nothing', async () => {
    const { code, stderr } = await command('preview', 'demo-enrichment');
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('no collected order yet') });
  }, 60_000);
});

describe('rows', () => {
  it('names the row that two CRM companies could be, with both', async () => {
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
    const people: { rule: string }[] = await document('rows', orderId, '--outcome', 'skipped', '--outcome', 'failed');
    expect(people.map(({ rule }) => rule)).toContain('company_not_written');
  }, 120_000);

  it('refuses a word that is no outcome, and an order that it does not know', async () => {
    expect(await command('rows', orderId, '--outcome', 'broken')).toMatchObject({ code: 2 });
    const stranger = '00000000-0000-4000-8000-000000000000';
    const { code, stderr } = await command('rows', stranger);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(`ingest ${stranger}`) });
  }, 60_000);
});

describe('retry', () => {
  it('mends only what was open once the CRM is in order, without asking the service for anything', async () => {
    await hubspot.objects.archive('companies', [twins[0] ?? '']);
    const asked = async () => (await resultsAsked()).length;
    const before = await asked();
    const { code, stdout } = await command('retry', orderId, '--json');
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 0,
      ok: true,
      findings: [],
      crm: { companies: { created: 39, updated: 1, quarantined: 0 } },
    });
    expect(await asked()).toBe(before);
    const { code: proved } = await command('reconcile', orderId, '--json');
    expect(proved).toBe(0);
  }, 120_000);
});

describe('trace', () => {
  it('finds a company by its domain and its record, and a person by the address', async () => {
    const byDomain = await document('trace', `https://www.${domain.toUpperCase()}/`);
    expect(byDomain).toMatchObject([{ order_id: orderId, item: 'company', outcome: 'updated', record_id: twins[1] }]);
    expect(await document('trace', twins[1] ?? '')).toEqual(byDomain);
    const [id = ''] = (await hubspot.associations.read('companies', 'contacts', [twins[1] ?? '']))
      .get(twins[1] ?? '')
      ?.map((link) => link.id) ?? [''];
    const contact = (await hubspot.objects.read('contacts', { ids: [id], properties: ['email'] })).get(id);
    const rows = await document('trace', ` ${contact?.properties['email']?.toUpperCase()} `);
    expect(rows).toMatchObject([{ order_id: orderId, item: expect.stringContaining('contact:'), record_id: id }]);
    expect(await document('trace', 'nobody@nowhere.example')).toEqual([]);
  }, 60_000);
});

async function resultsAsked(): Promise<unknown[]> {
  await sleep(10);
  const answer = await fetch(`${project.control.url}/journal?path=/api/v1/orders/${orderId}/results`);
  const { entries } = (await answer.json()) as { entries: unknown[] };
  return entries;
}
