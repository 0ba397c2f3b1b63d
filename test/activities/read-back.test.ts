import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { CompanyRow } from '../../src/service/contract/index.ts';
import type { ObjectType } from '../../src/hubspot/hubspot-record.ts';
import { toKeyId } from '../../src/delivery/crm/written-values.ts';
import { failure, type Collected, type ActivityHarness } from './activity-harness.ts';
import {
  createProjected as createProjectedRows,
  createReady,
  projectOrder,
  range,
  reconcile,
  row,
} from './order-steps.ts';

const rows = [row('Acme'), row('Beta')];

const createProjected = (companies: CompanyRow[] = rows) => createProjectedRows(companies);

const all = ({ orderId, total }: Collected) => ({ orderId, from: 0, to: total, crm: true });

/** The record of a company or contact by name. */
async function find(harness: ActivityHarness, type: ObjectType, index = 0) {
  const record = (await harness.records(type))[index];
  if (record === undefined) throw new Error(`no ${type}`);
  return record;
}

/** Changes a record as a user does. */
function edit(harness: ActivityHarness, objectType: ObjectType, id: string, properties: Record<string, string>): void {
  expect(harness.portals.editRecord(harness.portalId, { objectType, id, properties })).toBe(true);
}

describe('reconcileRange, reading records back', () => {
  it('does not compare a record that another order of the ledger wrote at the same time', async () => {
    const harness = await createProjected();
    const { properties, id } = await find(harness, 'companies');
    const second = await harness.collectEnrichment(rows);
    await harness.perform('projectToCrm', range(second, { projectionId: 'second' }));
    // The request of the first order arrives last.
    const stamps = Object.entries(properties).filter(([name]) => name.startsWith('prospect_sync_'));
    const late = Object.fromEntries(stamps.map(([name, value]) => [name, value ?? '']));
    await harness.hubspot.objects.update(
      'companies',
      [{ id, properties: late, traceId: 'late' }],
      new AbortController().signal,
    );
    // The newer order proves the record.
    for (const [order, unknown] of [
      [harness.order, 0],
      [second, 1],
    ] as const)
      expect(await reconcile(harness, order)).toMatchObject({ findings: [], readBack: { unknown, wrong: 0 } });
  });

  it('knows whose values a record has after the order that reached HubSpot last is retried', async () => {
    const harness = await createReady();
    const { hubspot, ledger } = harness;
    const collect = async (runName: string) => {
      const order = await harness.collectEnrichment(rows);
      const stored = await ledger.orders.get(order.orderId);
      if (stored !== undefined) await ledger.orders.save({ ...stored, runName });
      return order;
    };
    await harness.perform('projectToCrm', range(await harness.collectEnrichment(rows)));
    const [first, second] = [await collect('first'), await collect('second')];
    // The request of the first order waits in the network until the second order has written the same records.
    const [isStored, isOvertaken] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const update = hubspot.objects.update.bind(hubspot.objects);
    hubspot.objects.update = async (type, updates, signal) => {
      if (type === 'companies' && updates.some(({ traceId }) => traceId?.startsWith(first.orderId))) {
        isStored.resolve(undefined);
        await isOvertaken.promise;
        await update(type, updates, signal);
        throw new Error('the answer is lost');
      }
      return update(type, updates, signal);
    };
    const lost = failure(harness.perform('projectToCrm', range(first)));
    await isStored.promise;
    await harness.perform('projectToCrm', range(second));
    isOvertaken.resolve(undefined);
    await lost;
    await harness.perform('projectToCrm', range(first));
    for (const order of [first, second])
      expect(await reconcile(harness, order)).toMatchObject({ findings: [], readBack: { wrong: 0 } });
  });

  it('reads values that a projection moves from the key to the record id while they are read', async () => {
    const harness = await createProjected();
    const { id, properties } = await find(harness, 'companies');
    const { writtenRecords } = harness.ledger;
    const read = writtenRecords.read.bind(writtenRecords);
    const stored = (await read('companies', [id])).get(id);
    if (stored === undefined) throw new Error(`nothing stored for ${id}`);
    const underKey = { ...stored, recordId: toKeyId(properties['prospect_sync_company_key'] ?? '') };
    await writtenRecords.save('companies', { merged: [underKey], removed: [id] });
    let isMoved = false;
    writtenRecords.read = async (type, ids) => {
      const found = await read(type, ids);
      if (!isMoved && ids.includes(id)) {
        isMoved = true;
        await writtenRecords.save('companies', { merged: [stored], removed: [underKey.recordId] });
      }
      return found;
    };
    const { readBack } = await harness.perform('reconcileRange', all(harness.order));
    expect([isMoved, readBack?.equal, readBack?.unknown]).toEqual([true, readBack?.records, 0]);
  });

  it('counts values that another app wrote as edited', async () => {
    const harness = await createProjected();
    const { id } = await find(harness, 'companies');
    const source = { sourceType: 'INTEGRATION', sourceId: 'another app' };
    harness.portals.editRecord(harness.portalId, {
      objectType: 'companies',
      id,
      properties: { name: 'Acme Holding' },
      source,
    });
    expect((await harness.perform('reconcileRange', all(harness.order))).readBack).toMatchObject({
      edited: 1,
      wrong: 0,
    });
  });

  it('finds a record in which one value is wrong and another was edited, and counts both', async () => {
    const harness = await createProjected();
    const { id } = await find(harness, 'companies');
    await harness.hubspot.objects.update('companies', [{ id, properties: { name: 'Wrong' } }]);
    edit(harness, 'companies', id, { website: 'https://edited.example' });
    expect((await harness.perform('reconcileRange', all(harness.order))).readBack).toMatchObject({
      wrong: 1,
      edited: 0,
      properties: { edited: { website: 1 }, wrong: { name: 1 } },
    });
  });

  // Guarantee: A green run is proved
  it('finds a value that never arrived', async () => {
    const harness = await createProjected();
    const { id } = await find(harness, 'companies');
    // The ledger says that a value was written to a property that HubSpot has never had.
    const values = new Map([['city', { value: 'Bern', digest: null, previous: null }]]);
    const written = { recordId: id, orderId: harness.order.orderId, writtenAt: '2026-11-23T08:00:00.000Z', values };
    await harness.ledger.writtenRecords.save('companies', { merged: [written] });
    edit(harness, 'companies', id, { name: 'Edited' });
    expect((await harness.perform('reconcileRange', all(harness.order))).readBack).toMatchObject({
      properties: { edited: { name: 1 }, wrong: { city: 1 } },
    });
  });

  it('accepts a telephone number in another form only when prospect-sync wrote it', async () => {
    const harness = await createProjected();
    const { id } = await find(harness, 'companies');
    const values = new Map([['phone', { value: '+41 31 123 45 67', digest: null, previous: null }]]);
    const written = { recordId: id, orderId: harness.order.orderId, writtenAt: '2026-11-23T08:00:00.000Z', values };
    await harness.ledger.writtenRecords.save('companies', { merged: [written] });
    await harness.hubspot.objects.update('companies', [{ id, properties: { phone: '+41311234567' } }]);
    expect((await harness.perform('reconcileRange', all(harness.order))).readBack).toMatchObject({
      wrong: 0,
      edited: 0,
    });
    edit(harness, 'companies', id, { phone: '+41 (31) 1234567' });
    expect((await harness.perform('reconcileRange', all(harness.order))).readBack).toMatchObject({
      wrong: 0,
      edited: 1,
    });
  });

  it('finds records that HubSpot does not know', async () => {
    const harness = await createProjected();
    harness.portals.reset(harness.portalId);
    await harness.prepareCrm();
    const { findings, readBack } = await harness.perform('reconcileRange', all(harness.order));
    expect(findings).toEqual([
      { code: 'crm_company_missing', count: 2, positions: [0, 1] },
      { code: 'crm_contact_missing', count: expect.any(Number), positions: expect.any(Array) },
    ]);
    expect(readBack).toMatchObject({ equal: 0, missing: readBack?.records });
  });

  it('compares a record that a later order wrote with what that order wrote', async () => {
    const harness = await createProjected();
    await projectOrder(harness, harness.collectEnrichment([row('Acme', { city: 'Bern' })]));
    const { readBack } = await harness.perform('reconcileRange', all(harness.order));
    expect(readBack).toMatchObject({ equal: readBack?.records, wrong: 0, edited: 0 });
  });

  it('reads as many slots back as the sample has, always the same ones', async () => {
    const harness = await createProjected(['A', 'B', 'C', 'D', 'E', 'F'].map((name) => row(`Company${name}`)));
    const sampled = { ...all(harness.order), sample: 2 };
    const { readBack } = await harness.perform('reconcileRange', sampled);
    const complete = await harness.perform('reconcileRange', all(harness.order));
    expect(readBack?.sampled).toBe(2);
    expect(readBack?.records).toBeGreaterThan(0);
    expect(readBack?.records).toBeLessThan(complete.readBack?.records ?? 0);
    expect((await harness.perform('reconcileRange', sampled)).readBack).toEqual(readBack);
  });

  it('adds the figures of the ranges, and those before the last heartbeat', async () => {
    const harness = await createProjected();
    const { orderId } = harness.order;
    const complete = await harness.perform('reconcileRange', all(harness.order));
    const first = await harness.perform('reconcileRange', { orderId, from: 0, to: 1, crm: true });
    const second = await harness.perform('reconcileRange', { orderId, from: 1, to: 2, crm: true });
    const { readBack } = await harness.perform('concludeReconciliation', { orderId, proofs: [first, second] });
    expect(readBack).toEqual(complete.readBack);
    const resumed = await harness.perform('reconcileRange', all(harness.order), {
      heartbeatDetails: { next: 1, proof: first },
    });
    expect(resumed.readBack).toEqual(complete.readBack);
  });

  it('finds wrong values also behind the id of another order, which has not written the record', async () => {
    const harness = await createProjected();
    const other = await harness.collectEnrichment([row('Gamma')]);
    await harness.perform('projectToCrm', range(other, { projectionId: 'other' }));
    const { id } = await find(harness, 'companies');
    const properties = { prospect_sync_order_id: other.orderId, name: 'Wrong', city: 'Wrong' };
    await harness.hubspot.objects.update('companies', [{ id, properties, traceId: 'x' }], new AbortController().signal);
    const { findings } = await reconcile(harness, harness.order);
    expect(findings.map(({ code }) => code)).toEqual(['crm_company_order_differs', 'crm_company_property_wrong']);
  });

  it('finds a value in other letter case, which our token wrote', async () => {
    const harness = await createProjected();
    const { id, properties } = await find(harness, 'companies');
    const name = (properties['name'] ?? '').toUpperCase();
    await harness.hubspot.objects.update(
      'companies',
      [{ id, properties: { name }, traceId: 'x' }],
      new AbortController().signal,
    );
    const { findings } = await reconcile(harness, harness.order);
    expect(findings.map(({ code }) => code)).toEqual(['crm_company_property_wrong']);
  });

  it.each([
    ['a property is gone', `json_remove(values_json, '$.name')`],
    ['a value is another one', `json_set(values_json, '$.name', 'Evil')`],
    ['all are gone', `'{}'`],
    ['the text is no JSON', `'{broken'`],
  ])('does not compare with written values that were changed in the ledger: %s', async (_, changed) => {
    const harness = await createProjected();
    const { id } = await find(harness, 'companies');
    const database = new DatabaseSync(join(harness.folder, 'ledger.db'));
    database.prepare(`update written_records set values_json = ${changed} where record_id = ?`).run(id);
    database.close();
    const { findings } = await reconcile(harness, harness.order);
    expect(findings.map(({ code, count }) => [code, count])).toEqual([['crm_company_values_lost', 1]]);
  });

  it('finds records whose written values the ledger no longer has, until they are written again', async () => {
    const harness = await createProjected();
    const database = new DatabaseSync(join(harness.folder, 'ledger.db'));
    database.exec('delete from written_records');
    database.close();
    const { findings, readBack } = await harness.perform('reconcileRange', all(harness.order));
    expect(findings.map(({ code }) => code)).toEqual(['crm_company_values_lost', 'crm_contact_values_lost']);
    expect(findings.map(({ count }) => count).every((count) => count > 0)).toBe(true);
    expect(readBack).toMatchObject({ equal: 0, unknown: readBack?.records });
    await harness.perform('projectToCrm', range(harness.order, { projectionId: 'again' }));
    const again = await reconcile(harness, harness.order);
    expect(again.findings).toEqual([]);
    expect(again.readBack).toMatchObject({ unknown: 0, equal: readBack?.records });
  });
});
