// docs/data.md, "Recover without a backup": what is left when the ledger is gone.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { createHubSpotClient } from '../../src/hubspot/hubspot-client.ts';
import { readCsv } from '../../src/base/spreadsheet/read-csv.ts';
import { readRecords } from '../helpers/table-records.ts';
import { startSandbox, type RunningSandbox } from '../helpers/command.ts';
import { runCommand } from '../helpers/run-command.ts';

let folder: string;
let sandbox: RunningSandbox;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-lost-'));
  sandbox = await startSandbox(folder);
});
afterAll(async () => {
  await sandbox?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A list whose name contains the run and the title of the order. */
async function nameList(): Promise<void> {
  const file = path.join(folder, 'prospect-sync.yaml');
  const yaml = parse(await readFile(file, 'utf8'));
  yaml.runs['demo-enrichment'].hubspot_lists = { companies: '{order.run}: {order.title}' };
  await writeFile(file, stringify(yaml));
}

async function command(...args: string[]) {
  const { code, stdout, stderr } = await runCommand([...args, '--json'], { cwd: folder, env: sandbox.env });
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Every record of the CRM with all that was written to it. */
async function readCrm() {
  const { url, token } = sandbox.ready.hubspot;
  const { objects, properties } = createHubSpotClient({ baseUrl: url, token });
  const records = [];
  for (const type of ['companies', 'contacts'] as const) {
    const names = [...(await properties.list(type)).keys()];
    const told = names.filter((name) => !/^(?:hs_)?lastmodifieddate$/.test(name));
    for await (const page of objects.list(type, { properties: told })) {
      records.push(...page.map((record) => ({ type, id: record.id, properties: record.properties })));
    }
  }
  return records;
}

/** Rows without the columns of the user's own file, which the ledger alone knew. */
async function readResults(csv: string) {
  return (await readRecords(readCsv(csv))).map((record) => {
    const cells = Object.entries(record);
    return cells.slice(cells.findIndex(([header]) => header === 'Position'));
  });
}

describe('ingest after the data folder with ledger and Temporal was lost', () => {
  it('collects the order again with the same final state, and creates no second record or list in HubSpot', async () => {
    await nameList();
    const [order] = (await command('run', 'demo-enrichment')).orders;
    const crm = await readCrm();
    expect(crm.length).toBeGreaterThan(order.crm.contacts.created);
    const csv = order.files.find(({ kind }: { kind: string }) => kind === 'csv').path;
    const rows = await readResults(csv);
    expect(rows.length).toBeGreaterThan(40);
    await rm(path.join(folder, '.prospect-sync'), { recursive: true });
    await rm(path.join(folder, 'out'), { recursive: true });

    // A new ledger knows no order of the run, but the service does.
    await expect(command('run', 'demo-enrichment')).rejects.toThrow(
      new RegExp(
        `^Unknown order: the service has order ${order.order_id} of .* run: prospect-sync ingest ${order.order_id} --run demo-enrichment$`,
        'm',
      ),
    );
    const [again] = (await command('ingest', order.order_id, '--run', 'demo-enrichment')).orders;
    const { slots, reconciled, by_status, by_reason, findings, files } = order;
    expect(again).toMatchObject({ slots, reconciled, by_status, by_reason, findings, files });
    expect(again.lists[0].list_id).toBe(order.lists[0].list_id);
    expect(again.crm).toMatchObject({ companies: { created: 0, updated: 0 }, contacts: { created: 0, updated: 0 } });
    expect(await readCrm()).toEqual(crm);
    expect(await readResults(csv)).toEqual(rows);
  });
});
