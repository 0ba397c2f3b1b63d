import { AssociationTypes } from '@hubspot/api-client';
import { openPortal, specs } from './hubspot-harness.ts';

const ofEach = {
  contacts: { lastname: 'A' },
  companies: { name: 'A' },
  deals: { dealname: 'A', dealstage: 'contractsent' },
  notes: { hs_timestamp: '2026-11-21T10:00:00Z' },
  tasks: { hs_timestamp: '2026-11-21T10:00:00Z' },
};

const t = AssociationTypes;
const pairs = [
  ['contacts', 'companies', t.contactToCompany, t.companyToContact],
  ['deals', 'companies', t.dealToCompany, t.companyToDeal],
  ['deals', 'contacts', t.dealToContact, t.contactToDeal],
  ['notes', 'contacts', t.noteToContact, t.contactToNote],
  ['notes', 'companies', t.noteToCompany, t.companyToNote],
  ['notes', 'deals', t.noteToDeal, t.dealToNote],
  ['tasks', 'contacts', t.taskToContact, t.contactToTask],
  ['tasks', 'companies', t.taskToCompany, t.companyToTask],
  ['tasks', 'deals', t.taskToDeal, t.dealToTask],
  ['contacts', 'contacts', t.contactToContact, t.contactToContact],
  ['companies', 'companies', t.companyToCompany, t.companyToCompany],
  ['deals', 'deals', t.dealToDeal, t.dealToDeal],
] as const;

async function linkable(from: keyof typeof ofEach, to: keyof typeof ofEach) {
  const portal = openPortal();
  const [a] = await portal.create(from, ofEach[from]);
  const [b] = await portal.create(to, ofEach[to]);
  const write = (action: string, inputs: object[], path = `${from}/${to}`) =>
    portal.call('POST', `/crm/v4/associations/${path}/batch/${action}`, { inputs });
  return { ...portal, a, b, link: { from: { id: a }, to: { id: b } }, write };
}

describe('types of associations', () => {
  it.each(pairs)('links %s and %s without a label as %i, and back as %i', async (from, to, forward, backward) => {
    const { a, b, link, write, typesOf } = await linkable(from, to);
    const { status, body } = await write('associate/default', [link]);
    expect(status).toBe(200);
    expect(body.results).toHaveLength(2);
    expect(body.results).toContainEqual({ ...link, associationSpec: specs(forward)[0] });
    expect(body.results).toContainEqual({ from: link.to, to: link.from, associationSpec: specs(backward)[0] });
    expect(await typesOf(from, a, to)).toEqual({ [b]: [forward] });
    expect(await typesOf(to, b, from)).toEqual({ [a]: [backward] });
    expect((await write('create', [{ ...link, types: specs(9999) }])).status).toBe(400);
  });

  it('lists the types of a pair', async () => {
    const { call } = openPortal();
    expect((await call('GET', '/crm/v4/associations/deals/companies/labels')).body.results).toEqual([
      { category: 'HUBSPOT_DEFINED', typeId: t.primaryDealToCompany, label: 'Primary' },
      { category: 'HUBSPOT_DEFINED', typeId: t.dealToCompany, label: null },
    ]);
  });

  it('allows one primary company per deal, and several deals per primary company', async () => {
    const { a, b, write, create, typesOf } = await linkable('deals', 'companies');
    const [other] = await create('companies', { name: 'B' });
    const [second] = await create('deals', { ...ofEach.deals, dealname: 'B' });
    const primary = (deal: string, company: string) => ({ from: { id: deal }, to: { id: company }, types: specs(5) });
    await write('create', [primary(a, b), primary(second, b), primary(a, other)]);
    expect(await typesOf('deals', a, 'companies')).toEqual({ [b]: [341], [other]: [5, 341] });
    expect(await typesOf('companies', b, 'deals')).toEqual({ [a]: [342], [second]: [6, 342] });
  });

  it('allows one parent per company', async () => {
    const { a, b, link, write, create, typesOf } = await linkable('companies', 'companies');
    const [other] = await create('companies', { name: 'B' });
    expect((await write('create', [{ ...link, types: specs(t.childToParentCompany) }])).body.results).toMatchObject([
      { labels: ['Parent Company'] },
    ]);
    expect(await typesOf('companies', b, 'companies')).toEqual({ [a]: [13, 450] });
    await write('create', [{ from: { id: other }, to: { id: a }, types: specs(t.parentToChildCompany) }]);
    expect(await typesOf('companies', a, 'companies')).toEqual({ [b]: [450], [other]: [14, 450] });
  });

  it('removes labels and keeps the link, unless the unlabelled type is removed', async () => {
    const { a, b, link, write, typesOf } = await linkable('contacts', 'companies');
    await write('create', [{ ...link, types: specs(1, 279) }]);
    expect(await write('labels/archive', [{ ...link, types: specs(1) }])).toEqual({ status: 204, body: undefined });
    expect(await typesOf('contacts', a, 'companies')).toEqual({ [b]: [279] });
    await write('create', [{ ...link, types: specs(1) }]);
    expect((await write('labels/archive', [{ ...link, types: specs(279) }])).status).toBe(204);
    expect(await typesOf('contacts', a, 'companies')).toEqual({});
    expect((await write('labels/archive', [{ ...link, types: specs(279) }])).status).toBe(204);
    expect((await write('labels/archive', [{ ...link, types: specs(5) }])).status).toBe(400);
  });

  it('links a new note to a contact and a company at once', async () => {
    const { call, create, typesOf } = await linkable('notes', 'contacts');
    const [contact] = await create('contacts', { lastname: 'B' });
    const [company] = await create('companies', { name: 'B' });
    const associations = [
      { to: { id: contact }, types: specs(202) },
      { to: { id: company }, types: specs(190) },
    ];
    const body = { properties: ofEach.notes, associations };
    const { status, body: note } = await call('POST', '/crm/v3/objects/notes', body);
    expect(status).toBe(201);
    expect(await typesOf('contacts', contact, 'notes')).toEqual({ [note.id]: [201] });
    expect(await typesOf('companies', company, 'notes')).toEqual({ [note.id]: [189] });
    const wrong = { ...body, associations: [{ to: { id: company }, types: specs(202) }] };
    expect((await call('POST', '/crm/v3/objects/notes', wrong)).status).toBe(400);
  });
});

describe('custom labels', () => {
  const paying = { label: 'Pays', name: 'pays', inverseLabel: 'Paid by' };
  const own = (...ids: number[]) => ids.map((id) => ({ associationCategory: 'USER_DEFINED', associationTypeId: id }));
  const labelsOf = async ({ call }: Pick<Awaited<ReturnType<typeof linkable>>, 'call'>, path: string) =>
    (await call('GET', path)).body.results.map((link) => link.associationTypes);

  it.each(['/crm/v4/associations', '/crm/associations/2026-03', '/crm/associations/2026-09'])(
    'are defined for both directions on %s',
    async (base) => {
      const { call } = openPortal();
      const near = { category: 'USER_DEFINED', typeId: 1, label: 'Pays' };
      const far = { category: 'USER_DEFINED', typeId: 2, label: 'Paid by' };
      const path = `${base}/contacts/companies/labels`;
      expect(await call('POST', path, paying)).toEqual({ status: 200, body: { results: [near, far] } });
      const listed = async (ends: string) => (await call('GET', `${base}/${ends}/labels`)).body.results;
      // As seen: the number alone does not say which type is meant.
      expect(await listed('contacts/companies')).toEqual([
        { category: 'HUBSPOT_DEFINED', typeId: 1, label: 'Primary' },
        near,
        { category: 'HUBSPOT_DEFINED', typeId: 279, label: null },
      ]);
      expect(await listed('companies/contacts')).toContainEqual(far);
      expect(await listed('deals/contacts')).toHaveLength(1);
      expect((await call('POST', path, paying)).status).toBe(400);
      const more = await call('POST', path, { label: 'Knows', name: 'knows' });
      expect(more.body.results).toMatchObject([
        { typeId: 3, label: 'Knows' },
        { typeId: 4, label: 'Knows' },
      ]);
    },
  );

  it.each([
    { label: 'A' },
    { name: 'a' },
    { label: '', name: 'a' },
    { label: 'A', name: 'a-b' },
    { label: 'A', name: '1a' },
  ])('are not created from %j', async (body) => {
    expect((await openPortal().call('POST', '/crm/v4/associations/contacts/companies/labels', body)).status).toBe(400);
  });

  it('are one type when both sides have the same object type and label', async () => {
    const { a, b, link, write, typesOf, call } = await linkable('contacts', 'contacts');
    const path = '/crm/v4/associations/contacts/contacts/labels';
    expect((await call('POST', path, { label: 'Friend', name: 'friend' })).body.results).toHaveLength(1);
    expect((await call('POST', path, { label: 'Boss', name: 'boss', inverseLabel: 'Team' })).body.results).toHaveLength(
      2,
    );
    await write('create', [{ ...link, types: own(1, 2) }]);
    expect(await typesOf('contacts', a, 'contacts')).toEqual({ [b]: [1, 2, 449] });
    expect(await typesOf('contacts', b, 'contacts')).toEqual({ [a]: [1, 3, 449] });
  });

  it('can be combined with labels of HubSpot, and replace earlier labels of the link', async () => {
    const portal = await linkable('contacts', 'companies');
    const { a, b, link, write, create, call } = portal;
    const [other] = await create('companies', { name: 'B' });
    await call('POST', '/crm/v4/associations/contacts/companies/labels', paying);
    const paid = { category: 'USER_DEFINED', typeId: 1, label: 'Pays' };
    const primary = { category: 'HUBSPOT_DEFINED', typeId: 1, label: 'Primary' };
    const plain = { category: 'HUBSPOT_DEFINED', typeId: 279, label: null };
    const ofContact = () => labelsOf(portal, `/crm/v4/objects/contacts/${a}/associations/companies`);

    const made = await write('create', [
      { ...link, types: own(1) },
      { from: { id: a }, to: { id: other }, types: own(1) },
    ]);
    expect(made.status).toBe(201);
    expect(made.body.results).toMatchObject([{ labels: ['Pays'] }, { labels: ['Pays'] }]);
    expect(await ofContact()).toEqual([
      [paid, plain],
      [paid, plain],
    ]);
    expect(await labelsOf(portal, `/crm/v4/objects/companies/${b}/associations/contacts`)).toEqual([
      [
        { category: 'USER_DEFINED', typeId: 2, label: 'Paid by' },
        { category: 'HUBSPOT_DEFINED', typeId: 280, label: null },
      ],
    ]);
    await write('create', [{ ...link, types: [...own(1), ...specs(1)] }]);
    expect((await ofContact())[0]).toEqual([primary, paid, plain]);
    const read = await write('read', [{ id: a }]);
    expect(read.body.results[0].to.map(({ associationTypes }) => associationTypes)).toEqual(await ofContact());
    const inline = await call('GET', `/crm/v3/objects/contacts/${a}?associations=companies`);
    expect(inline.body).toMatchObject({ associations: { companies: { results: [{}, { type: 'pays' }, {}, {}, {}] } } });

    await write('create', [{ ...link, types: specs(1) }]);
    expect((await ofContact())[0]).toEqual([primary, plain]);
    await write('create', [{ ...link, types: [...own(1), ...specs(1)] }]);
    await write('labels/archive', [{ ...link, types: specs(1) }]);
    expect((await ofContact())[0]).toEqual([paid, plain]);
    await write('associate/default', [link]);
    expect((await ofContact())[0]).toEqual([paid, plain]);
  });

  it('are refused with an unknown number or another category', async () => {
    const { link, write, call, sandbox, portalId } = await linkable('contacts', 'companies');
    const integrators = [{ associationCategory: 'INTEGRATOR_DEFINED', associationTypeId: 1 }];
    const statuses = async () => {
      const answers = [own(1), own(2), own(279), integrators].map((types) => write('create', [{ ...link, types }]));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await statuses()).toEqual([400, 400, 400, 400]);
    await call('POST', '/crm/v4/associations/contacts/companies/labels', paying);
    expect(await statuses()).toEqual([201, 400, 400, 400]);
    sandbox.reset(portalId);
    expect((await call('GET', '/crm/v4/associations/contacts/companies/labels')).body.results).toHaveLength(2);
  });

  it('are kept when a record is created or merged', async () => {
    const portal = await linkable('contacts', 'companies');
    const { b, call, create } = portal;
    await call('POST', '/crm/v4/associations/contacts/companies/labels', paying);
    const associations = [{ to: { id: b }, types: own(1) }];
    const { body } = await call('POST', '/crm/v3/objects/contacts', { properties: ofEach.contacts, associations });
    const [other] = await create('contacts', { lastname: 'C' });
    const merged = await call('POST', '/crm/v3/objects/contacts/merge', {
      primaryObjectId: other,
      objectIdToMerge: body.id,
    });
    expect(await labelsOf(portal, `/crm/v4/objects/contacts/${merged.body.id}/associations/companies`)).toMatchObject([
      [{ category: 'USER_DEFINED', label: 'Pays' }, { typeId: 279 }],
    ]);
  });
});

describe('the query parameter associations', () => {
  it('returns a row for every type of a link, for a single record and for a page', async () => {
    const { a, b, link, write, create, call } = await linkable('deals', 'companies');
    const [other] = await create('companies', { name: 'B' });
    const [contact] = await create('contacts', { lastname: 'L' });
    await write('create', [{ ...link, types: specs(5) }]);
    await write('associate/default', [{ from: { id: a }, to: { id: other } }]);
    await write('associate/default', [{ from: { id: a }, to: { id: contact } }], 'deals/contacts');
    await create('deals', { ...ofEach.deals, dealname: 'alone' });
    const associations = {
      companies: {
        results: [
          { id: b, type: 'deal_to_company' },
          { id: b, type: 'deal_to_company_unlabeled' },
          { id: other, type: 'deal_to_company_unlabeled' },
        ],
      },
      contacts: { results: [{ id: contact, type: 'deal_to_contact' }] },
    };
    const query = 'associations=companies,contacts';
    expect((await call('GET', `/crm/v3/objects/deals/${a}?${query}`)).body).toMatchObject({ id: a, associations });
    const { results } = (await call('GET', `/crm/v3/objects/deals?${query}`)).body;
    expect(results[0]).toMatchObject({ id: a, associations });
    expect(results[1]).not.toHaveProperty('associations');
    expect((await call('GET', `/crm/v3/objects/deals/${a}`)).body).not.toHaveProperty('associations');
  });

  it('returns paging when there are more links', async () => {
    const portal = openPortal({ assumed: { inlineAssociationLimit: 2 } });
    const [company] = await portal.create('companies', { name: 'A' });
    const contacts = await portal.create('contacts', { lastname: 'A' }, { lastname: 'B' }, { lastname: 'C' });
    const inputs = contacts.map((id) => ({ from: { id: company }, to: { id } }));
    await portal.call('POST', '/crm/v4/associations/companies/contacts/batch/associate/default', { inputs });
    for (const path of [`/crm/v3/objects/companies/${company}`, '/crm/v3/objects/companies']) {
      const { body } = await portal.call('GET', `${path}?associations=contacts`);
      const [record] = body.results ?? [body];
      expect(record).toMatchObject({
        associations: {
          contacts: {
            results: contacts.slice(0, 2).map((id) => ({ id, type: 'company_to_contact_unlabeled' })),
            paging: {
              next: {
                after: contacts[1],
                link: `https://api.hubapi.test/crm/v3/objects/companies/${company}/associations/contacts?after=${contacts[1]}`,
              },
            },
          },
        },
      });
    }
  });

  it('omits archived records, needs the scope of the linked type, and is ignored by batch reads', async () => {
    const { a, b, link, write, call, callWith, sandbox, portalId } = await linkable('contacts', 'companies');
    await write('associate/default', [link]);
    const path = `/crm/v3/objects/contacts/${a}?associations=companies`;
    const narrow = sandbox.createToken({ portalId, scopes: ['crm.objects.contacts.read'] });
    expect((await callWith(narrow, 'GET', path)).status).toBe(403);
    const batch = { inputs: [{ id: a }] };
    const read = await call('POST', '/crm/v3/objects/contacts/batch/read?associations=companies', batch);
    expect(read.body.results[0]).not.toHaveProperty('associations');
    await call('DELETE', `/crm/v3/objects/companies/${b}`);
    expect((await call('GET', path)).body).not.toHaveProperty('associations');
  });
});
