import type { CrmRecord } from '../../src/hubspot/hubspot-record.ts';
import { defaultContactPolicy } from '../../src/delivery/mapping/contact-policy.ts';
import { toCrmPlan } from '../../src/delivery/mapping/crm-plan.ts';
import { defaultMapping } from '../../src/delivery/mapping/default-mapping.ts';
import {
  byId,
  changeResults,
  companyLines,
  createReady,
  outcomeLines,
  outcomes,
  projectOrder,
  range,
  reconcile,
  row,
} from './order-steps.ts';
import { sampleOf } from '../helpers/sample.ts';

describe('projectToCrm for companies', () => {
  it('adopts the only company that has the domain', async () => {
    const harness = await createReady();
    const [id] = await harness.createRecords('companies', [{ name: 'Old name', domain: 'acme.example' }]);
    const order = await projectOrder(harness, harness.collectEnrichment([row('Acme')]));
    expect(companyLines(await outcomeLines(harness, order))).toEqual(['0 company updated']);
    const companies = await harness.records('companies');
    expect(companies).toHaveLength(1);
    expect(byId(companies, id)).toMatchObject({ name: 'Old name', prospect_sync_company_key: 'acme.example' });
  });

  it('quarantines the row when the record of that domain carries the key of another company', async () => {
    const harness = await createReady();
    await harness.createRecords('companies', [
      { name: 'Moved', domain: 'acme.example', prospect_sync_company_key: 'other.example' },
    ]);
    const order = await projectOrder(harness, harness.collectEnrichment([row('Acme')]));
    expect(companyLines(await outcomeLines(harness, order))).toEqual([
      '0 company quarantined domain_of_another_company',
    ]);
    expect((await harness.records('companies'))[0]?.properties).toMatchObject({
      prospect_sync_company_key: 'other.example',
    });
  });

  it('updates the submitted record, whatever its domain', async () => {
    const harness = await createReady();
    const [id] = await harness.createRecords('companies', [{ name: 'Submitted' }]);
    const order = await projectOrder(harness, harness.collectEnrichment([row('Acme', { external_id: id ?? '' })]));
    expect(companyLines(await outcomeLines(harness, order))).toEqual(['0 company updated']);
    const companies = await harness.records('companies');
    expect(companies).toHaveLength(1);
    expect(byId(companies, id)).toMatchObject({
      name: 'Submitted',
      domain: 'acme.example',
      prospect_sync_status: 'ENRICHED',
    });
  });

  it.each(['99999999', 'notanumber'])(
    'creates no record when the submitted record %s does not exist in HubSpot',
    async (id) => {
      const harness = await createReady();
      const order = await projectOrder(harness, harness.collectEnrichment([row('Acme', { external_id: id })]));
      expect(companyLines(await outcomeLines(harness, order))).toEqual([
        '0 company quarantined submitted_record_missing',
      ]);
      expect(await harness.records('companies')).toEqual([]);
    },
  );

  it('ignores external ids that are not record ids', async () => {
    const harness = await createReady();
    const [id] = await harness.createRecords('companies', [{ name: 'Another company' }]);
    const order = await harness.collectEnrichment([row('Acme', { external_id: id ?? '' })]);
    const known = await harness.ledger.orders.get(order.orderId);
    if (known !== undefined) await harness.ledger.orders.save({ ...known, externalIdsAreRecordIds: false });
    await harness.perform('projectToCrm', range(order));
    expect(companyLines(await outcomeLines(harness, order))).toEqual(['0 company created']);
    expect(byId(await harness.records('companies'), id)['prospect_sync_status']).toBeNull();
  });

  it('fills the empty properties of a submitted record from the company of a PARTIAL row, but not its domain', async () => {
    const harness = await createReady();
    const [id = ''] = await harness.createRecords('companies', [{ name: 'Moved', city: 'Ghent' }]);
    const order = await projectOrder(
      harness,
      harness.collectEnrichment([row('X', { website_url: 'https://x.website-moved.example', external_id: id })]),
    );
    const record = byId(await harness.records('companies'), id);
    expect(record).toMatchObject({
      name: 'Moved',
      city: 'Ghent',
      domain: null,
      country: expect.any(String),
      prospect_sync_company_key: null,
      prospect_sync_run: 'collecting',
      prospect_sync_status: 'PARTIAL',
    });
    expect(await reconcile(harness, order)).toMatchObject({ findings: [], readBack: { equal: 1 } });
    expect(
      harness.portals.editRecord(harness.portalId, { objectType: 'companies', id, properties: { country: 'Chad' } }),
    ).toBe(true);
    expect(await reconcile(harness, order)).toMatchObject({ readBack: { properties: { edited: { country: 1 } } } });
  });

  it('writes only the status to the submitted record of a row that was not enriched', async () => {
    const harness = await createReady();
    harness.configureMapping(
      toCrmPlan({ ...defaultMapping, partialCompanies: { default: 'never' } }, defaultContactPolicy),
    );
    const ids = await harness.createRecords('companies', [{ name: 'Moved' }, { name: 'Unknown' }, { name: 'Blocked' }]);
    const hosts = ['website-moved', 'unresolved-identity', 'blocked-for-review'];
    const order = await projectOrder(
      harness,
      harness.collectEnrichment([
        ...hosts.map((host, index) =>
          row('X', { website_url: `https://x${index}.${host}.example`, external_id: ids[index] ?? '' }),
        ),
        row('NoId', { website_url: 'https://y.website-empty.example' }),
        row('Gone', { website_url: 'https://z.website-empty.example', external_id: '404' }),
      ]),
    );
    expect(companyLines(await outcomeLines(harness, order))).toEqual([
      '0 company updated',
      '1 company updated',
      '2 company updated',
      '3 company skipped not_enriched',
      '4 company quarantined submitted_record_missing',
    ]);
    const companies = await harness.records('companies');
    expect(companies).toHaveLength(3);
    expect(byId(companies, ids[0])).toEqual({
      ...Object.fromEntries(Object.keys(companies[0]?.properties ?? {}).map((name) => [name, null])),
      ...pick(byId(companies, ids[0]), [
        'hs_object_id',
        'createdate',
        'hs_lastmodifieddate',
        'prospect_sync_delivered_at',
      ]),
      name: 'Moved',
      prospect_sync_order_id: order.orderId,
      prospect_sync_position: '0',
      prospect_sync_run: 'collecting',
      prospect_sync_status: 'PARTIAL',
      prospect_sync_reason_codes: 'WEBSITE_MOVED',
      prospect_sync_mapping_version: expect.any(String),
    });
    expect(byId(companies, ids[1])).toMatchObject({ prospect_sync_status: 'UNRESOLVED', domain: null });
    expect(byId(companies, ids[2])).toMatchObject({ prospect_sync_status: 'BLOCKED', domain: null });
    expect(await harness.records('contacts')).toEqual([]);
  });

  it.each([[2], [120]])('writes a record once when %i rows submit it', async (rows) => {
    const harness = await createReady();
    const [id = ''] = await harness.createRecords('companies', [{ name: 'Acme' }]);
    const between = Array.from({ length: rows - 2 }, (_, index) => row(`Company-${index}`));
    const order = await harness.collectEnrichment([
      row('Acme', { external_id: id }),
      ...between,
      row('Acme', { external_id: id }),
    ]);
    for (const projectionId of ['first', 'second']) {
      await harness.perform('projectToCrm', range(order, { projectionId }));
      const lines = companyLines(await outcomeLines(harness, order));
      expect(lines[0]).toBe(`0 company ${projectionId === 'first' ? 'updated' : 'unchanged'}`);
      expect(lines.at(-1)).toBe(`${rows - 1} company skipped same_record`);
      const properties = byId(await harness.records('companies'), id);
      expect(properties).toMatchObject({ prospect_sync_status: 'ENRICHED', prospect_sync_position: '0' });
    }
    const proof = await harness.perform('reconcileRange', {
      orderId: order.orderId,
      from: 0,
      to: rows,
      crm: true,
    });
    expect(proof).toMatchObject({ reconciled: rows, findings: [] });
  });

  it.each(sampleOf([[2], [1_002]], 1))(
    'writes the enriched one of %i rows that submit the same record, also when it comes last',
    async (rows) => {
      const harness = await createReady();
      const [id = ''] = await harness.createRecords('companies', [{ name: 'Acme' }]);
      const between = Array.from({ length: rows - 2 }, (_, index) => row(`Company-${index}`));
      const order = await harness.collectEnrichment([
        row('Moved', { website_url: 'https://a.website-moved.example', external_id: id }),
        ...between,
        row('Acme', { external_id: id }),
      ]);
      for (const projectionId of ['first', 'second']) {
        await harness.perform('projectToCrm', range(order, { projectionId }));
        const lines = companyLines(await outcomeLines(harness, order));
        // Rows of a later batch are unknown at first, so the first pass writes both statuses in their order.
        const isUnseen = rows > 1_000 && projectionId === 'first';
        expect(lines[0]).toBe(isUnseen ? '0 company updated' : '0 company skipped same_record');
        expect(lines.at(-1)).toBe(`${rows - 1} company ${projectionId === 'first' ? 'updated' : 'unchanged'}`);
        expect(byId(await harness.records('companies'), id)).toMatchObject({
          domain: 'acme.example',
          prospect_sync_status: 'ENRICHED',
          prospect_sync_position: String(rows - 1),
          prospect_sync_company_key: 'acme.example',
        });
        const proof = { orderId: order.orderId, from: 0, to: rows, crm: true };
        expect(await harness.perform('reconcileRange', proof)).toMatchObject({ reconciled: rows, findings: [] });
      }
    },
  );

  it('writes a company once, to its first row, when two batches contain it', async () => {
    const harness = await createReady(
      changeResults<{ items: { company: object }[] }>(({ items }, offset) => {
        if (offset === 100) Object.assign(items[10]?.company ?? {}, { domain: 'www.Acme.example' });
      }),
    );
    const rows = Array.from({ length: 120 }, (_, index) => row(index === 5 ? 'Acme' : `Company-${index}`));
    const order = await harness.collectEnrichment(rows);
    for (const projectionId of ['first', 'second']) {
      await harness.perform('projectToCrm', range(order, { projectionId }));
      const lines = companyLines(await outcomeLines(harness, order));
      expect(lines[5]).toBe(`5 company ${projectionId === 'first' ? 'created' : 'unchanged'}`);
      expect(lines[110]).toBe('110 company skipped same_company');
      const companies = await harness.records('companies');
      expect(companies).toHaveLength(119);
      const acme = companies.filter(({ properties }) => properties['prospect_sync_company_key'] === 'acme.example');
      expect(acme.map(({ properties }) => properties['prospect_sync_position'])).toEqual(['5']);
    }
  });

  it('writes the fields that exist when companies and contacts have hardly any', async () => {
    const harness = await createReady(
      changeResults<{ items: Record<string, unknown>[] }>((page) => {
        const ids = page.items.map(({ company }) => (company as { id: string }).id);
        Object.assign(page.items[0] ?? {}, { company: { id: ids[0] }, external_id: null });
        const prospects = [{}, { email: 'anna@acme.example' }];
        Object.assign(page.items[1] ?? {}, { company: { id: ids[1], domain: 'acme.example', prospects } });
        Object.assign(page.items[2] ?? {}, { company: { id: ids[2], name: 'Three', prospects: null } });
      }),
    );
    const order = await projectOrder(harness, harness.collectEnrichment([row('One'), row('Two'), row('Three')]));
    expect(await outcomeLines(harness, order)).toEqual([
      // HubSpot rejects a company without name and domain.
      '0 company quarantined VALIDATION_ERROR',
      '1 company created',
      '1 contact:0 skipped no_email',
      '1 contact:1 created',
      '2 company created',
    ]);
    const proof = { orderId: order.orderId, from: 0, to: 3, crm: true };
    expect(await harness.perform('reconcileRange', proof)).toMatchObject({
      reconciled: 2,
      findings: [{ code: 'crm_company_quarantined', count: 1, positions: [0] }],
    });
  });

  it('creates a company when the record id in the ledger belongs to another company by now', async () => {
    const harness = await createReady();
    const [other = ''] = await harness.createRecords('companies', [{ name: 'Other', domain: 'other.example' }]);
    await harness.ledger.records.save('companies', [{ key: 'acme.example', recordId: other }]);
    const order = await projectOrder(harness, harness.collectEnrichment([row('Acme')]));
    expect(companyLines(await outcomeLines(harness, order))).toEqual(['0 company created']);
    expect(byId(await harness.records('companies'), other)).toMatchObject({
      name: 'Other',
      prospect_sync_status: null,
    });
    const known = await harness.ledger.records.ids('companies', ['acme.example']);
    expect(known.get('acme.example')).not.toBe(other);
  });

  it('updates the submitted record without the key that another record holds, and names both records', async () => {
    const harness = await createReady();
    const [one = '', two = ''] = await harness.createRecords('companies', [{ name: 'One' }, { name: 'Two' }]);
    const key = { prospect_sync_company_key: 'acme.example' };
    await harness.hubspot.objects.update('companies', [{ id: one, properties: key }]);
    const order = await projectOrder(
      harness,
      harness.collectEnrichment([row('Acme', { external_id: two }), row('Fine')]),
    );
    expect(companyLines(await outcomeLines(harness, order))).toEqual(['0 company updated', '1 company created']);
    const companies = await harness.records('companies');
    expect(byId(companies, two)).toMatchObject({ prospect_sync_company_key: null, domain: 'acme.example' });
    expect(byId(companies, one)).toMatchObject({ prospect_sync_company_key: 'acme.example', domain: null });
    expect((await outcomes(harness, order))[0]).toMatchObject({
      matchedBy: 'external_id',
      candidates: [two, one],
      recordId: two,
    });
  });
});

function pick(properties: CrmRecord['properties'], names: readonly string[]) {
  return Object.fromEntries(names.flatMap((name) => (name in properties ? [[name, properties[name]]] : [])));
}
