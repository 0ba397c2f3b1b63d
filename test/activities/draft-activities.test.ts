import { toAnnouncedRows } from '../../src/companies/purchases/announced-rows.ts';
import { execFileSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import type { CellValue } from 'exceljs';
import type { RunPlan, SpreadsheetPlan } from '../../src/config/run-plan.ts';
import type { CompaniesSource, FileCompanies } from '../../src/config/enrichment-source-settings.ts';
import { toSourceText } from '../../src/proof/report/source-text.ts';
import { digest } from '../../src/base/json/canonical-json.ts';
import { readCsv } from '../../src/base/spreadsheet/read-csv.ts';
import { readRecords } from '../helpers/table-records.ts';
import { craftXlsx, header } from '../base/spreadsheet/craft-xlsx.ts';
import { createActivityHarness, crmDelivery, failure, plan, type ActivityHarness } from './activity-harness.ts';
import { crmCompanies, fileCompanies } from '../helpers/companies-source.ts';
import { isWholeDomain } from '../helpers/sample.ts';

const runKey = 'run/weekly/2026-11-20#1';

function enrichment(companies: CompaniesSource, changes: Partial<RunPlan> = {}): RunPlan {
  return plan({
    kind: 'enrichment',
    briefingQuantity: null,
    companies,
    delivery: crmDelivery,
    ...changes,
  });
}

function toDraftRow(name: string, position: number) {
  return { position, company: { company_name: name }, sourceRow: null, ownJson: null };
}

async function writeWorkbook(path: string, sheets: Record<string, CellValue[][]>): Promise<string> {
  const workbook = new ExcelJS.Workbook();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = workbook.addWorksheet(name);
    for (const row of rows) sheet.addRow(row);
  }
  await workbook.xlsx.writeFile(path);
  return path;
}

describe('draftOrder', () => {
  it('stores the rows of a file once: later changes of the file have no effect', async () => {
    const harness = await createActivityHarness();
    const csv = harness.file('companies.csv', ['company_name,external_id', 'One,1', 'Two,']);
    const input = { run: harness.configureRun(enrichment(fileCompanies(csv))), runKey };
    expect(await harness.perform('draftOrder', input)).toMatchObject({ rows: 2, unusable: 0 });
    harness.file('companies.csv', ['company_name', 'Another', 'Third', 'Fourth']);
    expect((await harness.perform('draftOrder', input, { attempt: 2 })).rows).toBe(2);
    await rm(csv);
    expect((await harness.perform('draftOrder', input, { attempt: 3 })).source.rows).toBe(2);
    expect(await harness.ledger.drafts.read(runKey)).toEqual([
      { company_name: 'One', external_id: '1' },
      { company_name: 'Two' },
    ]);
  });

  // Guarantee: An order that may be a mistake is confirmed first
  it.each([
    ['other companies', ['company_name', 'One', 'Other'], /^the file was changed: its 2 rows are not those that the/],
    ['a further row', ['company_name', 'One', 'Two', 'Three'], /^the source has 3 rows, and the command announced 2\b/],
  ])('drafts nothing from a file with %s than the command announced', async (_case, lines, refusal) => {
    const harness = await createActivityHarness();
    const csv = harness.file('companies.csv', lines);
    const announced = toAnnouncedRows({ rows: ['One', 'Two'].map(toDraftRow), excluded: [] });
    const input = { run: harness.configureRun(enrichment(fileCompanies(csv))), runKey, announced };
    const refused = await failure(harness.perform('draftOrder', input));
    expect(refused).toMatchObject({ type: 'OrderUnconfirmed', nonRetryable: true });
    expect(refused.message).toMatch(refusal);
    expect(await harness.ledger.drafts.source(runKey)).toBeNull();
    harness.file('companies.csv', ['company_name', 'Two', 'One']);
    expect(await harness.perform('draftOrder', input)).toMatchObject({ rows: 2 });
  });

  it('knows the rows that a command of another release announced, by the digest of their texts', async () => {
    const harness = await createActivityHarness();
    const csv = harness.file('companies.csv', ['external_id,city,company_name', '7,Ulm,Two', ',Bonn,One']);
    const texts = ['{"company_name":"One","city":"Bonn"}', '{"company_name":"Two","city":"Ulm","external_id":"7"}'];
    const announced = { rows: 2, digest: digest(texts) };
    const input = { run: harness.configureRun(enrichment(fileCompanies(csv))), runKey, announced };
    expect(await harness.perform('draftOrder', input)).toMatchObject({ rows: 2 });
  });

  it('drafts up to a tenth more companies of HubSpot than the command announced', async () => {
    const harness = await createActivityHarness();
    const named = (name: string) => ({ lifecyclestage: 'lead', name });
    await harness.createRecords(
      'companies',
      Array.from({ length: 11 }, (_, index) => named(`Company ${index}`)),
    );
    const run = harness.configureRun(enrichment(crmCompanies({ lifecycleStages: ['lead'] })));
    const announced = (rows: number) => ({ rows, digest: '0' });
    const refused = await failure(harness.perform('draftOrder', { run, runKey, announced: announced(9) }));
    expect(refused.message).toMatch(/^the source has 11 rows, and the command announced 9\b/);
    expect(await harness.perform('draftOrder', { run, runKey, announced: announced(10) })).toMatchObject({ rows: 11 });
  });

  it('reads companies of HubSpot with their record ids, and counts unusable ones', async () => {
    const harness = await createActivityHarness();
    const ids = await harness.createRecords('companies', [
      { lifecyclestage: 'lead', name: 'One', domain: 'one.example', city: 'Bern' },
      { lifecyclestage: 'lead', name: ' ', domain: 'x' },
      { lifecyclestage: 'customer', name: 'Customer' },
    ]);
    const input = { run: harness.configureRun(enrichment(crmCompanies({ lifecycleStages: ['lead'] }))), runKey };
    expect(await harness.perform('draftOrder', input)).toMatchObject({ rows: 1, unusable: 1 });
    expect(await harness.ledger.drafts.read(runKey)).toEqual([
      { company_name: 'One', website_url: 'https://one.example', city: 'Bern', external_id: ids[0] },
    ]);
  });

  // Guarantee: A run orders at most `limits.max_briefings_per_run` companies
  it('ends the run before it orders when the source has more rows than max_briefings', async () => {
    const harness = await createActivityHarness();
    const csv = harness.file('companies.csv', ['company_name', 'Geheim', 'Two', 'Three']);
    const limited = (maxBriefings: number) => ({
      run: harness.configureRun(enrichment(fileCompanies(csv), { maxBriefings })),
      runKey,
    });
    const { type, message, nonRetryable } = await failure(harness.perform('draftOrder', limited(2)));
    expect({ type, nonRetryable }).toEqual({ type: 'LimitExceeded', nonRetryable: true });
    expect(message).toContain(
      'found 3 companies to enrich, and limits.max_briefings_per_run allows 2: nothing was ordered. Enrich fewer',
    );
    expect(message).not.toContain('Geheim');
    expect(await harness.ledger.drafts.count(runKey)).toBe(0);
    expect((await harness.perform('draftOrder', limited(3))).rows).toBe(3);
  });

  it('ends the run, and keeps the worker alive, when the file exceeds a limit', async () => {
    const harness = await createActivityHarness();
    const { folder, perform } = harness;
    const columns = Array.from({ length: 20_000 }, (_, index) => `c${index}`).join();
    const csv = harness.file('wide.csv', [
      `company_name,${columns}`,
      ...Array.from({ length: 40_000 }, () => 'Geheim'),
    ]);
    const xlsx = join(folder, 'wide.xlsx');
    const row = '<row><c r="A2"><v>1</v></c><c r="XFD2"><v>1</v></c></row>';
    craftXlsx(xlsx, { begin: header, piece: row.repeat(1_000), times: 200, end: '' });
    for (const companies of [fileCompanies(csv), fileCompanies(xlsx, { from: 'xlsx' })]) {
      const drafting = perform('draftOrder', { run: harness.configureRun(enrichment(companies)), runKey });
      const { type, nonRetryable, message } = await failure(drafting);
      expect({ type, nonRetryable }).toEqual({ type: 'FileTooLarge', nonRetryable: true });
      expect(message).toMatch(/1,000.*take out columns that are not needed\. Change the file /);
      expect(message).not.toContain('Geheim');
    }
  });

  const websites = ['keine', 'http://', 'www.a b.example', 'a.example;b'];
  const longCells = Array.from({ length: 9 }, () => 'Geheim'.repeat(10_900)).join();
  const longNames = Array.from({ length: 900 }, (_, index) => `Column ${index} ${'x'.repeat(80)}`).join();

  type Refused = [string, string, string, string | (() => string[]), string];
  const oversized: Refused = [
    'few rows of very many characters',
    'FileTooLarge',
    'company_name,1,2,3,4,5,6,7,8,9',
    () => Array.from({ length: 175 }, () => `Acme,${longCells}`),
    'its rows have more than 100,000,000 characters',
  ];
  it.each<Refused>([
    ['no companies', 'SourceEmpty', 'company_name', () => [], ''],
    [
      'a website of another protocol',
      'FileRefused',
      'company_name,website_url',
      'Geheim,ftp://geheim.example',
      'row 2: website_url: must start with',
    ],
    [
      'a website with a password',
      'FileRefused',
      'company_name,website_url',
      'Two,https://user:geheim@two.example',
      'row 2: website_url: a user name or a password is in the address',
    ],
    ...websites.map((website): [string, string, string, string, string] => [
      `${website} as a website`,
      'FileRefused',
      'company_name,website_url',
      `Geheim,${website}`,
      'row 2: website_url: not a valid web address, for example www.example.com',
    ]),
    ['hundreds of unknown columns', 'FileRefused', `Firma,${longNames}`, 'Acme', 'and 851 more'],
    ...(isWholeDomain ? [oversized] : []),
  ])(
    'ends the run when the file has %s, with a short message that quotes no cell',
    async (_, type, head, rows, text) => {
      const harness = await createActivityHarness();
      const csv = harness.file('companies.csv', [head, ...(typeof rows === 'string' ? [rows] : rows())]);
      const run = harness.configureRun(enrichment(fileCompanies(csv)));
      const refused = await failure(harness.perform('draftOrder', { run, runKey }));
      expect(refused).toMatchObject({ type, nonRetryable: true, message: expect.stringContaining(text) });
      expect(refused.message).not.toMatch(/geheim/i);
      expect(refused.message.length).toBeLessThan(5_000);
    },
  );
});

/** A typical file of a German sales team: a title above the header, blank rows, dates, numbers, umlauts. */
const germanRows: CellValue[][] = [
  ['Kundenliste 2026'],
  [],
  ['Firma', 'Website', 'Ort', 'Kundennummer', 'Umsatz', 'Letzter Kontakt', 'Notiz'],
  [
    'Müller & Söhne GmbH',
    'www.mueller-soehne.example',
    'Köln',
    1001,
    1_250_000.5,
    new Date('2026-03-31T00:00:00Z'),
    '=1+1',
  ],
  [],
  ['Größe AG', 'groesse.example', 'Zürich', 1002, -300, null, null],
  [null, ' '],
  ['Ölfeld KG', null, 'Wien', 1003, 0, new Date('2026-01-05T00:00:00Z'), 'ruft zurück'],
];
const germanColumns = { company_name: 'Firma', website_url: 'Website', city: 'Ort', external_id: 'Kundennummer' };

describe('draftOrder with a German Excel file', () => {
  const orderGerman = async (harness: ActivityHarness, source: Partial<FileCompanies> = {}) => {
    const path = join(harness.folder, 'kunden.xlsx');
    const xlsx = await writeWorkbook(path, { Notizen: [['x']], Kunden: germanRows });
    const german = enrichment(
      fileCompanies(xlsx, { from: 'xlsx', sheet: 'Kunden', headerRow: 3, columns: germanColumns, ...source }),
    );
    const draft = await harness.perform('draftOrder', { run: harness.configureRun(german), runKey });
    return { german, draft };
  };

  it('rejects the file until its columns are mapped, and orders nothing', async () => {
    const harness = await createActivityHarness();
    const { type, message } = await failure(orderGerman(harness, { columns: {} }));
    expect(type).toBe('FileRefused');
    expect(message).toContain(
      'Set runs.weekly.companies.columns: {company_name: Firma, website_url: Website, city: Ort, external_id: Kundennummer}',
    );
    expect(message).toContain('The header was read from sheet "Kunden", row 3; set sheet or header_row to use another');
    expect(message).toContain('No order was placed');
    expect(message).not.toMatch(/Müller|groesse/);
    expect(await harness.ledger.drafts.count(runKey)).toBe(0);
  });

  it('orders the rows of the file, and counts what it read', async () => {
    const harness = await createActivityHarness();
    const { draft } = await orderGerman(harness);
    const columns = { used: germanColumns, ignored: ['Umsatz', 'Letzter Kontakt', 'Notiz'] };
    expect(draft).toEqual({
      rows: 3,
      unusable: 0,
      source: { kind: 'xlsx', rows: 5, blank: 2, unusable: 0, ordered: 3, columns },
    });
    expect(await harness.ledger.drafts.read(runKey)).toEqual([
      {
        company_name: 'Müller & Söhne GmbH',
        website_url: 'www.mueller-soehne.example',
        city: 'Köln',
        external_id: '1001',
      },
      { company_name: 'Größe AG', website_url: 'https://groesse.example', city: 'Zürich', external_id: '1002' },
      { company_name: 'Ölfeld KG', city: 'Wien', external_id: '1003' },
    ]);
  });

  it('names invalid rows by their row numbers in Excel', async () => {
    const harness = await createActivityHarness();
    const rows = [...germanRows, [], ['', 'x.example'], ['Y', 'ftp://y.example']];
    const xlsx = await writeWorkbook(join(harness.folder, 'broken.xlsx'), { Kunden: rows });
    const { message } = await failure(orderGerman(harness, { path: xlsx }));
    expect(message).toContain('row 10: company_name: ');
    expect(message).toContain('row 11: website_url: ');
  });

  it.each(['csv', 'xlsx'] as const)('writes the results beside the columns of the file, as %s', async (kind) => {
    const harness = await createActivityHarness();
    const { perform, ledger, pass, folder } = harness;
    const { german } = await orderGerman(harness);
    const spreadsheets: SpreadsheetPlan = { directory: join(folder, 'out'), kinds: [kind], rows: 'slot' };
    const run = harness.configureRun({ ...german, delivery: { ...german.delivery, spreadsheets } });
    await harness.storeProfile(german);
    const { orderId } = await perform('placeOrder', { run, runKey });
    pass(4);
    const { total } = await perform('awaitPublication', { orderId, runName: 'weekly' });
    await perform('collectResults', { orderId, from: 0, to: total });
    expect(await perform('summarizeSlots', { orderId })).toMatchObject({ ordered: 3 });
    const path = (await perform('writeSpreadsheet', { orderId, runName: 'weekly', kind }))?.path ?? '';
    const own = [
      'Source Row',
      'Firma',
      'Website (source)',
      'Ort',
      'Kundennummer',
      'Umsatz',
      'Letzter Kontakt',
      'Notiz',
    ];
    const [first] = kind === 'csv' ? await csvRows(path) : await xlsxRows(path);
    expect(Object.keys(first ?? {}).slice(0, 10)).toEqual([...own, 'Position', 'External Id']);
    expect(first).toMatchObject(
      kind === 'csv'
        ? {
            'Source Row': '4',
            Firma: 'Müller & Söhne GmbH',
            Umsatz: '1250000.5',
            'Letzter Kontakt': '2026-03-31',
            Notiz: '=1+1',
          }
        : {
            'Source Row': 4,
            Firma: 'Müller & Söhne GmbH',
            Umsatz: 1_250_000.5,
            'Letzter Kontakt': new Date('2026-03-31T00:00:00Z'),
            Notiz: '=1+1',
          },
    );
    expect(first).toMatchObject({ 'Result Status': expect.any(String), 'External Id': '1001' });
    expect(await ledger.drafts.ofOrder(orderId)).toMatchObject({
      draftId: runKey,
      headers: own.slice(1).map((header) => header.replace(' (source)', '')),
    });
  });
});

async function csvRows(path: string) {
  const lines = (await readFile(path, 'utf8')).split('\r\n');
  expect(lines[1]).toContain(`,"'=1+1",`);
  expect(lines[2]).toContain(',-300,');
  return readRecords(readCsv(path));
}

async function xlsxRows(path: string) {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(path);
  const sheet = workbook.worksheets[0];
  const headers = sheet?.getRow(1).values as string[];
  const values = sheet?.getRow(2).values as CellValue[];
  return [Object.fromEntries(headers.map((header, index) => [header, values[index]] as const).slice(1))];
}

describe('draftOrder with rows that are judged together', () => {
  const lines = [
    'company_name,website_url,city,external_id',
    'Alpha GmbH,alpha.example,Ulm,A1',
    'ALPHA  GmbH,https://www.alpha.example/,ulm,A2',
    'Alpha Bern AG,alpha.example,Bern,A3',
    'Beta AG,,,A4',
    'Beta AG,,,A5',
    'Beta AG,,Bern,A6',
  ];

  it('announces rows that repeat an earlier one, and leaves out the certain ones where repeated_rows is reject', async () => {
    const harness = await createActivityHarness();
    const csv = harness.file('companies.csv', lines);
    const ordered = await harness.perform('draftOrder', {
      run: harness.configureRun(enrichment(fileCompanies(csv))),
      runKey,
    });
    expect(ordered.source).toMatchObject({ ordered: 6, repeated: { rows: 3, first: [3, 6, 7] } });
    const rejecting = enrichment(fileCompanies(csv, { repeatedRows: 'reject' }), toFolder(harness));
    const run = harness.configureRun(rejecting);
    const { source } = await harness.perform('draftOrder', { run, runKey: `${runKey}/other` });
    expect(source).toMatchObject({ ordered: 4, rejected: { rows: 2 }, repeated: { rows: 1, first: [7] } });
    expect(toSourceText(source)).toContain(
      'rows that repeat an earlier row, and are ordered too: 1 (row 7). repeated_rows: reject leaves out those that certainly do',
    );
    expect(await readFile(source.rejected?.file ?? '', 'utf8')).toMatch(/3,"repeats row 2",.*\r\n6,"repeats row 5",/);
    expect((await harness.ledger.drafts.read(`${runKey}/other`)).map((row) => row.external_id)).toEqual([
      'A1',
      'A3',
      'A4',
      'A6',
    ]);
  });

  it.each([
    [
      'the domain and the city are the same, however the name is written',
      ['Jäger Gießerei GmbH,www.jaeger.example,Gießen,', 'JÄGER GIESSEREI,https://JAEGER.example/kontakt,GIESSEN,'],
    ],
    [
      'name, city and country are the same and neither has an own domain',
      ['Groß AG,linkedin.com/company/gross,Bern,CH', 'GROSS AG,info@gmail.com,bern,ch'],
    ],
  ])('announces a row as a repeat when %s', async (_, companies) => {
    const harness = await createActivityHarness();
    const others = ['Gross AG,,Bern,AT', 'Jäger,jaeger.example,Ulm,', 'One,one.wixsite.com,,', 'Two,two.wixsite.com,,'];
    const csv = harness.file('companies.csv', ['company_name,website_url,city,country', ...companies, ...others]);
    const { source } = await harness.perform('draftOrder', {
      run: harness.configureRun(enrichment(fileCompanies(csv))),
      runKey,
    });
    expect(source).toMatchObject({ ordered: 6, repeated: { rows: 1, first: [3] } });
  });

  it('announces rows with the external id of an earlier row of another company, but not of a repeated one', async () => {
    const harness = await createActivityHarness();
    const csv = harness.file('companies.csv', [
      'company_name,website_url,city,external_id',
      'Alpha,alpha.example,Ulm,1',
      'ALPHA,www.alpha.example,,1',
      'Beta,beta.example,Ulm,1',
      'Gamma,,,',
      'Delta,,,',
      'Epsilon,,,2',
      'Zeta,,,2',
    ]);
    const { source } = await harness.perform('draftOrder', {
      run: harness.configureRun(enrichment(fileCompanies(csv))),
      runKey,
    });
    expect(source).toMatchObject({ ordered: 7, repeated: { rows: 1 }, sharedIds: { rows: 2, first: [4, 8] } });
    expect(toSourceText(source)).toContain(
      'rows with the external id of an earlier row of another company: 2 (row 4, 8). The id alone identifies none of them: another column may have been read as external_id',
    );
  });

  it('names no row as ordered that is left out', async () => {
    const harness = await createActivityHarness();
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('Kunden');
    const [alpha, beta] = [
      ['Alpha', 'alpha.example'],
      ['Beta', 'beta.example'],
    ];
    sheet.addRows([['company_name', 'website_url', 'Status'], alpha, beta, alpha, beta]);
    for (const row of [4, 5]) sheet.getCell(row, 3).value = 'gesperrt';
    for (const row of [2, 3]) sheet.getRow(row).hidden = true;
    const file = harness.file('hidden.xlsx', []);
    await workbook.xlsx.writeFile(file);
    const run = harness.configureRun(enrichment(fileCompanies(file, { from: 'xlsx' })));
    const before = await harness.perform('draftOrder', { run, runKey });
    expect(before.source).toMatchObject({
      hidden: 2,
      repeated: { rows: 2, first: [4, 5] },
      doNotContact: { rows: 2, first: [4, 5], columns: ['Status'] },
    });
    const identifier = { kind: 'domain', value: 'alpha.example' } as const;
    await harness.ledger.suppressions.add({ identifier, at: '2026-11-20T12:00:00Z', by: 'Olga', reason: 'asked' });
    const { source } = await harness.perform('draftOrder', { run, runKey: `${runKey}/suppressed` });
    expect(source).toMatchObject({
      ordered: 2,
      hidden: 1,
      repeated: { rows: 1, first: [5] },
      doNotContact: { rows: 1, first: [5], columns: ['Status'] },
    });
  });

  it('announces websites at a mailbox provider or a shared host, and email addresses whose domains are read', async () => {
    const harness = await createActivityHarness();
    const csv = harness.file('companies.csv', [
      'company_name,website_url',
      'One,gmail.com',
      'Two,https://www.linkedin.com/company/two',
      'Three,info@gmail.com',
      'Four,info@alpha.example',
      'Five,https://five.example/@five',
      'Six,six.wixsite.com',
      'Seven,https://app-eu1.hubspot.com/contacts/1/company/2',
    ]);
    const { source } = await harness.perform('draftOrder', {
      run: harness.configureRun(enrichment(fileCompanies(csv))),
      runKey,
    });
    expect(toSourceText(source)).toEqual(
      expect.arrayContaining([
        "websites at a mailbox provider or a shared host: 4 (row 2, 3, 4, 8). Replace them by the companies' own, or leave the cells empty",
        'email addresses in place of websites, whose domains are read: 1 (row 5)',
      ]),
    );
  });

  it('announces rows of 20 different names with one website', async () => {
    const harness = await createActivityHarness();
    const announced = async (names: number) => {
      const rows = Array.from({ length: names }, (_, index) => `Company ${index},agency.de,City ${index}`);
      const csv = harness.file('companies.csv', ['company_name,website_url,city', ...rows]);
      const run = harness.configureRun(enrichment(fileCompanies(csv)));
      return (await harness.perform('draftOrder', { run, runKey: `run/weekly/${names}` })).source;
    };
    expect(await announced(20)).toMatchObject({ crowdedWebsites: { rows: 20, first: [2, 3, 4, 5, 6] } });
    expect(await announced(19)).not.toHaveProperty('crowdedWebsites');
  });

  it('announces values of rows that are hardly right beside their neighbours, tests and persons as names, and ids that are personal data', async () => {
    const harness = await createActivityHarness();
    const csv = harness.file('companies.csv', [
      'company_name,website_url,external_id',
      'Alpha AG,beta.de,1',
      'Beta AG,gamma.de,2',
      'Gamma AG,delta.de,3',
      'Delta AG,,4',
      'Filiale 1,page1.de,5',
      'Filiale 2,page2.de,6',
      'Filiale 3,page3.de,7',
      'Test GmbH,,jane@alpha.example',
      'Frau Jane Doe,,+49 711 55012',
      'One,directory.de/1,8',
      'Two,directory.de/2,9',
      'Three,directory.de/3,10',
    ]);
    const run = harness.configureRun(enrichment(fileCompanies(csv)));
    const { source } = await harness.perform('draftOrder', { run, runKey });
    expect(source).toMatchObject({ ordered: 12 });
    const filled = 'differ only in a number that grows by one: 3 (row 6, 7, 8). A spreadsheet program may have filled';
    expect(toSourceText(source)).toEqual(
      expect.arrayContaining([
        'rows of several different names with one website: 3 (row 11, 12, 13). It may be a directory, a link of a mail filter, or filled in for all of them: replace it by their own websites, or leave the cells empty',
        'rows whose website fits the name of another row, mostly that above or below, and not their own: 3 (row 2, 3, 4). One of the two columns was probably moved or sorted alone: compare them with the original',
        expect.stringContaining(`consecutive rows whose websites ${filled}`),
        expect.stringContaining(`consecutive rows whose names ${filled}`),
        'rows whose name is hardly that of a company (a test or an example such as Test GmbH, asdf or e.g. Acme, a word such as TRUE, tbd, ditto or none, a collective account, a mark such as duplicate, customer, do not use, do not contact, insolvent, // or #, a person with a salutation): 2 (row 9, 10). Take them out of the source, or correct company_name',
        'external ids that are an email address or a telephone number: 2 (row 9, 10). Ids are sent to the service and shown by commands: use the numbers of the system that has the companies',
      ]),
    );
    expect(JSON.stringify(source)).not.toMatch(/jane|55012/i);
  });

  it('announces the 15 repeated rows of a German list of customers', async () => {
    const { configureRun, perform } = await createActivityHarness();
    const columns = {
      company_name: 'Firmenname',
      website_url: 'Webseite',
      city: 'Ort',
      country: 'Land',
      external_id: 'Kd.-Nr.',
    };
    const xlsx = join(import.meta.dirname, '../fixtures/source-files/kundenstamm.xlsx');
    const run = configureRun(
      enrichment(fileCompanies(xlsx, { from: 'xlsx', sheet: 'Kundenstamm', headerRow: 3, columns })),
    );
    const { source } = await perform('draftOrder', { run, runKey });
    expect(source).toMatchObject({ ordered: 200, repeated: { rows: 15, first: [193, 194, 195, 196, 197] } });
  });

  it('refuses record ids that name no company of HubSpot, or leaves their rows out where bad_rows is reject', async () => {
    const harness = await createActivityHarness();
    const [id = ''] = await harness.createRecords('companies', [{ name: 'Known', domain: 'known.example' }]);
    const csv = harness.file('companies.csv', [
      'company_name,external_id',
      `Known,${id}`,
      'New,',
      'Geheim,99',
      'Else,K-7',
      `Twice,${id}`,
    ]);
    const recordIds = (companies: Partial<FileCompanies>) =>
      harness.configureRun(enrichment(fileCompanies(csv, companies), toFolder(harness, true)));
    const { type, message } = await failure(harness.perform('draftOrder', { run: recordIds({}), runKey }));
    expect(type).toBe('FileRefused');
    expect(message).toContain(
      'rows whose external_id names no company of HubSpot: 2 (row 4, 5), of 5. Correct them; or set runs.weekly.companies.external_ids: other, if they are ids of another system; or runs.weekly.companies.bad_rows: reject, to leave these rows out',
    );
    expect(message).not.toContain('Geheim');
    const { source } = await harness.perform('draftOrder', { run: recordIds({ badRows: 'reject' }), runKey });
    expect(source).toMatchObject({ ordered: 3, rejected: { rows: 2 }, repeated: { rows: 1, first: [6] } });
    const unknown = harness.file('unknown.csv', ['company_name,external_id', 'Else,98']);
    const rejecting = { run: recordIds({ path: unknown, badRows: 'reject' }), runKey: `${runKey}/other` };
    expect(await failure(harness.perform('draftOrder', rejecting))).toMatchObject({ type: 'AllRowsRejected' });
  });

  it('refuses record ids of the companies of their rows when external_ids is not set', async () => {
    const harness = await createActivityHarness();
    const [alpha, beta, gamma] = await harness.createRecords('companies', [
      { name: 'Alpha GmbH', domain: 'alpha.example' },
      { name: 'Geheim AG', domain: 'beta.example' },
      { name: 'Gamma KG', domain: 'gamma.example' },
    ]);
    const draft = (lines: readonly string[], externalIds: FileCompanies['externalIds'] = null) => {
      const csv = harness.file('companies.csv', ['company_name,website_url,external_id', ...lines]);
      const run = harness.configureRun(enrichment(fileCompanies(csv, { externalIds }), toFolder(harness)));
      return harness.perform('draftOrder', { run, runKey: `${runKey}/${lines.length}/${externalIds}` });
    };
    const ofRows = [`Alpha,moved.example,${alpha}`, `Renamed,beta.example,${beta}`];
    const ofOthers = [`Else,else.example,${gamma}`, 'New,new.example,', 'Other,other.example,K-7'];
    const { type, message } = await failure(draft([...ofRows, ...ofOthers]));
    expect(type).toBe('FileRefused');
    expect(message).toContain(
      'rows whose external_id is the HubSpot record id of the same company: 2 (row 2, 3), of 3 that were compared. Set runs.weekly.companies.external_ids: record_id, so that these records are updated; or runs.weekly.companies.external_ids: other, if they are ids of another system',
    );
    expect(message).not.toContain('Geheim');
    expect(await draft([...ofRows, ...ofOthers], 'other')).toMatchObject({ rows: 5 });
    expect(await draft(ofOthers)).toMatchObject({ rows: 3 });
  });

  it('announces rows whose HubSpot record has another name, and another domain or none to compare', async () => {
    const harness = await createActivityHarness();
    const [alpha, beta, gamma, nameless] = await harness.createRecords('companies', [
      { name: 'Alpha GmbH', domain: 'alpha.example', hs_additional_domains: 'alpha-old.example' },
      { name: 'Beta AG', domain: 'beta.example' },
      { name: 'Gamma KG' },
      { domain: 'delta.example' },
    ]);
    const csv = harness.file('companies.csv', [
      'company_name,website_url,external_id',
      `Beta AG,beta.example,${alpha}`,
      `Alpha,else.example,${alpha}`,
      `Renamed,https://www.alpha-old.example/de,${alpha}`,
      `Alpha GmbH,alpha.example,${beta}`,
      `Other,,${beta}`,
      `Shop,shop.beta.example,${beta}`,
      `Else,linkedin.com/company/else,${beta}`,
      `Else,else.example,${gamma}`,
      `Third,third.example,${nameless}`,
      `Gamma,,${gamma}`,
      `Béta GmbH,,${beta}`,
    ]);
    const run = harness.configureRun(enrichment(fileCompanies(csv), toFolder(harness, true)));
    const { source } = await harness.perform('draftOrder', { run, runKey });
    expect(source).toMatchObject({ ordered: 11, otherRecords: { rows: 5, first: [2, 5, 6, 8, 9] } });
    expect(toSourceText(source)).toContain(
      'rows whose HubSpot record has another name, and another domain or none to compare: 5 (row 2, 5, 6, 8, 9). Their results would be written to these records: correct external_id where the record is another company',
    );
  });

  function toFolder({ folder }: ActivityHarness, externalIdsAreRecordIds = false): Partial<RunPlan> {
    return {
      delivery: { ...crmDelivery, evidenceDirectory: folder, externalIdsAreRecordIds },
    };
  }
});

describe('draftOrder with a source that is not a regular file', () => {
  it('rejects a named pipe and does not wait for it', async () => {
    const { configureRun, folder, perform } = await createActivityHarness();
    const fifo = join(folder, 'companies.csv');
    execFileSync('mkfifo', [fifo]);
    const run = configureRun(plan({ kind: 'enrichment', companies: fileCompanies(fifo) }));
    const { type, message } = await failure(perform('draftOrder', { run, runKey: 'a' }));
    expect(type).toBe('FileFailed');
    expect(message).toContain('it is not a regular file');
  });
});
