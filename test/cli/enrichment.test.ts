// Enrichments from files: invalid rows, PARTIAL rows, notes on companies, and website texts.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { readXlsx } from '../../src/base/spreadsheet/read-xlsx.ts';
import type { Ended } from '../helpers/command.ts';
import { startExampleProject, type ExampleProject } from '../helpers/example-project.ts';
import { itOfAll } from '../helpers/sample.ts';
import { readRecords } from '../helpers/table-records.ts';

let project: ExampleProject;
/** A company of HubSpot that is submitted. */
const partial = { id: '' };
/** The order from the file with an invalid row. */
let lenient: Ended;
let orderId = '';

beforeAll(async () => {
  project = await startExampleProject();
  const { folder } = project;
  const rows = ['company_name,website_url', 'Acme,acme.example', 'Geheim,ftp://geheim.example', 'Bolt,bolt.example'];
  await writeFile(path.join(folder, 'mixed.csv'), rows.join('\n'));
  await writeFile(path.join(folder, 'bad.csv'), rows.filter((row) => !/Acme|Bolt/.test(row)).join('\n'));
  const file = path.join(folder, 'prospect-sync.yaml');
  const yaml = parse(await readFile(file, 'utf8'));
  const withFile = (companies: object) => ({ ...yaml.runs['demo-enrichment'], exclusions: [], companies });
  yaml.mapping = {
    companies: { about_us: 'company.website_markdown' },
    company_notes: { POLICY_ELIGIBLE: 'Delivered: {company.name}' },
    company_tasks: { WEBSITE_EMPTY: 'Look at {company.name}' },
  };
  partial.id = await createCompany({ name: 'As people named it', city: 'Ulm' });
  const partialRows = [
    'company_name,website_url,external_id',
    `Empty GmbH,https://b.website-empty.example,${partial.id}`,
  ];
  await writeFile(path.join(folder, 'partial.csv'), partialRows.join('\n'));
  yaml.runs['partial'] = withFile({ csv: 'partial.csv', external_ids: 'record_id' });
  await writeFile(
    path.join(folder, 'unwritten.csv'),
    partialRows.join('\n').replace('Empty', 'Void').replace('b.website', 'v.website'),
  );
  yaml.runs['unwritten'] = withFile({ csv: 'unwritten.csv' });
  yaml.runs['strict'] = withFile({ csv: 'mixed.csv' });
  const spreadsheets = { columns: { 'Website Text': 'company.website_markdown' } };
  yaml.runs['lenient'] = { ...withFile({ csv: 'mixed.csv', bad_rows: 'reject' }), spreadsheets };
  yaml.runs['hopeless'] = withFile({ csv: 'bad.csv', bad_rows: 'reject' });
  await writeFile(file, stringify(yaml));
  lenient = await project.command('run', 'lenient', '--json');
  orderId = JSON.parse(lenient.stdout).orders[0].order_id;
});
afterAll(() => project?.stop());

async function fetchJson(url: string, apiKey: string): Promise<Record<string, unknown>> {
  return (await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } })).json() as Promise<
    Record<string, unknown>
  >;
}

async function createCompany(properties: Record<string, string>): Promise<string> {
  const { url, token } = project.hubspot;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ properties });
  const response = await fetch(`${url}/crm/v3/objects/companies`, { method: 'POST', headers, body });
  return ((await response.json()) as { id: string }).id;
}

describe('a submitted HubSpot record whose row is PARTIAL', () => {
  // Guarantee: Values that people entered stay
  it('gets the firmographics of the row in its empty properties, and keeps its values', async () => {
    const { stdout } = await project.command('run', 'partial', '--json');
    const [{ order_id: partialId, by_status: byStatus }] = JSON.parse(stdout).orders;
    expect(byStatus).toEqual({ PARTIAL: 1 });
    const { url, token } = project.hubspot;
    const properties = 'name,city,description,numberofemployees,domain,prospect_sync_status';
    const read = fetchJson(`${url}/crm/v3/objects/companies/${partial.id}?properties=${properties}`, token);
    const results = fetchJson(`${project.service.url}/api/v1/orders/${partialId}/results`, project.service.apiKey);
    const slots: { company: Record<string, unknown> }[] = Object.values(await results).find(Array.isArray) ?? [];
    const { description, employee_count: employees } = slots[0]?.company ?? {};
    expect((await read)['properties']).toMatchObject({
      name: 'As people named it',
      city: 'Ulm',
      domain: null,
      description,
      numberofemployees: String(employees),
      prospect_sync_status: 'PARTIAL',
    });
  });
});

describe('an enrichment from a file with an invalid row', () => {
  it('is refused by default', async () => {
    const { code, stderr } = await project.command('run', 'strict');
    expect(code).toBe(1);
    expect(stderr).toContain('row 3: website_url');
    expect(stderr).toContain('Nothing was started.');
  });

  it('is ordered without the row, which the report, status and the file name', async () => {
    expect(lenient.stderr).toContain('3 rows, 1 rejected, 2 ordered');
    const [order] = JSON.parse(lenient.stdout).orders;
    expect(order).toMatchObject({ ordered: 2, slots: 2, source: { ordered: 2, rejected: { rows: 1 } } });
    const { file } = order.source.rejected;
    expect(path.basename(file)).toMatch(/^lenient-\d{4}-\d\d-\d\d-[0-9a-f-]+-rejects\.csv$/);
    expect(await readFile(file, 'utf8')).toMatch(/\r\n3,"website_url: .*","Geheim","ftp:\/\/geheim\.example"\r\n$/);
    const status = await project.command('status', 'lenient', '--json');
    expect(JSON.parse(status.stdout)).toMatchObject([{ ordered: 2, rejected: 1 }]);
    expect((await project.command('status', 'lenient')).stdout).toContain('of 2 delivered  1 rejected');
  });

  it('leaves a note on each company of a chosen reason, and none when its order is ingested again', async () => {
    const again = await project.command('ingest', orderId, '--run', 'lenient', '--json');
    expect(JSON.parse(again.stdout).orders[0]).toMatchObject({ company_items: { note: 2, task: 0 } });
    const { url, token } = project.hubspot;
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/crm/v3/objects/notes?properties=hs_note_body`, { headers });
    const { results } = (await response.json()) as { results: { properties: { hs_note_body: string } }[] };
    const bodies = results.map(({ properties }) => properties.hs_note_body);
    expect(bodies).toEqual([1, 2].map((row) => expect.stringMatching(`^<p>Delivered: .+</p><p>.*row ${row}\\.</p>$`)));
  });

  itOfAll(
    'says which rows get no task because their company is not in HubSpot, and how to list exactly them',
    async () => {
      const { stdout: valid } = await project.command('validate');
      expect(valid).toMatch(
        /^warning: mapping\.company_tasks\.WEBSITE_EMPTY creates nothing for .*unwritten.* PARTIAL/m,
      );
      expect(valid).not.toMatch(/^warning: .*POLICY_ELIGIBLE/m);
      const { stdout } = await project.command('run', 'unwritten');
      expect(stdout).toMatch(
        /no item +1 {2}WEBSITE_EMPTY: no note or task, because the company of the row was not written/,
      );
      const command = /prospect-sync (rows .*--reason WEBSITE_EMPTY)$/m.exec(stdout)?.[1] ?? '';
      const listed = JSON.parse((await project.command(...command.split(' '), '--json')).stdout);
      expect(listed).toMatchObject([{ item: 'company', outcome: 'skipped', rule: 'not_enriched' }]);
      expect(listed).toHaveLength(1);
    },
  );

  it('has the website texts of its companies in HubSpot and in the Excel file', async () => {
    const [{ websites, files, findings }] = JSON.parse(lenient.stdout).orders;
    expect({ websites, findings }).toEqual({ websites: { texts: 2, without: 0, failed: 0 }, findings: [] });
    const xlsx = files.find(({ kind }: { kind: string }) => kind === 'xlsx').path;
    const records = await readRecords(readXlsx(xlsx, { sheet: 'Results' }));
    const { url, token } = project.hubspot;
    expect(records).toHaveLength(2);
    for (const { 'Website Text': text, 'HubSpot Company Id': id } of records) {
      expect(text).toMatch(/^# \S+[^]*employees/);
      const read = await fetchJson(`${url}/crm/v3/objects/companies/${String(id)}?properties=about_us`, token);
      expect(read['properties']).toMatchObject({ about_us: text });
    }
  });

  it('has the website texts of its companies as files, as the service returned them for the run', async () => {
    const { directory, ...counts } = JSON.parse((await project.command('websites', orderId, '--json')).stdout);
    expect(counts).toEqual({ files: 2, fetched: 0, without: [] });
    expect(directory).toMatch(new RegExp(`/${orderId}-websites$`));
    const { url, apiKey } = project.service;
    for (const file of await readdir(directory)) {
      const [, yaml = '', text] =
        /^---\n([^]*?)\n---\n\n([^]*)$/.exec(await readFile(path.join(directory, file), 'utf8')) ?? [];
      const { company_id: companyId, order_id: named } = parse(yaml);
      expect(named).toBe(orderId);
      const order = await fetchJson(`${url}/api/v1/orders/${orderId}`, apiKey);
      const route = `${url}/api/v1/deliveries/${String(order['profile_id'])}/companies/${companyId}/website-markdown`;
      expect(text).toBe((await fetchJson(route, apiKey))['markdown']);
    }
    const again = await project.command('websites', orderId, '--out', 'texts');
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^2 files in .*texts \(0 fetched\)\n$/) });
  });

  it('lists the outputs that another program had made of it, and downloads the chosen one', async () => {
    const { url, apiKey } = project.service;
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    for (const type of ['csv', 'xlsx']) {
      const body = JSON.stringify({ output_type: type, output_language: 'en' });
      await fetch(`${url}/api/v1/orders/${orderId}/${type === 'csv' ? 'outputs' : 'export'}`, {
        method: 'POST',
        headers,
        body,
      });
    }
    const read = async () => JSON.parse((await project.command('outputs', orderId, '--json')).stdout);
    while ((await read()).some(({ status }: { status: string }) => status !== 'COMPLETED'));
    const listed: Record<string, string>[] = await read();
    expect(listed).toMatchObject([
      { type: 'csv', language: 'en', made: 'elsewhere', location: null, file: null },
      { type: 'xlsx', language: 'en', made: 'elsewhere' },
    ]);
    const id = listed[1]?.['output_id'] ?? '';
    const downloaded = await project.command('outputs', orderId, '--id', id, '--download', 'outputs');
    expect(downloaded.stdout).toMatch(
      new RegExp(`^${id}  xlsx  en  COMPLETED  .*  elsewhere  .*output-${id}\\.xlsx$`, 'm'),
    );
    expect(downloaded.stdout.match(/\.output-/g)).toHaveLength(1);
    const unknown = await project.command('outputs', orderId, '--id', 'none', '--download', 'outputs');
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('has no output none') });
  });

  it('fails with one message when no row is left', async () => {
    const { code, stderr } = await project.command('run', 'hopeless');
    expect(code).toBe(1);
    expect(stderr).toMatch(/all 1 rows of .*bad\.csv are invalid: row 2: website_url/);
  });
});
