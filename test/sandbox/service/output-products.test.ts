import { until } from '../../helpers/until.ts';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createOutputProducts } from '../../../sandbox/service/output-products.ts';
import { outputColumns } from '../../../sandbox/service/output-rows.ts';
import { type PublishedSet, toSlot } from '../../../sandbox/results/published-set.ts';
import type { StoredOrder } from '../../../sandbox/state/stored-records.ts';
import { openStore } from '../../../sandbox/state/sandbox-store.ts';
import { companyAt } from '../../../sandbox/generated-data/company-generator.ts';
import { SpreadsheetError } from '../../../src/base/spreadsheet/spreadsheet-error.ts';
import { publish } from './published-order.ts';

const order = { id: 'order-1' } as StoredOrder;
const csv = { output_type: 'csv' };

function createProducts(total: number, slotAt?: PublishedSet['slotAt']) {
  const root = mkdtempSync(join(tmpdir(), 'prospect-sync-test-'));
  const store = openStore(1);
  const organization = store.organization('organisation-1');
  let computed = 0;
  const compute = (position: number) => {
    computed += 1;
    const deliveredAt = '2026-11-20T12:00:00.000000Z';
    return toSlot({ position, code: 'POLICY_ELIGIBLE', company: companyAt(1, position), deliveredAt });
  };
  const summary = { requested_count: total, fully_enriched_count: total, annotated_count: 0, reasons: [] };
  const set = { total, summary, slotAt: slotAt ?? compute };
  const products = createOutputProducts({
    columnsOf: () => outputColumns,
    publishedSet: () => set,
    currentGeneration: () => store.generation,
    track: ignore,
    root,
  });
  const make = (type: 'csv' | 'xlsx' | 'google_sheets') => products.make(organization, order, type);
  opened.push(() => {
    products.clear();
    store.close();
    rmSync(root, { recursive: true, force: true });
  });
  const files = () => readdirSync(root, { recursive: true }).map(String);
  return { make, products, organization, store, files, root, set, computed: () => computed };
}

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

const ignore = (work: Promise<unknown>) => void work.catch(() => undefined);

describe('createOutputProducts', () => {
  it('writes one file per type for all callers, and one digest for all types', async () => {
    const { make, organization, computed } = createProducts(250);
    const paths = await Promise.all([make('csv'), make('csv'), make('google_sheets')]);
    expect(paths[0]).toMatch(/order-1\.csv$/);
    expect([paths[1], paths[2]]).toEqual([paths[0], null]);
    // Once for the file, once for the digest.
    expect(computed()).toBe(500);
    const digest = organization.products.get('order-1 csv');
    expect(digest).toEqual({ result_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(organization.products.get('order-1 google_sheets')).toEqual(digest);
  });

  it('leaves no file and stores nothing when cleared during the work', async () => {
    const { make, products, organization, files } = createProducts(2_000);
    const jobs = [make('csv'), make('xlsx')];
    while (files().length === 0) await new Promise((resolve) => setImmediate(resolve));
    products.clear();
    for (const job of jobs) await expect(job).rejects.toThrow('a reset or a restored snapshot ended the work');
    await new Promise((resolve) => setImmediate(resolve));
    expect(files()).toEqual([]);
    expect(organization.products.size).toBe(0);
  });

  it('drops work of before a reset and starts it again', async () => {
    const { make, store, organization } = createProducts(500);
    const before = make('csv');
    store.reset();
    await expect(before).rejects.toThrow('a reset or a restored snapshot ended the work');
    expect(organization.products.size).toBe(0);
    expect(await make('csv')).toMatch(/order-1\.csv$/);
    expect(organization.products.size).toBe(1);
  });

  it('fails only the output whose file cannot be written', async () => {
    const { make, organization } = createProducts(1, () => {
      throw new SpreadsheetError({ path: 'x', action: 'writing', problem: 'a sheet holds 1,048,575 rows; use CSV' });
    });
    expect(await make('xlsx')).toBeNull();
    expect(organization.products.get('order-1 xlsx')).toEqual({ result_sha256: null });
  });

  it('tries again when the folder could not be created', async () => {
    const { make, organization, root } = createProducts(3);
    rmSync(root, { recursive: true });
    writeFileSync(root, 'not a folder');
    for (const type of ['csv', 'xlsx', 'csv'] as const) await expect(make(type)).rejects.toThrow('ENOTDIR');
    expect(organization.products.size).toBe(0);
    rmSync(root);
    mkdirSync(root);
    expect(await make('csv')).toMatch(/order-1\.csv$/);
    expect(organization.products.get('order-1 csv')).toEqual({ result_sha256: expect.any(String) });
  });

  it.each(['csv', 'xlsx'] as const)('tries again when the operating system refused the file: %s', async (type) => {
    const { make, organization, root } = createProducts(3);
    const path = await make(type === 'csv' ? 'xlsx' : 'csv');
    const inTheWay = join(dirname(path ?? root), `order-1.${type}`);
    mkdirSync(inTheWay);
    const refused = await make(type).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SpreadsheetError);
    expect(refused).toMatchObject({ code: 'EISDIR' });
    expect(organization.products.get(`order-1 ${type}`)).toBeUndefined();
    rmSync(inTheWay, { recursive: true });
    expect(await make(type)).toBe(inTheWay);
    expect(organization.products.get(`order-1 ${type}`)).toEqual({ result_sha256: expect.any(String) });
  });

  it('starts again after an error, when the first writer has ended', async () => {
    const { slotAt } = createProducts(250).set;
    let mistakes = 1;
    // The digest asks for the first slot before the file does.
    const { make, organization, files } = createProducts(250, (place) => {
      if (mistakes === 0) return slotAt(place);
      mistakes -= 1;
      throw new TypeError('a mistake');
    });
    await expect(make('csv')).rejects.toThrow('a mistake');
    expect(files().filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(organization.products.size).toBe(0);
    expect(await make('csv')).toMatch(/order-1\.csv$/);
    expect(organization.products.size).toBe(1);
  });
});

describe('an output of many slots', () => {
  const many = { quantity: 600, progression: { outputs: { after_seconds: 0 } } };

  it('is RUNNING until its file exists, although it is due', async () => {
    const { create, read } = await publish(many);
    const { output_id } = (await create(csv)).body;
    expect((await create(csv)).body).toMatchObject({ status: 'RUNNING', created: false });
    const made = await until(async () => {
      const output = await read(output_id);
      return output.status === 'COMPLETED' && output;
    });
    expect(made).toMatchObject({ result_count: 600 });
  });

  it('blocks no other request', async () => {
    const { create, read, ask } = await publish(many);
    const { output_id } = (await create(csv)).body;
    const end = { reached: false };
    const reading = read(output_id).then(() => {
      end.reached = true;
    });
    let answered = 0;
    while (!end.reached) {
      expect((await ask('GET', '/blacklists')).status).toBe(200);
      answered += 1;
      // As a request from outside would be answered: not before whatever is due now.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await reading;
    // While the loop is blocked, one request at most is answered.
    expect(answered).toBeGreaterThan(1);
  });
});
