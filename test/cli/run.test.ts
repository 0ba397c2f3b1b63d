import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { createHubSpotClient } from '../../src/hubspot/hubspot-client.ts';
import { startExampleProject, type ExampleProject } from '../helpers/example-project.ts';

let project: ExampleProject;
beforeAll(async () => {
  project = await startExampleProject();
}, 60_000);
afterAll(() => project?.stop());

const command = (...args: string[]) => project.command(...args);

async function countRecords(type: 'companies' | 'contacts') {
  const { url, token } = project.hubspot;
  let count = 0;
  for await (const page of createHubSpotClient({ baseUrl: url, token }).objects.list(type, { properties: [] }))
    count += page.length;
  return count;
}

let orderId = '';

describe('run', () => {
  it('creates no second record when it runs again', async () => {
    const first = await command('run', 'demo-discovery', '--json');
    expect(first).toMatchObject({ code: 0 });
    const counts = [await countRecords('companies'), await countRecords('contacts')];
    const again = JSON.parse((await command('run', 'demo-discovery', '--json')).stdout);

    expect(again).toMatchObject({
      ok: true,
      orders: [{ reconciled: 300, crm: { companies: { created: 0, updated: 300 }, contacts: { created: 0 } } }],
    });
    expect([await countRecords('companies'), await countRecords('contacts')]).toEqual(counts);
    orderId = again.orders[0].order_id;
    expect(JSON.parse(first.stdout).orders[0].order_id).not.toBe(orderId);
  }, 120_000);
});

describe('ingest', () => {
  it('changes nothing in an order that was ingested before', async () => {
    const { stdout } = await command('ingest', orderId, '--run', 'demo-discovery', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      orders: [{ crm: { companies: { unchanged: 300 }, contacts: { created: 0, updated: 0 } } }],
    });
  }, 120_000);
});

describe('reconcile', () => {
  it('exits with code 3 and names what is missing', async () => {
    await rm(path.join(project.folder, 'out', `${orderId}.xlsx`));
    const { code, stdout } = await command('reconcile', orderId, '--json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      orders: [{ reconciled: 300, findings: [{ code: 'xlsx_file_missing' }] }],
    });
  }, 120_000);
});

describe('run when it fails after its order was placed', () => {
  it('explains how to continue the order instead of placing another one', async () => {
    const yaml = parse(await readFile(path.join(project.folder, 'prospect-sync.yaml'), 'utf8'));
    yaml.runs['demo-discovery'].spreadsheets = { directory: 'exclusions.csv/out' };
    await writeFile(path.join(project.folder, 'broken.yaml'), stringify(yaml));
    const { code, stdout, stderr } = await command('run', 'demo-discovery', '--config', 'broken.yaml', '--json');
    expect(code).toBe(1);
    const remedy = /Order ([0-9a-f-]{36}) exists, .* continue it with: prospect-sync ingest \1 --run demo-discovery$/m;
    expect(stderr).toMatch(remedy);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: expect.stringMatching(remedy) });

    const id = remedy.exec(stderr)?.[1] ?? '';
    const ingested = await command('ingest', id, '--run', 'demo-discovery', '--json');
    expect(JSON.parse(ingested.stdout)).toMatchObject({ ok: true, orders: [{ order_id: id, reconciled: 300 }] });
  }, 120_000);
});

describe('status', () => {
  it('lists the runs with their outcome and order', async () => {
    const { stdout } = await command('status', 'demo-discovery', '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      { status: 'failed', outcome: 'failed', failure: 'FileFailed' },
      { status: 'completed', outcome: 'reconciled', failure: null, order_id: orderId },
      { status: 'completed', outcome: 'reconciled' },
    ]);
  }, 60_000);
});
