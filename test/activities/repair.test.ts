import type { Collected } from './activity-harness.ts';
import { defaultContactPolicy } from '../../src/delivery/mapping/contact-policy.ts';
import { toCrmPlan } from '../../src/delivery/mapping/crm-plan.ts';
import { defaultMapping } from '../../src/delivery/mapping/default-mapping.ts';
import { propertyGroup } from '../../src/hubspot/managed-properties.ts';
import {
  outcomeLines,
  createProjected as createProjectedRows,
  createReady,
  projectOrder,
  range,
  reconcile,
  row,
} from './order-steps.ts';

const rows = [row('Acme'), row('Beta')];
const createProjected = () => createProjectedRows(rows);

const all = ({ orderId, total }: Collected) => ({ orderId, from: 0, to: total });

describe('repairRecords', () => {
  it('writes wrong values again, and keeps what a user edited in the same record', async () => {
    const harness = await createProjected();
    const { hubspot, order, perform, portals, portalId } = harness;
    const [company] = await harness.records('companies');
    const id = company?.id ?? '';
    await hubspot.objects.update('companies', [
      { id, properties: { name: 'Wrong', website: 'https://wrong.example', prospect_sync_status: 'PARTIAL' } },
    ]);
    portals.editRecord(portalId, { objectType: 'companies', id, properties: { website: 'https://edited.example' } });

    expect(await perform('repairRecords', all(order))).toMatchObject({
      before: { wrong: 1, properties: { edited: { website: 1 }, wrong: { name: 1, prospect_sync_status: 1 } } },
      rewritten: 1,
      reopened: 0,
    });
    const [repaired] = await harness.records('companies');
    expect(repaired?.properties).toEqual({ ...company?.properties, website: 'https://edited.example' });
    expect(await reconcile(harness, order)).toMatchObject({ findings: [], readBack: { wrong: 0, edited: 1 } });
    expect(await perform('repairRecords', all(order))).toMatchObject({ rewritten: 0, reopened: 0 });
  });

  it('lets a projection create missing records again, with their associations', async () => {
    const harness = await createProjected();
    const { order, perform } = harness;
    const before = await harness.records('contacts');
    harness.portals.reset(harness.portalId);
    await harness.prepareCrm();
    const repair = await perform('repairRecords', all(order));
    expect(repair).toMatchObject({ rewritten: 0, reopened: before.length + 2 });
    await perform('projectToCrm', range(order, { projectionId: 'repair', onlyUnfinished: true }));
    expect(await harness.records('contacts')).toHaveLength(before.length);
    expect(await reconcile(harness, order)).toMatchObject({
      reconciled: 2,
      findings: [],
      readBack: { records: before.length + 2, equal: before.length + 2 },
    });
  });

  it('does not create records again that were deleted in HubSpot', async () => {
    const harness = await createProjected();
    const { order, perform } = harness;
    const before = await outcomeLines(harness, order);
    const companies = await harness.records('companies');
    await harness.hubspot.objects.archive(
      'companies',
      companies.map(({ id }) => id),
    );
    expect(await perform('repairRecords', all(order))).toMatchObject({ before: { archived: 2 }, reopened: 0 });
    expect(await outcomeLines(harness, order)).toEqual(before);
  });

  it('does not write a record that a later order wrote last', async () => {
    const harness = await createProjected();
    const { order, perform } = harness;
    const later = await harness.collectEnrichment([row('Acme', { city: 'Bern' })]);
    await perform('projectToCrm', range(later));
    const [company] = await harness.records('companies');
    await harness.hubspot.objects.update('companies', [{ id: company?.id ?? '', properties: { name: 'Wrong' } }]);
    expect(await perform('repairRecords', all(order))).toMatchObject({ before: { wrong: 1 }, rewritten: 0 });
    expect(await perform('repairRecords', all(later))).toMatchObject({ before: { wrong: 1 }, rewritten: 1 });
  });

  it('keeps what another installation wrote later, which reconciliation finds as such', async () => {
    const harness = await createProjected();
    const { hubspot, order, perform } = harness;
    const [company] = await harness.records('companies');
    const [contact] = await harness.records('contacts');
    const prospect_sync_order_id = '0d5f3c9e-4a3e-4b55-9c0a-1f1f8d5a7b11';
    const write = (type: 'companies' | 'contacts', id = '', properties: Record<string, string> = {}) =>
      hubspot.objects.update(type, [{ id, properties: { ...properties, prospect_sync_order_id } }]);
    await write('companies', company?.id, { name: 'Elsewhere' });
    await write('contacts', contact?.id);
    expect(await reconcile(harness, order)).toMatchObject({
      findings: [
        { code: 'crm_company_written_elsewhere', count: 1, positions: [0] },
        { code: 'crm_contact_written_elsewhere', count: 1, positions: [0] },
      ],
      readBack: { edited: 2, wrong: 0, properties: { edited: { name: 1, prospect_sync_order_id: 2 }, wrong: {} } },
    });
    expect(await perform('repairRecords', all(order))).toMatchObject({ rewritten: 0, reopened: 0 });
    expect((await harness.records('companies'))[0]?.properties).toMatchObject({
      name: 'Elsewhere',
      prospect_sync_order_id,
    });
  });

  it('counts the values of a property that a person has archived as edited, and writes none of them', async () => {
    const harness = await createReady();
    await harness.sendToHubSpot('POST', '/crm/v3/properties/companies', {
      name: 'own_city',
      label: 'City',
      type: 'string',
      fieldType: 'text',
      groupName: propertyGroup.name,
    });
    const own_city = { from: 'company.city', transform: null, policy: 'always' } as const;
    const companies = { ...defaultMapping.companies, own_city };
    harness.configureMapping(toCrmPlan({ ...defaultMapping, companies }, defaultContactPolicy));
    const order = await projectOrder(harness, harness.collectEnrichment(rows));
    await harness.sendToHubSpot('DELETE', '/crm/v3/properties/companies/own_city');
    expect(await reconcile(harness, order)).toMatchObject({
      findings: [],
      readBack: { edited: 2, wrong: 0, properties: { edited: { own_city: 2 }, wrong: {} } },
    });
    expect(await harness.perform('repairRecords', all(order))).toMatchObject({ rewritten: 0, reopened: 0 });
  });

  it('does not write values of which the ledger has only a digest', async () => {
    const harness = await createProjected();
    const { order, perform, ledger } = harness;
    const [company] = await harness.records('companies');
    const id = company?.id ?? '';
    const values = new Map([['name', { value: null, digest: 'a'.repeat(32), previous: null }]]);
    const written = { recordId: id, orderId: order.orderId, writtenAt: '2026-11-23T08:00:00.000Z', values };
    await ledger.writtenRecords.save('companies', { merged: [written] });
    await harness.hubspot.objects.update('companies', [{ id, properties: { name: 'Wrong' } }]);
    expect(await perform('repairRecords', all(order))).toMatchObject({ before: { wrong: 1 }, rewritten: 0 });
  });

  it('does not write excluded companies again', async () => {
    const harness = await createProjected();
    const { order, perform, ledger } = harness;
    await ledger.leaks.replace(order.orderId, [{ position: 0, verdict: 'LEAK', tier: 'domain', entryId: 'entry' }]);
    const [company] = await harness.records('companies');
    await harness.hubspot.objects.update('companies', [{ id: company?.id ?? '', properties: { name: 'Wrong' } }]);
    expect(await perform('repairRecords', all(order))).toMatchObject({ before: { wrong: 1 }, rewritten: 0 });
  });

  it('resumes at the position of the last heartbeat with what was repaired before', async () => {
    const harness = await createProjected();
    const first = await harness.perform('repairRecords', { ...all(harness.order), to: 1 });
    const complete = await harness.perform('repairRecords', all(harness.order));
    const heartbeatDetails = { next: 1, repair: first };
    expect(await harness.perform('repairRecords', all(harness.order), { heartbeatDetails })).toEqual(complete);
  });
});
