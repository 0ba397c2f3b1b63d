import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { germanCsvForm, type CsvForm } from '../../src/base/spreadsheet/csv-form.ts';
import { readXlsx } from '../../src/base/spreadsheet/read-xlsx.ts';
import type { SourceCell } from '../../src/base/spreadsheet/table.ts';
import { forget } from '../../src/delivery/erasure/forget.ts';
import type { CompanyRow } from '../../src/service/contract/index.ts';
import type { ExcludedRow } from '../../src/ledger/draft-store.ts';
import type { Identifier } from '../../src/ledger/redaction/identifiers.ts';
import { fileCompanies } from '../helpers/companies-source.ts';
import { readCsv } from '../../src/base/spreadsheet/read-csv.ts';
import { checkFiles } from '../../src/proof/reconcile/reconcile-files.ts';
import { createActivityHarness, plan, type ActivityHarness } from './activity-harness.ts';

const kinds = ['csv', 'xlsx'] as const;

async function columnsOf(path: string): Promise<readonly string[]> {
  for await (const { headers } of readCsv(path)) return headers;
  return [];
}

async function withDecimalScores(request: Request, fetch: (request: Request) => Promise<Response>): Promise<Response> {
  const response = await fetch(request);
  const text = (await response.text()).replaceAll(/("fit_score": ?\d+)/g, '$1.5');
  const { status, headers } = response;
  return new Response(status === 204 ? null : text, {
    status,
    headers: [...headers].filter(([name]) => name !== 'content-length'),
  });
}

function checkFilesOf({ ledger, prospecting, hubspot }: ActivityHarness, orderId: string) {
  const context = { ledger, prospecting, hubspot, now: () => new Date(), recordProgress: () => {} };
  return checkFiles({ ...context, signal: new AbortController().signal }, orderId, null);
}

describe('rewriteSpreadsheets', () => {
  it('writes the files where they are, with their own columns, also when the run has other ones or is removed', async () => {
    const harness = await createActivityHarness();
    const { perform, removeRun, folder } = harness;
    const { orderId } = await harness.collectDiscovery(3);
    const configure = (directory: string, columns: Record<string, string>) => {
      const spreadsheets = { directory, kinds, rows: 'slot', columns } as const;
      harness.configureRun(plan({ delivery: { ...plan().delivery, spreadsheets } }));
    };
    configure(folder, { Size: 'company.employee_count' });
    for (const kind of kinds)
      expect(await perform('writeSpreadsheet', { orderId, runName: 'weekly', kind })).toMatchObject({ kind, rows: 3 });
    configure('/elsewhere', { Town: 'company.city' });
    const path = join(folder, `${orderId}.csv`);
    const rewritten = { files: [{ path, kind: 'csv', rows: 3 }, { kind: 'xlsx' }] };
    expect(await perform('rewriteSpreadsheets', { orderId })).toMatchObject(rewritten);
    removeRun('weekly');
    expect(await perform('rewriteSpreadsheets', { orderId })).toMatchObject(rewritten);
    expect(await columnsOf(path)).toContain('Size');
    expect(await columnsOf(path)).not.toContain('Town');
  });

  it('keeps a file that a person has edited under another name, and a new file once', async () => {
    const harness = await createActivityHarness();
    const { perform, folder } = harness;
    const { orderId } = await harness.collectDiscovery(2);
    const spreadsheets = { directory: folder, kinds: ['csv'], rows: 'slot', columns: {} } as const;
    harness.configureRun(plan({ delivery: { ...plan().delivery, spreadsheets } }));
    const path = join(folder, `${orderId}.csv`);
    await perform('writeSpreadsheet', { orderId, runName: 'weekly', kind: 'csv' });
    const written = await readFile(path, 'utf8');
    await writeFile(path, `${written}a note of a person`);
    const { files } = await perform('rewriteSpreadsheets', { orderId });
    const kept = files[0]?.kept ?? '';
    expect(kept).toMatch(/\.edited-\d{4}-\d\d-\d\d-[0-9a-f]{8}\.csv$/);
    expect([await readFile(kept, 'utf8'), await readFile(path, 'utf8')]).toEqual([
      `${written}a note of a person`,
      written,
    ]);

    expect(files[0]).toMatchObject({ edited: true });

    // An attempt that died before it stored the digest has written the same bytes.
    await rm(path);
    const [file] = await harness.ledger.files.list(orderId);
    if (file !== undefined) await harness.ledger.files.save({ ...file, sha256: '0'.repeat(64) });
    await writeFile(path, written);
    expect((await perform('rewriteSpreadsheets', { orderId })).files).toEqual([{ path, kind: 'csv', rows: 2 }]);
    expect((await readdir(folder)).filter((name) => name.includes('edited'))).toHaveLength(1);
  });

  it('keeps the form of a CSV file after the setting has changed, and reconcile finds nothing about it', async () => {
    const harness = await createActivityHarness({ serviceFetch: withDecimalScores });
    const { perform, folder, ledger } = harness;
    const { orderId } = await harness.collectDiscovery(3);
    const configure = (csv?: CsvForm) => {
      const spreadsheets = {
        directory: folder,
        kinds,
        rows: 'slot',
        columns: {},
        ...(csv && { csv, language: 'de' as const }),
      } as const;
      harness.configureRun(plan({ delivery: { ...plan().delivery, spreadsheets } }));
    };
    configure(germanCsvForm);
    for (const kind of kinds) await perform('writeSpreadsheet', { orderId, runName: 'weekly', kind });
    const path = join(folder, `${orderId}.csv`);
    const written = await readFile(path, 'utf8');
    expect(written).toMatch(/^\uFEFF"Position";"Externe ID";"Ergebnis";[^]*;\d+,5;/);
    configure();
    const check = () => checkFilesOf(harness, orderId);
    expect(await check()).toEqual([]);
    await perform('rewriteSpreadsheets', { orderId });
    expect(await readFile(path, 'utf8')).toBe(written);
    expect((await ledger.files.list(orderId)).map(({ kind, content }) => [kind, content?.layout.csv])).toEqual([
      ['csv', germanCsvForm],
      ['xlsx', undefined],
    ]);
    await perform('writeSpreadsheet', { orderId, runName: 'weekly', kind: 'csv' });
    expect(await readFile(path, 'utf8')).toMatch(/^\uFEFF"Position","External Id",/);
    expect(await check()).toEqual([]);
  });

  /** Places an order of one row, and writes its files. */
  async function deliverFiles(ownCell: string, excluded: readonly ExcludedRow[]) {
    const harness = await createActivityHarness();
    const { perform, folder, ledger } = harness;
    const spreadsheets = { directory: folder, kinds, rows: 'slot', language: 'de' } as const;
    const companies = fileCompanies(harness.file('companies.csv', ['company_name', 'Acme']));
    const enrichment = { kind: 'enrichment', briefingQuantity: null, companies } as const;
    const run = plan({ ...enrichment, delivery: { ...plan().delivery, spreadsheets } });
    const started = harness.configureRun(run);
    await harness.storeProfile(run);
    const runKey = 'run/weekly#1';
    const report = { kind: 'csv', rows: 3, blank: 0, unusable: 0, ordered: 1, columns: null } as const;
    const ownJson = JSON.stringify([ownCell]);
    const rows = [{ position: 0, company: { company_name: 'Acme' }, sourceRow: 2, ownJson }];
    await ledger.drafts.save(runKey, rows, { report, headers: ['Note'] }, excluded);
    const { orderId } = await harness.collectOrder((await perform('placeOrder', { run: started, runKey })).orderId);
    for (const kind of kinds) await perform('writeSpreadsheet', { orderId, runName: 'weekly', kind });
    const context = { now: () => new Date(), signal: new AbortController().signal, readRefusal: () => [] };
    return {
      csv: join(folder, `${orderId}.csv`),
      xlsx: join(folder, `${orderId}.xlsx`),
      check: () => checkFilesOf(harness, orderId),
      forgetIn: async (identifier: Identifier) => (await forget(ledger, [identifier], context)).files.rewritten,
    };
  }

  it('lists excluded rows on a sheet of the Excel file, in the words of its language, without the names of an erased one', async () => {
    const excluded = (sourceRow: number, tier: ExcludedRow['tier'], company: CompanyRow) => {
      const entry = { exclusion: 'customers', entryId: `e${sourceRow}`, reason: `since ${sourceRow}` };
      return { sourceRow, company, tier, ...entry } as const;
    };
    const beta = { company_name: 'Beta', website_url: 'https://beta.example', city: 'Graz', external_id: '7' };
    const gamma = { company_name: 'Gamma', website_url: 'https://gamma.example' };
    const rows = [excluded(3, 'external_id', beta), excluded(4, 'name_and_city', gamma)];
    const { xlsx, forgetIn, check } = await deliverFiles('', rows);
    const sheetRows = async () => {
      const found: (readonly SourceCell[])[] = [];
      for await (const page of readXlsx(xlsx, { sheet: 'Ausgeschlossen' }))
        found.push(...page.rows.map(({ cells }) => cells));
      return found;
    };
    const ofGamma = [4, 'Gamma', '', '', 'customers', 'Name und Ort', 'since 4', 'e4'];
    const ofBeta = [3, 'Beta', 'Graz', '7', 'customers', 'Externe ID', 'since 3', 'e3'];
    expect(await sheetRows()).toEqual([ofBeta, ofGamma]);
    expect(await check()).toEqual([]);
    expect(await forgetIn({ kind: 'domain', value: 'beta.example' })).toEqual([xlsx]);
    expect(await sheetRows()).toEqual([[3, '', '', '', 'customers', 'Externe ID', '', 'e3'], ofGamma]);
  });

  it('writes files again in which only a cell of your own columns names the forgotten person', async () => {
    const { csv, xlsx, forgetIn } = await deliverFiles('ask ada@third.example', []);
    expect(await readFile(csv, 'utf8')).toContain('ada@third.example');
    expect(await forgetIn({ kind: 'email', value: 'ada@third.example' })).toEqual([csv, xlsx]);
    expect(await readFile(csv, 'utf8')).not.toContain('ada@third.example');
  });

  it('names the files as the run does', async () => {
    const harness = await createActivityHarness();
    const { perform, folder, ledger } = harness;
    const { orderId } = await harness.collectDiscovery(1);
    const { run } = await ledger.orderRequests.source(orderId);
    const spreadsheets = { directory: folder, kinds, rows: 'slot', fileName: '{order.run} {order.id}' } as const;
    harness.configureRun(plan({ delivery: { ...plan().delivery, spreadsheets } }));
    for (const kind of kinds) {
      const written = await perform('writeSpreadsheet', { orderId, runName: 'weekly', kind });
      expect(written?.path).toBe(join(folder, `${run === '' ? '' : `${run} `}${orderId}.${kind}`));
    }
  });

  it('writes nothing for an order without files', async () => {
    const harness = await createActivityHarness();
    const { orderId } = await harness.collectDiscovery(1);
    expect(await harness.perform('rewriteSpreadsheets', { orderId })).toEqual({ files: [] });
  });
});
