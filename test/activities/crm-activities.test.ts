import type { Activities } from '../../activities/index.ts';
import type { CompanyRow } from '../../src/contract/index.ts';
import type { CrmRecord } from '../../src/hubspot/hubspot-record.ts';
import type { OutcomeRow } from '../../src/ledger/outcomes.ts';
import { defaultContactPolicy, toCrmPlan, defaultMapping } from '../../src/mapping/crm-plan.ts';
import { companyKey, contactKey } from '../../src/mapping/identity.ts';
import {
  createActivityHarness,
  crmPlan,
  failure,
  type Collected,
  type ActivityHarness,
  type ActivityHarnessOptions,
} from './harness.ts';

const none = { created: 0, updated: 0, unchanged: 0, skipped: 0, quarantined: 0, failed: 0 };

async function createReady(options: ActivityHarnessOptions = {}) {
  const surroundings = await createActivityHarness(options);
  await surroundings.prepareCrm();
  return surroundings;
}

type CrmRange = Parameters<Activities['projectToCrm']>[0];

function range({ orderId, total }: Collected, changes: Partial<CrmRange> = {}): CrmRange {
  return {
    orderId,
    projectionId: 'first',
    onlyUnfinished: false,
    from: 0,
    to: total,
    ...changes,
  };
}

async function outcomes({ ledger }: ActivityHarness, { orderId, total }: Collected): Promise<OutcomeRow[]> {
  return ledger.outcomes.read(orderId, { from: 0, to: total });
}

/** `company created`, `contact:0 skipped no_email` of the slots, in their order. */
async function told(surroundings: ActivityHarness, order: Collected): Promise<string[]> {
  const rows = await outcomes(surroundings, order);
  return rows.map(({ position, item, outcome, rule }) =>
    [position, item, outcome, rule].filter((x) => x !== null).join(' '),
  );
}

const ofCompany = (lines: readonly string[]) => lines.filter((line) => / company /.test(line));

async function slots({ ledger }: ActivityHarness, { orderId, total }: Collected) {
  const stored = await ledger.slots.read(orderId, { from: 0, to: total });
  return stored.map(({ json }) => JSON.parse(json));
}

const row = (name: string, changes: Partial<CompanyRow> = {}): CompanyRow => ({
  company_name: name,
  website_url: `https://${name.toLowerCase()}.example`,
  ...changes,
});

const byId = (records: readonly CrmRecord[], id: string | undefined) =>
  records.find((record) => record.id === id)?.properties ?? {};

describe('projectToCrm', () => {
  it('creates companies and people that are not there, and links them', async () => {
    const surroundings = await createReady();
    const order = await surroundings.collectDiscovery(250);
    await surroundings.perform('projectToCrm', range(order));
    const people = (await slots(surroundings, order)).flatMap(({ company }) => company.prospects);
    const tally = await surroundings.perform('tallyCrm', order);
    expect(tally).toEqual({ companies: { ...none, created: 250 }, contacts: { ...none, created: people.length } });

    const [companies, contacts] = [await surroundings.records('companies'), await surroundings.records('contacts')];
    expect([companies.length, contacts.length]).toEqual([250, people.length]);
    const [slot] = await slots(surroundings, order);
    const company = companies.find(({ properties }) => properties['domain'] === slot.company.domain);
    expect(company?.properties).toMatchObject({
      prospect_sync_company_key: companyKey(slot.company),
      prospect_sync_order_id: order.orderId,
      prospect_sync_position: '0',
      prospect_sync_status: 'ENRICHED',
      prospect_sync_reason_codes: 'POLICY_ELIGIBLE',
      name: slot.company.name,
      city: slot.company.city,
    });
    const linked = await surroundings.hubspot.associations.read('companies', 'contacts', [company?.id ?? '']);
    const emails = (linked.get(company?.id ?? '') ?? []).map(({ id }) => byId(contacts, id)['email']);
    expect(new Set(emails)).toEqual(new Set(slot.company.prospects.map(({ email }: { email: string }) => email)));
  }, 20_000);

  it('changes nothing when it is repeated', async () => {
    const surroundings = await createReady();
    const order = await surroundings.collectDiscovery(120);
    await surroundings.perform('projectToCrm', range(order));
    const before = [await surroundings.records('companies'), await surroundings.records('contacts')];
    const writes = () =>
      surroundings.portals
        .journal(surroundings.portalId)
        .entries()
        .filter(({ path }) => /batch\/(create|update|upsert)$/.test(path)).length;
    const written = writes();
    surroundings.pass(60);
    await surroundings.perform('projectToCrm', range(order, { projectionId: 'second' }));
    const { companies, contacts } = await surroundings.perform('tallyCrm', order);
    expect(companies).toEqual({ ...none, unchanged: 120 });
    expect(contacts).toEqual({ ...none, unchanged: before[1]?.length });
    expect([await surroundings.records('companies'), await surroundings.records('contacts')]).toEqual(before);
    expect(writes()).toBe(written);
  });

  it('writes a company to the record that a later row submitted for it, and makes no second one', async () => {
    const surroundings = await createReady();
    const [one = '', two = ''] = await surroundings.createRecords('companies', [
      { name: 'Acme' },
      { name: 'ACME Ltd' },
    ]);
    const order = await surroundings.collectEnrichment([
      row('Acme'),
      row('Acme', { external_id: one }),
      row('Acme', { external_id: two }),
    ]);
    for (const projectionId of ['first', 'second']) {
      await surroundings.perform('projectToCrm', range(order, { projectionId }));
      const ended = projectionId === 'first' ? 'updated' : 'unchanged';
      expect(ofCompany(await told(surroundings, order))).toEqual([
        `0 company ${ended}`,
        '1 company skipped same_record',
        `2 company ${ended}`,
      ]);
    }
    expect(await surroundings.records('companies')).toHaveLength(2);
    expect((await outcomes(surroundings, order)).find(({ position }) => position === 2)).toMatchObject({
      recordId: two,
      candidates: [two, one],
    });
    const proof = await surroundings.perform('reconcileRange', { orderId: order.orderId, from: 0, to: 3, crm: true });
    expect(proof).toEqual({ reconciled: 3, findings: [] });
  });

  it('knows its rows again in a set that is not in the order of its positions', async () => {
    const surroundings = await createReady({
      async serviceFetch(request, proceed) {
        const response = await proceed(request);
        if (!request.url.includes('/results') || !response.ok) return response;
        const page = (await response.json()) as { items: { input_position: number }[] };
        for (const slot of page.items) slot.input_position = 9 - slot.input_position;
        return Response.json(page);
      },
    });
    const order = await surroundings.collectDiscovery(10);
    await surroundings.perform('projectToCrm', range(order));
    await surroundings.perform('projectToCrm', range(order, { projectionId: 'second' }));
    expect((await surroundings.perform('tallyCrm', order)).companies).toEqual({ ...none, unchanged: 10 });
  });

  it('finds its records again without the ledger', async () => {
    const surroundings = await createReady();
    const order = await surroundings.collectDiscovery(3);
    await surroundings.perform('projectToCrm', range(order));
    const keys = (await surroundings.records('companies')).map(
      (record) => record.properties['prospect_sync_company_key'] ?? '',
    );
    const astray = keys.map((key) => ({ key, recordId: '1' }));
    await surroundings.ledger.records.save('companies', astray);
    await surroundings.perform('projectToCrm', range(order, { projectionId: 'second' }));
    expect((await surroundings.perform('tallyCrm', order)).companies).toEqual({ ...none, unchanged: 3 });
  });

  it('updates what an earlier order wrote, and fills only what is empty', async () => {
    const surroundings = await createReady();
    const first = await surroundings.collectEnrichment([row('Acme', { city: 'Bern' })]);
    await surroundings.perform('projectToCrm', range(first));
    const [company] = await surroundings.records('companies');
    const edits = { name: 'By hand', city: '', phone: '+41 555 0199' };
    await surroundings.hubspot.objects.update('companies', [{ id: company?.id ?? '', properties: edits }]);
    const second = await surroundings.collectEnrichment([row('Acme', { city: 'Basel' })]);
    await surroundings.perform('projectToCrm', range(second));
    expect(ofCompany(await told(surroundings, second))).toEqual(['0 company updated']);
    expect(await surroundings.records('companies')).toEqual([
      expect.objectContaining({
        id: company?.id,
        properties: expect.objectContaining({
          name: 'By hand',
          phone: '+41 555 0199',
          city: 'Basel',
          prospect_sync_order_id: second.orderId,
        }),
      }),
    ]);
  });

  it('goes on where the last attempt stood', async () => {
    const surroundings = await createReady();
    const order = await surroundings.collectDiscovery(150);
    await surroundings.perform('projectToCrm', range(order), { attempt: 2, heartbeatDetails: { next: 100 } });
    expect(ofCompany(await told(surroundings, order))).toHaveLength(50);
  });

  it('writes nothing again that an earlier attempt has settled', async () => {
    const surroundings = await createReady();
    const order = await surroundings.collectDiscovery(20);
    await surroundings.perform('projectToCrm', range(order));
    const before = await outcomes(surroundings, order);
    surroundings.pass(60);
    await surroundings.perform('projectToCrm', range(order), { attempt: 2 });
    expect(await outcomes(surroundings, order)).toEqual(before);
  });

  it.each([
    ['found again by the client itself', 1],
    ['found again by the next attempt', 2],
  ])('counts as created what a lost answer left behind, %s', async (_, times) => {
    const surroundings = await createReady();
    const order = await surroundings.collectDiscovery(30);
    const lost = { method: 'POST', path: /batch\/upsert$/, commit: true, reset: true, times } as const;
    surroundings.portals.faults(surroundings.portalId).add(lost);
    const input = range(order);
    const attempt = (number: number) => surroundings.perform('projectToCrm', input, { attempt: number });
    await attempt(1).catch(() => attempt(2));
    const people = (await slots(surroundings, order)).flatMap(({ company }) => company.prospects);
    expect(await surroundings.perform('tallyCrm', order)).toEqual({
      companies: { ...none, created: 30 },
      contacts: { ...none, created: people.length },
    });
    expect(await surroundings.records('companies')).toHaveLength(30);
    expect(await surroundings.records('contacts')).toHaveLength(people.length);
  });

  it('counts as updated what a lost answer to an update left behind', async () => {
    const surroundings = await createReady();
    const [id] = await surroundings.createRecords('companies', [{ name: 'Acme', domain: 'acme.example' }]);
    const order = await surroundings.collectEnrichment([row('Acme')]);
    const lost = {
      method: 'POST',
      path: /companies\/batch\/update$/,
      commit: true,
      status: 502,
      times: 1,
    } as const;
    surroundings.portals.faults(surroundings.portalId).add(lost);
    await failure(surroundings.perform('projectToCrm', range(order)));
    await surroundings.perform('projectToCrm', range(order), { attempt: 2 });
    const [company] = await outcomes(surroundings, order);
    expect(company).toMatchObject({ item: 'company', outcome: 'updated', recordId: id });
  });

  it('ends the run when the key lacks a scope, and waits for what passes', async () => {
    const surroundings = await createReady();
    const order = await surroundings.collectDiscovery(2);
    const { portals, portalId } = surroundings;
    const path = /batch\/read$/;
    portals.faults(portalId).add({ path, status: 403, body: { category: 'MISSING_SCOPES' }, times: 1 });
    expect(await failure(surroundings.perform('projectToCrm', range(order)))).toMatchObject({ nonRetryable: true });
    portals.faults(portalId).add({ path, status: 429, headers: { 'Retry-After': '3' }, times: 1 });
    expect(await failure(surroundings.perform('projectToCrm', range(order)))).toMatchObject({
      nonRetryable: false,
      nextRetryDelay: 3_000,
    });
  });
});

describe('projectToCrm, companies', () => {
  it('adopts the one company that has the domain', async () => {
    const surroundings = await createReady();
    const [id] = await surroundings.createRecords('companies', [{ name: 'Old name', domain: 'acme.example' }]);
    const order = await surroundings.collectEnrichment([row('Acme')]);
    await surroundings.perform('projectToCrm', range(order));
    expect(ofCompany(await told(surroundings, order))).toEqual(['0 company updated']);
    const companies = await surroundings.records('companies');
    expect(companies).toHaveLength(1);
    expect(byId(companies, id)).toMatchObject({ name: 'Old name', prospect_sync_company_key: 'acme.example' });
  });

  it('chooses between two companies of one domain: neither', async () => {
    const surroundings = await createReady();
    await surroundings.createRecords('companies', [
      { name: 'One', domain: 'acme.example' },
      { name: 'Two', domain: 'acme.example' },
    ]);
    const order = await surroundings.collectEnrichment([row('Acme'), row('Fine')]);
    await surroundings.perform('projectToCrm', range(order));
    const lines = await told(surroundings, order);
    expect(ofCompany(lines)).toEqual(['0 company quarantined domain_of_several_records', '1 company created']);
    expect(lines).toContain('0 contact:0 skipped company_not_written');
    expect(await surroundings.records('companies')).toHaveLength(3);
  });

  it('does not take a record away from another company of ours', async () => {
    const surroundings = await createReady();
    await surroundings.createRecords('companies', [
      { name: 'Moved', domain: 'acme.example', prospect_sync_company_key: 'other.example' },
    ]);
    const order = await surroundings.collectEnrichment([row('Acme')]);
    await surroundings.perform('projectToCrm', range(order));
    expect(ofCompany(await told(surroundings, order))).toEqual(['0 company quarantined domain_of_another_company']);
    expect((await surroundings.records('companies'))[0]?.properties).toMatchObject({
      prospect_sync_company_key: 'other.example',
    });
  });

  it('updates the record that was submitted, whatever its domain', async () => {
    const surroundings = await createReady();
    const [id] = await surroundings.createRecords('companies', [{ name: 'Submitted' }]);
    const order = await surroundings.collectEnrichment([row('Acme', { external_id: id ?? '' })]);
    await surroundings.perform('projectToCrm', range(order));
    expect(ofCompany(await told(surroundings, order))).toEqual(['0 company updated']);
    const companies = await surroundings.records('companies');
    expect(companies).toHaveLength(1);
    expect(byId(companies, id)).toMatchObject({
      name: 'Submitted',
      domain: 'acme.example',
      prospect_sync_status: 'ENRICHED',
    });
  });

  it.each(['99999999', 'notanumber'])(
    'makes no new record for the submitted record %s, which the CRM does not have',
    async (id) => {
      const surroundings = await createReady();
      const order = await surroundings.collectEnrichment([row('Acme', { external_id: id })]);
      await surroundings.perform('projectToCrm', range(order));
      expect(ofCompany(await told(surroundings, order))).toEqual(['0 company quarantined submitted_record_missing']);
      expect(await surroundings.records('companies')).toEqual([]);
    },
  );

  it('takes external ids for what they are when they are not record ids', async () => {
    const surroundings = await createReady();
    const [id] = await surroundings.createRecords('companies', [{ name: 'Somebody else' }]);
    const order = await surroundings.collectEnrichment([row('Acme', { external_id: id ?? '' })]);
    const known = await surroundings.ledger.orders.get(order.orderId);
    if (known !== undefined) await surroundings.ledger.orders.save({ ...known, externalIdsAreRecordIds: false });
    await surroundings.perform('projectToCrm', range(order));
    expect(ofCompany(await told(surroundings, order))).toEqual(['0 company created']);
    expect(byId(await surroundings.records('companies'), id)['prospect_sync_status']).toBeNull();
  });

  it('tells a submitted record how its row ended when it was not enriched, and nothing else', async () => {
    const surroundings = await createReady();
    const ids = await surroundings.createRecords('companies', [
      { name: 'Moved' },
      { name: 'Unknown' },
      { name: 'Blocked' },
    ]);
    const hosts = ['website-moved', 'unresolved-identity', 'blocked-for-review'];
    const order = await surroundings.collectEnrichment([
      ...hosts.map((host, index) =>
        row('X', { website_url: `https://x${index}.${host}.example`, external_id: ids[index] ?? '' }),
      ),
      row('NoId', { website_url: 'https://y.website-empty.example' }),
      row('Gone', { website_url: 'https://z.website-empty.example', external_id: '404' }),
    ]);
    await surroundings.perform('projectToCrm', range(order));
    expect(ofCompany(await told(surroundings, order))).toEqual([
      '0 company updated',
      '1 company updated',
      '2 company updated',
      '3 company skipped not_enriched',
      '4 company quarantined submitted_record_missing',
    ]);
    const companies = await surroundings.records('companies');
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
      prospect_sync_status: 'PARTIAL',
      prospect_sync_reason_codes: 'WEBSITE_MOVED',
      prospect_sync_mapping_version: crmPlan.mappingVersion,
    });
    expect(byId(companies, ids[1])).toMatchObject({ prospect_sync_status: 'UNRESOLVED', domain: null });
    expect(byId(companies, ids[2])).toMatchObject({ prospect_sync_status: 'BLOCKED', domain: null });
    expect(await surroundings.records('contacts')).toEqual([]);
  });

  it.each([[2], [120]])('lets one row have a record that %i rows submitted', async (rows) => {
    const surroundings = await createReady();
    const [id = ''] = await surroundings.createRecords('companies', [{ name: 'Acme' }]);
    const between = Array.from({ length: rows - 2 }, (_, index) => row(`Company-${index}`));
    const order = await surroundings.collectEnrichment([
      row('Acme', { external_id: id }),
      ...between,
      row('Acme', { external_id: id }),
    ]);
    for (const projectionId of ['first', 'second']) {
      await surroundings.perform('projectToCrm', range(order, { projectionId }));
      const lines = ofCompany(await told(surroundings, order));
      expect(lines[0]).toBe(`0 company ${projectionId === 'first' ? 'updated' : 'unchanged'}`);
      expect(lines.at(-1)).toBe(`${rows - 1} company skipped same_record`);
      const properties = byId(await surroundings.records('companies'), id);
      expect(properties).toMatchObject({ prospect_sync_status: 'ENRICHED', prospect_sync_position: '0' });
    }
    const proof = await surroundings.perform('reconcileRange', {
      orderId: order.orderId,
      from: 0,
      to: rows,
      crm: true,
    });
    expect(proof).toEqual({ reconciled: rows, findings: [] });
  });

  it.each([[2], [1_002]])(
    'lets the enriched one of %i rows have the record, also when it comes last',
    async (rows) => {
      const surroundings = await createReady();
      const [id = ''] = await surroundings.createRecords('companies', [{ name: 'Acme' }]);
      const between = Array.from({ length: rows - 2 }, (_, index) => row(`Company-${index}`));
      const order = await surroundings.collectEnrichment([
        row('Moved', { website_url: 'https://a.website-moved.example', external_id: id }),
        ...between,
        row('Acme', { external_id: id }),
      ]);
      for (const projectionId of ['first', 'second']) {
        await surroundings.perform('projectToCrm', range(order, { projectionId }));
        const lines = ofCompany(await told(surroundings, order));
        // Rows of another batch are not seen before their turn: the first pass tells the record both, in their order.
        const isUnseen = rows > 1_000 && projectionId === 'first';
        expect(lines[0]).toBe(isUnseen ? '0 company updated' : '0 company skipped same_record');
        expect(lines.at(-1)).toBe(`${rows - 1} company ${projectionId === 'first' ? 'updated' : 'unchanged'}`);
        expect(byId(await surroundings.records('companies'), id)).toMatchObject({
          domain: 'acme.example',
          prospect_sync_status: 'ENRICHED',
          prospect_sync_position: String(rows - 1),
          prospect_sync_company_key: 'acme.example',
        });
        const proof = { orderId: order.orderId, from: 0, to: rows, crm: true };
        expect(await surroundings.perform('reconcileRange', proof)).toEqual({ reconciled: rows, findings: [] });
      }
    },
    20_000,
  );

  it('writes one company once that stands in two batches, whoever comes first', async () => {
    const surroundings = await createReady({
      async serviceFetch(request, proceed) {
        const response = await proceed(request);
        if (!request.url.includes('offset=100') || !response.ok) return response;
        const page = (await response.json()) as { items: { company: object }[] };
        Object.assign(page.items[10]?.company ?? {}, { domain: 'www.Acme.example' });
        return Response.json(page);
      },
    });
    const rows = Array.from({ length: 120 }, (_, index) => row(index === 5 ? 'Acme' : `Company-${index}`));
    const order = await surroundings.collectEnrichment(rows);
    for (const projectionId of ['first', 'second']) {
      await surroundings.perform('projectToCrm', range(order, { projectionId }));
      const lines = ofCompany(await told(surroundings, order));
      expect(lines[5]).toBe(`5 company ${projectionId === 'first' ? 'created' : 'unchanged'}`);
      expect(lines[110]).toBe('110 company skipped same_company');
      const companies = await surroundings.records('companies');
      expect(companies).toHaveLength(119);
      const acme = companies.filter(({ properties }) => properties['prospect_sync_company_key'] === 'acme.example');
      expect(acme.map(({ properties }) => properties['prospect_sync_position'])).toEqual(['5']);
    }
  });

  it('writes what there is of companies and people of whom hardly anything is told', async () => {
    const surroundings = await createReady({
      async serviceFetch(request, proceed) {
        const response = await proceed(request);
        if (!request.url.includes('/results') || !response.ok) return response;
        const page = (await response.json()) as { items: Record<string, unknown>[] };
        const ids = page.items.map(({ company }) => (company as { id: string }).id);
        Object.assign(page.items[0] ?? {}, { company: { id: ids[0] }, external_id: null });
        const prospects = [{}, { email: 'anna@acme.example' }];
        Object.assign(page.items[1] ?? {}, { company: { id: ids[1], domain: 'acme.example', prospects } });
        Object.assign(page.items[2] ?? {}, { company: { id: ids[2], name: 'Three', prospects: null } });
        return Response.json(page);
      },
    });
    const order = await surroundings.collectEnrichment([row('One'), row('Two'), row('Three')]);
    await surroundings.perform('projectToCrm', range(order));
    expect(await told(surroundings, order)).toEqual([
      // HubSpot takes no company that has neither name nor domain.
      '0 company quarantined VALIDATION_ERROR',
      '1 company created',
      '1 contact:0 skipped no_email',
      '1 contact:1 created',
      '2 company created',
    ]);
    const proof = { orderId: order.orderId, from: 0, to: 3, crm: true };
    expect(await surroundings.perform('reconcileRange', proof)).toEqual({
      reconciled: 2,
      findings: [{ code: 'crm_company_quarantined', count: 1, positions: [0] }],
    });
  });

  it('does not trust a record id of the ledger whose record is another company by now', async () => {
    const surroundings = await createReady();
    const [other = ''] = await surroundings.createRecords('companies', [{ name: 'Other', domain: 'other.example' }]);
    await surroundings.ledger.records.save('companies', [{ key: 'acme.example', recordId: other }]);
    const order = await surroundings.collectEnrichment([row('Acme')]);
    await surroundings.perform('projectToCrm', range(order));
    expect(ofCompany(await told(surroundings, order))).toEqual(['0 company created']);
    expect(byId(await surroundings.records('companies'), other)).toMatchObject({
      name: 'Other',
      prospect_sync_status: null,
    });
    const known = await surroundings.ledger.records.ids('companies', ['acme.example']);
    expect(known.get('acme.example')).not.toBe(other);
  });

  it('writes to the submitted record without the key that another record holds, and names both', async () => {
    const surroundings = await createReady();
    const [one = '', two = ''] = await surroundings.createRecords('companies', [{ name: 'One' }, { name: 'Two' }]);
    const key = { prospect_sync_company_key: 'acme.example' };
    await surroundings.hubspot.objects.update('companies', [{ id: one, properties: key }]);
    const order = await surroundings.collectEnrichment([row('Acme', { external_id: two }), row('Fine')]);
    await surroundings.perform('projectToCrm', range(order));
    expect(ofCompany(await told(surroundings, order))).toEqual(['0 company updated', '1 company created']);
    const companies = await surroundings.records('companies');
    expect(byId(companies, two)).toMatchObject({ prospect_sync_company_key: null, domain: 'acme.example' });
    expect(byId(companies, one)).toMatchObject({ prospect_sync_company_key: 'acme.example', domain: null });
    expect((await outcomes(surroundings, order))[0]).toMatchObject({
      matchedBy: 'external_id',
      candidates: [two, one],
      recordId: two,
    });
  });
});

describe('projectToCrm, people', () => {
  /** One company; `change` sees its people before they are published. */
  async function withPeople(change: (prospects: Record<string, unknown>[]) => void, rows = [row('Acme')]) {
    const surroundings = await createReady({
      async serviceFetch(request, proceed) {
        const response = await proceed(request);
        if (!request.url.includes('/results') || !response.ok) return response;
        const page = (await response.json()) as {
          items: { company: { prospects: Record<string, unknown>[] } | null }[];
        };
        const shape = page.items[0]?.company?.prospects[0] ?? {};
        for (const { company } of page.items) {
          if (company === null) continue;
          company.prospects = [{ ...shape }, { ...shape }];
          company.prospects.forEach((prospect, index) => {
            prospect['email'] = `person-${index}@${(company as never as { domain: string }).domain}`;
          });
          change(company.prospects);
        }
        return Response.json(page);
      },
    });
    const order = await surroundings.collectEnrichment(rows);
    return { ...surroundings, order };
  }

  const contactsOf = async (surroundings: ActivityHarness & { order: Collected }) =>
    (await told(surroundings, surroundings.order)).filter((line) => line.includes('contact')).sort();

  it('knows a contact by its address, however that is written', async () => {
    const surroundings = await withPeople((prospects) => {
      Object.assign(prospects[0] ?? {}, { email: ' Anna@ACME.example ', first_name: 'Anna', job_title: 'Head' });
    });
    const [id = ''] = await surroundings.createRecords('contacts', [{ email: 'anna@acme.example', firstname: 'Anne' }]);
    await surroundings.perform('projectToCrm', range(surroundings.order));
    expect(await contactsOf(surroundings)).toEqual(['0 contact:0 updated', '0 contact:1 created']);
    const contacts = await surroundings.records('contacts');
    expect(contacts).toHaveLength(2);
    expect(byId(contacts, id)).toMatchObject({
      firstname: 'Anne',
      jobtitle: 'Head',
      prospect_sync_contact_key: contactKey({ email: 'anna@acme.example', id: 'x' }, { id: 'x', prospects: [] }),
    });
    const linked = await surroundings.hubspot.associations.read(
      'contacts',
      'companies',
      contacts.map((record) => record.id),
    );
    expect(linked.size).toBe(2);
  });

  it('quarantines a person whose address the CRM refuses, and writes the others', async () => {
    const surroundings = await withPeople((prospects) => {
      Object.assign(prospects[0] ?? {}, { email: 'anna@geheim.invalid' });
    });
    await surroundings.perform('projectToCrm', range(surroundings.order));
    expect(await contactsOf(surroundings)).toEqual([
      '0 contact:0 quarantined INVALID_EMAIL:email',
      '0 contact:1 created',
    ]);
    expect((await surroundings.perform('tallyCrm', surroundings.order)).contacts).toEqual({
      ...none,
      created: 1,
      quarantined: 1,
    });
  });

  it('leaves out whom nothing is known by, and whoever is there twice', async () => {
    const surroundings = await withPeople(
      (prospects) => {
        Object.assign(prospects[0] ?? {}, { email: null });
        Object.assign(prospects[1] ?? {}, { email: 'anna@shared.example' });
      },
      [row('Acme'), row('Other')],
    );
    await surroundings.perform('projectToCrm', range(surroundings.order));
    expect(await contactsOf(surroundings)).toEqual([
      '0 contact:0 skipped no_email',
      '0 contact:1 created',
      '1 contact:0 skipped no_email',
      '1 contact:1 skipped same_person',
    ]);
  });

  it('links after an attempt that had written people but not linked them', async () => {
    const surroundings = await withPeople(() => undefined);
    const { portals, portalId, order } = surroundings;
    portals.faults(portalId).add({ path: /\/associations\//, status: 503, times: 1 });
    expect((await failure(surroundings.perform('projectToCrm', range(order)))).nonRetryable).toBe(false);
    await surroundings.perform('projectToCrm', range(order), { attempt: 2 });
    expect(await contactsOf(surroundings)).toEqual(['0 contact:0 created', '0 contact:1 created']);
    const ids = (await surroundings.records('contacts')).map(({ id }) => id);
    expect((await surroundings.hubspot.associations.read('contacts', 'companies', ids)).size).toBe(2);
  });
});

describe('prepareCrm', () => {
  it('creates the properties once', async () => {
    const { perform } = await createActivityHarness();
    expect((await perform('prepareCrm', {})).created).toBeGreaterThan(10);
    expect(await perform('prepareCrm', {})).toEqual({ created: 0 });
  });

  it('ends the run when the portal has a property of that name which cannot hold what is written', async () => {
    const { perform, hubspot, portals, portalId } = await createActivityHarness();
    const group = { name: 'own', label: 'Own' };
    const status = { name: 'prospect_sync_status', label: 'Taken', type: 'number', fieldType: 'number' } as const;
    await hubspot.properties.ensure('companies', { group, properties: [status] });
    const outcome = await failure(perform('prepareCrm', {}));
    expect(outcome).toMatchObject({ type: 'PROPERTY_TYPE_DIFFERS', nonRetryable: true });
    expect(outcome.message).toContain('prospect_sync_status');
    expect(portals.journal(portalId).entries()).not.toEqual([]);
  });

  it('ends the run when a mapped property is not there, and names it', async () => {
    const { perform, configureMapping } = await createActivityHarness();
    const field = { from: 'company.industry', transform: null, policy: 'always' } as const;
    const mapping = { ...defaultMapping, companies: { ...defaultMapping.companies, no_such_property: field } };
    configureMapping(toCrmPlan(mapping, defaultContactPolicy));
    const outcome = await failure(perform('prepareCrm', {}));
    expect(outcome).toMatchObject({ type: 'PROPERTY_MISSING', nonRetryable: true });
    expect(outcome.message).toContain('no_such_property');
  });
});

describe('prepareCrm, before anything is bought', () => {
  it.each([
    ['PROPERTY_READ_ONLY', 'hs_object_id', 'company.id'],
    ['PROPERTY_TYPE_DIFFERS', 'closedate', 'company.name'],
    ['PROPERTY_OPTION_MISSING', 'lifecyclestage', 'slot.status'],
  ])('ends the run with %s when a mapped property can never be written', async (type, property, from) => {
    const { perform, configureMapping } = await createActivityHarness();
    const companies = { ...defaultMapping.companies, [property]: { from, transform: null, policy: 'always' } as const };
    configureMapping(toCrmPlan({ ...defaultMapping, companies }, defaultContactPolicy));
    const outcome = await failure(perform('prepareCrm', {}));
    expect(outcome).toMatchObject({ type, nonRetryable: true });
    expect(outcome.message).toContain(`(${type}: ${property})`);
  });

  it('ends the run when the key may read everything and not write', async () => {
    const { perform, portals, portalId, hubspot } = await createActivityHarness();
    await perform('prepareCrm', {});
    const body = {
      category: 'MISSING_SCOPES',
      errors: [{ context: { requiredGranularScopes: ['crm.objects.contacts.write'] } }],
    };
    portals.faults(portalId).add({ path: /contacts\/batch\/update$/, status: 403, body, times: 1 });
    const outcome = await failure(perform('prepareCrm', {}));
    expect(outcome).toMatchObject({ nonRetryable: true });
    expect(outcome.message).toContain('MISSING_SCOPES: crm.objects.contacts.write');
    for await (const page of hubspot.objects.list('companies', { properties: [] })) expect(page).toEqual([]);
  });
});

function pick(properties: CrmRecord['properties'], names: readonly string[]) {
  return Object.fromEntries(names.flatMap((name) => (name in properties ? [[name, properties[name]]] : [])));
}
