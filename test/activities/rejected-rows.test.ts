// Invalid rows of an enrichment that are left out and listed in a file.
import { defaultReplyPolicy } from '../../src/config/reply-policy.ts';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { forget, previewForget } from '../../src/delivery/erasure/forget.ts';
import type { RunPlan } from '../../src/config/run-plan.ts';
import type { CompaniesSource } from '../../src/config/enrichment-source-settings.ts';
import { checkSource } from '../../src/cli/preflight/source-checks.ts';
import { toSourceText } from '../../src/proof/report/source-text.ts';
import { germanCsvForm } from '../../src/base/spreadsheet/csv-form.ts';
import { createActivityHarness, failure, plan, type ActivityHarness } from './activity-harness.ts';
import { readRefusal } from '../../src/replies/refusal.ts';
import { fileCompanies } from '../helpers/companies-source.ts';

const runKey = 'run/weekly/2026-11-20#1';
const lines = [
  'company_name,website_url,Mail,Source Row',
  'One,one.example,jane@one.example,x',
  'Geheim,ftp://geheim.example,jane@geheim.example,=1+1',
  ',two.example,joe@two.example,',
];

function enrichment({ folder }: ActivityHarness, companies: CompaniesSource): RunPlan {
  return plan({
    kind: 'enrichment',
    briefingQuantity: null,
    companies,
    delivery: {
      crm: null,
      lists: null,
      spreadsheets: null,
      serviceOutputs: null,
      evidenceDirectory: join(folder, 'out'),
      externalIdsAreRecordIds: false,
    },
  });
}

async function draftRejected() {
  const harness = await createActivityHarness();
  const csv = harness.file('companies.csv', lines);
  const input = { run: harness.configureRun(enrichment(harness, fileCompanies(csv, { badRows: 'reject' }))), runKey };
  const path = join(harness.folder, 'out', 'weekly-2026-11-20-1-rejects.csv');
  return { ...harness, csv, input, path, draft: await harness.perform('draftOrder', input) };
}

describe('draftOrder after a company was forgotten', () => {
  // Guarantee: A forgotten company is not bought again
  it('does not order its row, which the check before names by its number, and keeps none of its values', async () => {
    const harness = await createActivityHarness();
    const { ledger, hubspot } = harness;
    await ledger.tombstones.add([{ kind: 'domain', value: 'geheim.example' }], new Date().toISOString());
    const companies = [
      'company_name,website_url,remark',
      'One,one.example,',
      'Geheim,https://shop.geheim.example,secret',
    ];
    const run = enrichment(harness, fileCompanies(harness.file('companies.csv', companies)));
    const context = { signal: new AbortController().signal, recordProgress: () => {} };
    const note =
      'rows of companies that were forgotten, which are not ordered: 1 (row 3). Their results would not be stored: take the rows out of the source';
    const checked = await checkSource({ hubspot, ledger, context }, run, 'start');
    expect(checked?.check.message).toContain(`2 rows, 1 excluded by forgotten, 1 ordered; ${note}`);
    expect(checked?.check.state).toBe('ok');
    // `doctor` shows it among many checks.
    expect((await checkSource({ hubspot, ledger, context }, run, 'check'))?.check.state).toBe('warning');
    const draft = await harness.perform('draftOrder', { run: harness.configureRun(run), runKey });
    expect(draft).toMatchObject({ rows: 1, source: { ordered: 1, forgotten: { rows: 1, first: [3] } } });
    expect(toSourceText(draft.source)).toContain(note);
    const excluded = new DatabaseSync(join(harness.folder, 'ledger.db')).prepare('select * from excluded_rows').all();
    expect(excluded).toMatchObject([{ exclusion: 'forgotten', source_row: 3, json: '{}' }]);
  });
});

describe('draftOrder with bad_rows: reject', () => {
  it('orders the valid rows, and lists the others with number, reasons and cells for the owner only', async () => {
    const { draft, path, ledger } = await draftRejected();
    const rejected = { rows: 2, file: path };
    expect(draft).toMatchObject({ rows: 1, source: { rows: 3, blank: 0, ordered: 1, rejected } });
    expect(await ledger.drafts.read(runKey)).toHaveLength(1);
    const [header, first, second] = readFileSync(path, 'utf8').slice(1).split('\r\n');
    expect(header).toBe('"Source Row","Reasons","company_name","website_url","Mail","Source Row (source)"');
    expect(first).toMatch(
      /^3,"website_url: must start with .*","Geheim","ftp:\/\/geheim\.example","jane@geheim\.example","'=1\+1"$/,
    );
    expect(second).toMatch(/^4,"company_name: .*",,"two\.example","joe@two\.example",$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(path, '..'))).toEqual(['weekly-2026-11-20-1-rejects.csv']);
    expect(toSourceText(draft.source).slice(0, 2)).toEqual([
      '3 rows, 2 rejected, 1 ordered',
      `2 rows rejected: ${path}`,
    ]);
    expect(JSON.stringify(draft)).not.toMatch(/geheim|jane/i);
  });

  it('writes the file in the form of the CSV files of the run, also again after the setting has changed', async () => {
    const harness = await createActivityHarness();
    const source = fileCompanies(harness.file('companies.csv', lines), { badRows: 'reject' });
    const run = enrichment(harness, source);
    const spreadsheets = { directory: harness.folder, kinds: ['csv'], rows: 'slot', csv: germanCsvForm } as const;
    const input = { run: harness.configureRun({ ...run, delivery: { ...run.delivery, spreadsheets } }), runKey };
    const { rejected } = (await harness.perform('draftOrder', input)).source;
    const path = rejected?.file ?? '';
    const written = readFileSync(path, 'utf8');
    expect(written).toMatch(/^\uFEFF"Source Row";"Reasons";"company_name";/);
    rmSync(path);
    await harness.perform('draftOrder', { run: harness.configureRun(run), runKey }, { attempt: 2 });
    expect(readFileSync(path, 'utf8')).toBe(written);
  });

  it('writes the same file again when it is lost before a retry, also after the source has changed', async () => {
    const { perform, path, input, csv } = await draftRejected();
    const bytes = readFileSync(path);
    rmSync(path);
    writeFileSync(csv, 'company_name\nOther');
    const again = await perform('draftOrder', input, { attempt: 2 });
    expect(again.source.rejected).toEqual({ rows: 2, file: path });
    expect(readFileSync(path).equals(bytes)).toBe(true);
    const { mtimeMs } = statSync(path);
    await perform('draftOrder', input, { attempt: 3 });
    expect(statSync(path).mtimeMs).toBe(mtimeMs);
  });

  it('ends the run with one message when all rows are invalid', async () => {
    const harness = await createActivityHarness();
    const csv = harness.file('companies.csv', ['company_name,website_url', ...Array(30).fill('Geheim,ftp://x')]);
    const run = harness.configureRun(enrichment(harness, fileCompanies(csv, { badRows: 'reject' })));
    const { type, message, nonRetryable } = await failure(harness.perform('draftOrder', { run, runKey }));
    expect({ type, nonRetryable }).toEqual({ type: 'AllRowsRejected', nonRetryable: true });
    expect(message).toContain(`all 30 rows of ${csv} are invalid: row 2: website_url`);
    expect(message).toContain('row 6:');
    expect(message).not.toMatch(/row 7:|Geheim/);
    expect(await harness.ledger.drafts.source(runKey)).toBeNull();
  });

  it('rejects rows of a query by their number in the result', async () => {
    const harness = await createActivityHarness();
    const sqlite = join(harness.folder, 'crm.db');
    const database = new DatabaseSync(sqlite);
    database.exec(`create table a (n text, w text); insert into a values ('One', null), ('Two', 'ftp://two')`);
    database.close();
    const sql = { database: { sqlite }, query: 'select n as company_name, w as website_url from a order by n' };
    const table = { externalIds: 'other', columns: null, badRows: 'reject', repeatedRows: 'order' } as const;
    const run = harness.configureRun(enrichment(harness, { from: 'sql', sql, ...table }));
    const { rows, source } = await harness.perform('draftOrder', { run, runKey });
    expect([rows, source.kind, source.rejected?.rows]).toEqual([1, 'sql', 1]);
    expect(readFileSync(source.rejected?.file ?? '', 'utf8')).toContain('\r\n2,"website_url');
  });

  it('leaves out a forgotten company from the file, and leaves a file that the user has changed', async () => {
    const { ledger, path } = await draftRejected();
    const context = {
      readRefusal: (body: string | null) => readRefusal(body, defaultReplyPolicy),
      now: () => new Date(),
      signal: new AbortController().signal,
    };
    const jane = { kind: 'email', value: 'jane@geheim.example' } as const;
    expect(await previewForget(ledger, jane)).toMatchObject({ files: [path] });
    const { files } = await forget(ledger, [jane], context);
    expect(files).toEqual({ rewritten: [path], deleted: [], left: [] });
    expect(readFileSync(path, 'utf8')).not.toMatch(/geheim/i);
    expect(readFileSync(path, 'utf8')).toContain('joe@two.example');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    writeFileSync(path, 'changed');
    const joe = { kind: 'email', value: 'joe@two.example' } as const;
    expect((await forget(ledger, [joe], context)).files.left).toEqual([path]);
    expect(readFileSync(path, 'utf8')).toBe('changed');
  });

  it('deletes the file when all of its rows have expired', async () => {
    const { ledger, path } = await draftRejected();
    const { applyRetention } = await import('../../src/delivery/erasure/retention.ts');
    const signal = new AbortController().signal;
    const years = (count: number) => () => new Date(Date.now() + count * 365 * 86_400_000);
    // A draft without an order has no time: it expires by the time at which retention has first seen it.
    await applyRetention(ledger, 1, { now: years(1), signal });
    const { files } = await applyRetention(ledger, 1, { now: years(3), signal });
    expect(files.deleted).toEqual([path]);
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });
});
