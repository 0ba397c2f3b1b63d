// A German Excel file from the first try to the result, as a person at a terminal does it.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import ExcelJS from 'exceljs';
import { parse, stringify } from 'yaml';
import { startExampleProject, type ExampleProject } from '../helpers/example-project.ts';
import { itOfAll } from '../helpers/sample.ts';

let project: ExampleProject;
let file = '';

const columns = { company_name: 'Firma', website_url: 'Website', city: 'Ort', external_id: 'Kundennummer' };

beforeAll(async () => {
  project = await startExampleProject();
  file = path.join(project.folder, 'prospect-sync.yaml');
  const workbook = new ExcelJS.Workbook();
  workbook
    .addWorksheet('Kunden')
    .addRows([
      ['Firma', 'Website', 'Ort', 'Kundennummer', 'Umsatz', 'Letzter Kontakt'],
      ['Müller & Söhne GmbH', 'www.mueller-soehne.example', 'Köln', 1001, 1_250_000, new Date('2026-03-31')],
      [],
      ['Größe AG', 'groesse.example', 'Zürich', 1002, 80_000, new Date('2026-01-05')],
    ]);
  await workbook.xlsx.writeFile(path.join(project.folder, 'kunden.xlsx'));
  await configure((yaml) => {
    yaml.runs.german = { ...yaml.runs['demo-enrichment'], companies: { xlsx: 'kunden.xlsx' } };
    yaml.runs.mapped = { ...yaml.runs.german, companies: { xlsx: 'kunden.xlsx', columns } };
    yaml.runs.empty = { ...yaml.runs['demo-discovery'], title: 'outcome:EMPTY', exclusions: [], crm: false };
    yaml.runs.empty.expect = { min_delivered: '80%' };
  });
});
afterAll(() => project?.stop());

async function configure(change: (yaml: ReturnType<typeof parse>) => void): Promise<void> {
  const yaml = parse(await readFile(file, 'utf8'));
  change(yaml);
  await writeFile(file, stringify(yaml));
}

const ordersPosted = async () => {
  const response = await fetch(`${project.service.url}/api/v1/orders`, {
    headers: { 'X-Api-Key': project.service.apiKey, Authorization: `Bearer ${project.service.apiKey}` },
  });
  return JSON.stringify(await response.json()).match(/"order_id"/g)?.length ?? 0;
};

const filesWritten = () => readdir(path.join(project.folder, 'out')).catch(() => []);

describe('an enrichment from a file with German columns', () => {
  it('is rejected with the setting to copy, and nothing is ordered', async () => {
    const before = await ordersPosted();
    const { code, stderr } = await project.command('run', 'german');
    expect(code).toBe(1);
    expect(stderr).toContain(
      'Set runs.german.companies.columns: {company_name: Firma, website_url: Website, city: Ort, external_id: Kundennummer}',
    );
    expect(stderr).toContain('Nothing was started.');
    expect(await ordersPosted()).toBe(before);
  });

  it('can be previewed without changing anything', async () => {
    const before = [await ordersPosted(), await filesWritten()];
    const { code, stdout } = await project.command('run', 'mapped', '--dry-run', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      dry_run: true,
      order: { kind: 'enrichment', quantity: 2 },
      source: { rows: 3, blank: 1, ordered: 2, columns_ignored: ['Umsatz', 'Letzter Kontakt'] },
      writes: { crm: { portal_id: project.hubspot.portalId } },
    });
    const discovery = await project.command('run', 'demo-discovery', '--dry-run');
    expect(discovery.stdout).toMatch(/order +300 companies \(discovery\)/);
    expect(discovery.stdout).toMatch(/excluded +\d+ +customers \(\d+ added, 0 removed/);
    expect([await ordersPosted(), await filesWritten()]).toEqual(before);
  });

  it.each([
    ['CSV', { csv: 'lost.csv' }],
    ['SQLite', { sql: { sqlite: 'lost.db', query: 'SELECT name AS company_name FROM a' } }],
  ])('cannot be previewed without its %s file, which is said once', async (kind, companies) => {
    const lost = `lost-${kind.toLowerCase()}`;
    await configure((yaml) => {
      yaml.runs[lost] = { ...yaml.runs['demo-enrichment'], companies };
    });
    const { code, stderr } = await project.command('run', lost, '--dry-run');
    expect(code).toBe(1);
    expect(stderr.match(/A worker on another machine may be able to read it/g)).toHaveLength(1);
    expect(stderr).toMatch(new RegExp(`^source of ${lost}: .*\\blost\\.(?:csv|db)\\b`, 'm'));
    expect(stderr).toContain('Nothing was started.');
  });

  it('is ordered once its columns are mapped; rows, report and files show the row of the file', async () => {
    const before = await ordersPosted();
    const { code, stdout, stderr } = await project.command('run', 'mapped', '--json');
    expect({ code, stderr }).toMatchObject({
      code: expect.any(Number),
      stderr: expect.stringContaining('3 rows, 1 blank, 2 ordered'),
    });
    const [order] = JSON.parse(stdout).orders;
    expect(order).toMatchObject({
      ordered: 2,
      slots: 2,
      source: {
        rows: 3,
        blank: 1,
        ordered: 2,
        columns_used: { company_name: 'Firma' },
        columns_ignored: ['Umsatz', 'Letzter Kontakt'],
      },
    });
    expect(await ordersPosted()).toBe(before + 1);
    const rows = await project.command('rows', order.order_id, '--json');
    expect(new Set(JSON.parse(rows.stdout).map((row: { source_row: number }) => row.source_row))).toEqual(
      new Set([2, 4]),
    );
    const file = await readFile(order.files.find(({ kind }: { kind: string }) => kind === 'csv').path, 'utf8');
    const csv = file.replaceAll('"', '');
    expect(csv).toContain('Source Row,Firma,Website (source),Ort,Kundennummer,Umsatz,Letzter Kontakt,Position');
    expect(csv).toContain('4,Größe AG,groesse.example,Zürich,1002,80000,2026-01-05,1');
  });
});

describe('an order without delivered companies', () => {
  itOfAll('is a finding, and report and status show the ordered and the delivered quantity', async () => {
    const { code, stdout } = await project.command('run', 'empty');
    expect(code).toBe(3);
    expect(stdout).toMatch(/delivered +0 of 300 ordered/);
    expect(stdout).toContain('finding    nothing_delivered: 300');
    const [state] = JSON.parse((await project.command('status', 'empty', '--json')).stdout);
    expect(state).toMatchObject({ run: 'empty', ordered: 300, delivered: 0 });
  });
});
