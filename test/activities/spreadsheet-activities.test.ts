import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCsv } from '../../src/base/spreadsheet/read-csv.ts';
import { createActivityHarness, plan } from './activity-harness.ts';

const kinds = ['csv', 'xlsx'] as const;

async function columnsOf(path: string): Promise<readonly string[]> {
  for await (const { headers } of readCsv(path)) return headers;
  return [];
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

  it('writes nothing for an order without files', async () => {
    const harness = await createActivityHarness();
    const { orderId } = await harness.collectDiscovery(1);
    expect(await harness.perform('rewriteSpreadsheets', { orderId })).toEqual({ files: [] });
  });
});
