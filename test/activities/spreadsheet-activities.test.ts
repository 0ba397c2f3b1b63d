import { join } from 'node:path';
import { readCsv } from '../../src/spreadsheet/read-csv.ts';
import { createActivityHarness, plan } from './activity-harness.ts';

const kinds = ['csv', 'xlsx'] as const;

/** An order whose files were written by a version that did not store their layout. */
async function createEarlierFiles() {
  const harness = await createActivityHarness();
  const { perform, ledger, folder } = harness;
  const { orderId } = await harness.collectDiscovery(3);
  const order = await ledger.orders.get(orderId);
  if (order !== undefined) await ledger.orders.save({ ...order, runName: 'weekly' });
  const spreadsheets = { directory: folder, kinds, rows: 'slot' } as const;
  harness.configureRun(plan({ delivery: { ...plan().delivery, spreadsheets } }));
  for (const kind of kinds)
    expect(await perform('writeSpreadsheet', { orderId, runName: 'weekly', kind })).toMatchObject({ kind, rows: 3 });
  for (const file of await ledger.files.list(orderId)) await ledger.files.save({ ...file, contentJson: null });
  return { ...harness, orderId };
}

async function columnsOf(path: string): Promise<readonly string[]> {
  for await (const { headers } of readCsv(path)) return headers;
  return [];
}

describe('rewriteSpreadsheets', () => {
  it('reports the files of an earlier version as a finding when the run is not configured', async () => {
    const { perform, ledger, orderId, removeRun } = await createEarlierFiles();
    removeRun('weekly');
    const before = await ledger.files.list(orderId);
    expect(await perform('rewriteSpreadsheets', { orderId })).toEqual({
      files: [],
      findings: [{ code: 'files_not_rewritten', count: 2, positions: [] }],
    });
    expect(await ledger.files.list(orderId)).toEqual(before);
  });

  it('writes files of an earlier version as the run is configured, and files of this version as they were', async () => {
    const harness = await createEarlierFiles();
    const { perform, folder, orderId } = harness;
    const configureRun = (columns: Record<string, string>) => {
      const spreadsheets = { directory: '/elsewhere', kinds, rows: 'slot', columns } as const;
      harness.configureRun(plan({ delivery: { ...plan().delivery, spreadsheets } }));
    };
    const path = join(folder, `${orderId}.csv`);
    configureRun({ Size: 'company.employee_count' });
    const { files, findings } = await perform('rewriteSpreadsheets', { orderId });
    expect({ files, findings }).toMatchObject({
      files: [{ path, kind: 'csv', rows: 3 }, { kind: 'xlsx' }],
      findings: [],
    });
    expect(await columnsOf(path)).toContain('Size');
    configureRun({ Town: 'company.city' });
    await perform('rewriteSpreadsheets', { orderId });
    expect(await columnsOf(path)).toContain('Size');
    expect(await columnsOf(path)).not.toContain('Town');
  });

  it('writes nothing for an order without files', async () => {
    const harness = await createActivityHarness();
    const { orderId } = await harness.collectDiscovery(1);
    expect(await harness.perform('rewriteSpreadsheets', { orderId })).toEqual({ files: [], findings: [] });
  });
});
