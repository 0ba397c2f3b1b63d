import { openPortal, specs } from './hubspot-harness.ts';

const path = '/crm/v4/associations/contacts/companies/batch';
const back = '/crm/v4/associations/companies/contacts/batch';
async function linkedPortal(options = {}) {
  const portal = openPortal(options);
  const contacts = await portal.create('contacts', { lastname: 'A' }, { lastname: 'B' });
  const companies = await portal.create('companies', { name: 'X' }, { name: 'Y' });
  const pair = (contact: number, company: number) => ({
    from: { id: contacts[contact] },
    to: { id: companies[company] },
  });
  const link = (inputs: unknown[]) => portal.call('POST', `${path}/associate/default`, { inputs });
  const of = (contact: 0 | 1) => portal.typesOf('contacts', contacts[contact], 'companies');
  return { ...portal, contacts, companies, pair, link, of };
}

describe('associations', () => {
  it('links without a label by default, visible from both sides', async () => {
    const { link, pair, call, contacts, companies } = await linkedPortal();
    const { status, body } = await link([pair(0, 0), pair(1, 0)]);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'COMPLETE', results: expect.any(Array) });
    expect(body.results).toContainEqual({ ...pair(0, 0), associationSpec: specs(279)[0] });
    const from = await call('POST', `${path}/read`, { inputs: [{ id: contacts[0] }] });
    expect(from.body.results).toEqual([
      {
        from: { id: contacts[0] },
        to: [
          { toObjectId: companies[0], associationTypes: [{ category: 'HUBSPOT_DEFINED', typeId: 279, label: null }] },
        ],
      },
    ]);
    const to = await call('POST', `${back}/read`, { inputs: [{ id: companies[0] }] });
    expect(to.body.results[0].to.map((link) => link.toObjectId)).toEqual(contacts);
    expect(to.body.results[0].to[0].associationTypes).toMatchObject([{ typeId: 280 }]);
  });

  it('keeps the label when the same pair is linked again', async () => {
    const { link, pair, call, of, companies } = await linkedPortal();
    await link([pair(0, 0)]);
    await call('POST', `${path}/create`, { inputs: [{ ...pair(0, 0), types: specs(1) }] });
    expect((await link([pair(0, 0)])).status).toBe(200);
    expect(await of(0)).toEqual({ [companies[0]]: [1, 279] });
  });

  it('allows one primary company per contact; a new one replaces it', async () => {
    const { call, pair, of, companies } = await linkedPortal();
    const { status, body } = await call('POST', `${path}/create`, { inputs: [{ ...pair(0, 0), types: specs(1) }] });
    expect(status).toBe(201);
    expect(body.results).toEqual([
      {
        fromObjectTypeId: '0-1',
        fromObjectId: pair(0, 0).from.id,
        toObjectTypeId: '0-2',
        toObjectId: companies[0],
        labels: ['Primary'],
      },
    ]);
    await call('POST', `${back}/create`, { inputs: [{ from: pair(0, 1).to, to: pair(0, 1).from, types: specs(2) }] });
    expect(await of(0)).toEqual({ [companies[0]]: [279], [companies[1]]: [1, 279] });
  });

  it('removes labels that are not sent, and refuses types of the other direction', async () => {
    const { call, pair, of, companies } = await linkedPortal();
    await call('POST', `${path}/create`, { inputs: [{ ...pair(0, 0), types: specs(1, 279) }] });
    await call('POST', `${path}/create`, { inputs: [{ ...pair(0, 0), types: specs(279) }] });
    expect(await of(0)).toEqual({ [companies[0]]: [279] });
    expect((await call('POST', `${path}/create`, { inputs: [{ ...pair(0, 0), types: specs(280) }] })).status).toBe(400);
  });

  it('makes the first company primary when that is assumed', async () => {
    const { link, pair, of, companies } = await linkedPortal({ assumed: { firstCompanyBecomesPrimary: true } });
    await link([pair(0, 0), pair(0, 1)]);
    expect(await of(0)).toEqual({ [companies[0]]: [1, 279], [companies[1]]: [279] });
  });

  it('reports missing records in a 207 and links the others', async () => {
    const { link, pair, of, companies } = await linkedPortal();
    const { status, body } = await link([pair(0, 0), { from: { id: '42' }, to: { id: companies[0] } }]);
    expect(status).toBe(207);
    expect(body).toMatchObject({
      numErrors: 1,
      errors: [{ category: 'OBJECT_NOT_FOUND', context: { fromObjectId: ['42'] } }],
    });
    expect(await of(0)).toEqual({ [companies[0]]: [279] });
  });

  it('reports records without links in a 207', async () => {
    const { link, pair, call, contacts } = await linkedPortal();
    await link([pair(0, 0)]);
    const { status, body } = await call('POST', `${path}/read`, { inputs: contacts.map((id) => ({ id })) });
    expect(status).toBe(207);
    expect(body.results).toHaveLength(1);
    expect(body.errors).toEqual([
      {
        status: 'error',
        category: 'OBJECT_NOT_FOUND',
        subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND',
        message: `No company is associated with contact ${contacts[1]}.`,
        context: { fromObjectId: [contacts[1]], fromObjectType: ['contact'], toObjectType: ['company'] },
      },
    ]);
  });

  it('reads 1,000 ids and refuses 1,001; creates 2,000 and refuses 2,001', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `${i}` }));
    const { call, link, pair } = await linkedPortal();
    const many = (count: number) => Array.from({ length: count }, () => pair(0, 0));
    expect((await call('POST', `${path}/read`, { inputs: ids(1000) })).status).toBe(207);
    expect((await call('POST', `${path}/read`, { inputs: ids(1001) })).status).toBe(400);
    expect((await link(many(2000))).status).toBe(200);
    expect((await link(many(2001))).status).toBe(400);
    const labelled = many(2001).map((input) => ({ ...input, types: specs(1) }));
    expect((await call('POST', `${path}/create`, { inputs: labelled })).status).toBe(400);
  });

  it('pages the links of a record in batch and single reads', async () => {
    const { link, pair, call, contacts, companies } = await linkedPortal({ assumed: { associationPageLimit: 1 } });
    await link([pair(0, 0), pair(0, 1)]);
    const first = await call('POST', `${path}/read`, { inputs: [{ id: contacts[0] }] });
    const after = first.body.results[0].paging?.next.after;
    const second = await call('POST', `${path}/read`, { inputs: [{ id: contacts[0], after }] });
    const seen = [...first.body.results[0].to, ...second.body.results[0].to].map((link) => link.toObjectId);
    expect(seen).toEqual(companies);
    expect(second.body.results[0]).not.toHaveProperty('paging');
    const single = `/crm/v4/objects/contacts/${contacts[0]}/associations/companies`;
    const page = await call('GET', `${single}?limit=1`);
    expect((await call('GET', `${single}?after=${page.body.paging?.next.after}`)).body.results).toMatchObject([
      { toObjectId: companies[1] },
    ]);
    expect((await call('GET', '/crm/v4/objects/contacts/42/associations/companies')).status).toBe(404);
  });

  it('removes links with their labels from both sides', async () => {
    const { call, pair, of, companies } = await linkedPortal();
    await call('POST', `${path}/create`, { inputs: [{ ...pair(0, 0), types: specs(1) }] });
    const inputs = [{ from: pair(0, 0).from, to: [pair(0, 0).to, { id: '42' }] }];
    expect((await call('POST', `${path}/archive`, { inputs })).status).toBe(204);
    expect(await of(0)).toEqual({});
    expect((await call('POST', `${back}/read`, { inputs: [{ id: companies[0] }] })).body.results).toEqual([]);
  });

  it.each(['/crm/v4/objects', '/crm/objects/2026-03', '/crm/objects/2026-09'])(
    'links, labels and unlinks one pair on %s',
    async (base) => {
      const { call, of, contacts, companies } = await linkedPortal();
      const [contact, company] = [contacts[0], companies[0]];
      const link = await call('PUT', `${base}/contacts/${contact}/associations/default/companies/${company}`);
      expect([link.status, link.body]).toEqual([200, expect.objectContaining({ status: 'COMPLETE' })]);
      expect(link.body.results).toEqual([
        { from: { id: contact }, to: { id: company }, associationSpec: specs(279)[0] },
        { from: { id: company }, to: { id: contact }, associationSpec: specs(280)[0] },
      ]);
      const one = `${base}/contacts/${contact}/associations/companies/${company}`;
      expect(await call('PUT', one, specs(1))).toEqual({
        status: 201,
        body: {
          fromObjectTypeId: '0-1',
          fromObjectId: contact,
          toObjectTypeId: '0-2',
          toObjectId: company,
          labels: ['Primary'],
        },
      });
      expect(await of(0)).toEqual({ [company]: [1, 279] });
      expect((await call('PUT', one, specs(2))).status).toBe(400);
      expect((await call('PUT', `${base}/contacts/42/associations/companies/${company}`, specs(1))).status).toBe(404);
      expect((await call('PUT', `${base}/contacts/${contact}/associations/default/companies/42`)).status).toBe(404);
      expect([(await call('DELETE', one)).status, (await call('DELETE', one)).status]).toEqual([204, 204]);
      expect(await of(0)).toEqual({});
    },
  );

  it('shows links as v3 does: one row for each type', async () => {
    const { call, pair, contacts, companies } = await linkedPortal();
    await call('POST', `${path}/create`, { inputs: [{ ...pair(0, 0), types: specs(1) }] });
    const rows = [
      { id: companies[0], type: 'contact_to_company' },
      { id: companies[0], type: 'contact_to_company_unlabeled' },
    ];
    const single = await call('GET', `/crm/v3/objects/contacts/${contacts[0]}/associations/companies`);
    expect(single).toEqual({ status: 200, body: { results: rows } });
    const inputs = contacts.map((id) => ({ id }));
    const { status, body } = await call('POST', '/crm/v3/associations/contacts/companies/batch/read', { inputs });
    expect([status, body.results]).toEqual([207, [{ from: { id: contacts[0] }, to: rows }]]);
    expect(body.errors).toMatchObject([{ message: `No company is associated with contact ${contacts[1]}.` }]);
    expect((await call('GET', '/crm/v3/associations/contacts/companies/types')).body.results).toEqual([
      { id: '1', name: 'contact_to_company' },
      { id: '279', name: 'contact_to_company_unlabeled' },
    ]);
  });

  it('finds no links with records of other types', async () => {
    const { call, contacts } = await linkedPortal();
    const inputs = [{ id: contacts[0] }];
    for (const base of ['/crm/v4/associations', '/crm/v3/associations', '/crm/associations/2026-09']) {
      const { status, body } = await call('POST', `${base}/contacts/tickets/batch/read`, { inputs });
      expect([status, body.results]).toEqual([base.endsWith('2026-09') ? 200 : 207, []]);
      expect(body.errors).toMatchObject([{ subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND' }]);
    }
    for (const base of ['/crm/v4/objects', '/crm/v3/objects', '/crm/objects/2026-09']) {
      const path = `${base}/contacts/${contacts[0]}/associations/2-123456`;
      expect(await call('GET', path)).toEqual({ status: 200, body: { results: [] } });
    }
  });

  it('does not show links to archived records', async () => {
    const { link, pair, call, of, companies } = await linkedPortal();
    await link([pair(0, 0), pair(0, 1)]);
    await call('DELETE', `/crm/v3/objects/companies/${companies[0]}`);
    expect(await of(0)).toEqual({ [companies[1]]: [279] });
  });

  it('returns ids as numbers when that is assumed', async () => {
    const { link, pair, call, contacts, companies } = await linkedPortal({
      assumed: { associationIdsAsNumbers: true },
    });
    await link([pair(0, 0)]);
    const { body } = await call('GET', `/crm/v4/objects/contacts/${contacts[0]}/associations/companies`);
    expect(body.results[0].toObjectId).toBe(Number(companies[0]));
  });
});
