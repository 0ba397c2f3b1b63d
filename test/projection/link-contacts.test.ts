import { associationTypes, toOwnType } from '../../src/hubspot/association-types.ts';
import { linkContacts } from '../../src/projection/link-contacts.ts';
import { createCrm, rowOf, type Crm } from './crm.ts';

const { contactToPrimaryCompany: primary, contactToCompany: unlabelled } = associationTypes;

async function createLinkable() {
  const crm = await createCrm();
  const [ours = '', other = ''] = await crm.create('companies', { name: 'Ours' }, { name: 'Other' });
  const [contact = ''] = await crm.create('contacts', { email: 'anna@acme.example' });
  return { crm, ours, other, contact };
}

const link = (crm: Crm, contactId: string, companyId: string, isNew = false) =>
  linkContacts(crm.tools, [{ contactId, companyId, isNew }]);

/** Types of the links of a contact, by company. */
async function linksOf(crm: Crm, contact: string) {
  const linked = (await crm.links(contact)).get(contact) ?? [];
  return Object.fromEntries(
    linked.map(({ id, types }) => [id, types.map(({ typeId }) => typeId).toSorted((a, b) => a - b)]),
  );
}

describe('linkContacts', () => {
  it('gives a new contact its primary company, without asking what there is', async () => {
    const { crm, ours, contact } = await createLinkable();
    expect(await link(crm, contact, ours, true)).toEqual([true]);
    expect(await linksOf(crm, contact)).toEqual({ [ours]: [primary, unlabelled] });
    expect(crm.calls).toHaveLength(1);
  });

  it('makes a link that was there the primary one where there is none', async () => {
    const { crm, ours, other, contact } = await createLinkable();
    for (const toId of [ours, other]) {
      await crm.people.associations.associate('contacts', 'companies', [{ fromId: contact, toId }]);
    }
    expect(await link(crm, contact, ours)).toEqual([true]);
    expect(await linksOf(crm, contact)).toEqual({ [ours]: [primary, unlabelled], [other]: [unlabelled] });
  });

  it('leaves the primary company of somebody else, and adds ours without a label', async () => {
    const { crm, ours, other, contact } = await createLinkable();
    const types = [toOwnType('contactToPrimaryCompany')];
    await crm.people.associations.label('contacts', 'companies', [{ fromId: contact, toId: other, types }]);
    expect(await link(crm, contact, ours)).toEqual([true]);
    expect(await linksOf(crm, contact)).toEqual({ [ours]: [unlabelled], [other]: [primary, unlabelled] });
    crm.calls.length = 0;
    expect(await link(crm, contact, ours)).toEqual([true]);
    expect(crm.writes().filter(({ path }) => !path.endsWith('/batch/read'))).toEqual([]);
  });

  it('sends nothing when the link stands', async () => {
    const { crm, ours, contact } = await createLinkable();
    await link(crm, contact, ours, true);
    crm.calls.length = 0;
    expect(await link(crm, contact, ours)).toEqual([true]);
    expect(crm.calls).toHaveLength(1);
    expect(crm.writes()).toEqual([]);
  });

  it('sends nothing at all for nobody', async () => {
    const { crm } = await createLinkable();
    expect(await linkContacts(crm.tools, [])).toEqual([]);
    expect(crm.calls).toEqual([]);
  });

  it('keeps the labels that people have given a link, and gives it no other', async () => {
    const { crm, ours, other, contact } = await createLinkable();
    // The first label of a portal has the number of HubSpot's primary company.
    const [signs, advises] = [await crm.defineLabel('Signs'), await crm.defineLabel('Advises')];
    await crm.label(contact, ours, signs);
    await crm.label(contact, other, advises);
    expect(await link(crm, contact, ours)).toEqual([true]);
    const types = {
      [ours]: [`HUBSPOT_DEFINED ${primary}`, `USER_DEFINED ${signs}`, `HUBSPOT_DEFINED ${unlabelled}`],
      [other]: [`USER_DEFINED ${advises}`, `HUBSPOT_DEFINED ${unlabelled}`],
    };
    expect(await crm.linkTypes(contact)).toEqual(types);
    crm.calls.length = 0;
    expect(await link(crm, contact, ours)).toEqual([true]);
    expect(crm.writes()).toEqual([]);
    expect(await crm.linkTypes(contact)).toEqual(types);
  });

  it('says of each link whether it stands', async () => {
    const { crm, ours, contact } = await createLinkable();
    const links = [contact, '404', contact].map((contactId, index) => ({
      contactId,
      companyId: index === 2 ? '405' : ours,
      isNew: index < 2,
    }));
    expect(await linkContacts(crm.tools, links)).toEqual([true, false, false]);
  });
});

describe('projectSlots, links', () => {
  const slots = [rowOf(0, 'acme.example', ['anna@acme.example', 'bert@acme.example'])];

  it('makes the company the primary one of its people', async () => {
    const crm = await createCrm();
    const { outcomes } = await crm.project(slots);
    const [company, anna] = outcomes.map(({ recordId }) => recordId ?? '');
    expect(await linksOf(crm, anna ?? '')).toEqual({ [company ?? '']: [primary, unlabelled] });
  });

  it('calls a person failed whose link is refused, and mends it when it is asked to', async () => {
    const crm = await createCrm();
    const [anna = ''] = await crm.create('contacts', { email: 'anna@acme.example' });
    const gone = { status: 'error', category: 'OBJECT_NOT_FOUND', message: 'gone', context: {} };
    const body = { status: 'COMPLETE', results: [], numErrors: 1, errors: [gone] };
    crm.faults.add({ path: /associations.*batch\/create$/, status: 207, body, times: 1 });
    expect((await crm.project(slots)).told).toEqual([
      '0 company created',
      '0 contact:0 failed company_link_refused',
      '0 contact:1 failed company_link_refused',
    ]);
    expect((await crm.links(anna)).size).toBe(0);
    const { told, outcomes } = await crm.project(slots, { projectionId: 'second', onlyUnfinished: true });
    expect(told).toEqual(['0 company created', '0 contact:0 unchanged', '0 contact:1 unchanged']);
    const [company, ...people] = outcomes.map(({ recordId }) => recordId ?? '');
    for (const person of people) expect(await linksOf(crm, person)).toEqual({ [company ?? '']: [primary, unlabelled] });
  });

  it('keeps a label that people gave one of our people between two passes', async () => {
    const crm = await createCrm();
    const { outcomes } = await crm.project(slots);
    const [company = '', anna = ''] = outcomes.map(({ recordId }) => recordId ?? '');
    const signs = await crm.defineLabel('Signs');
    // Without the primary company, which the next pass gives back.
    await crm.label(anna, company, signs);
    const { told } = await crm.project(slots, { projectionId: 'second' });
    expect(told).toEqual(['0 company unchanged', '0 contact:0 unchanged', '0 contact:1 unchanged']);
    expect(await crm.linkTypes(anna)).toEqual({
      [company]: [`HUBSPOT_DEFINED ${primary}`, `USER_DEFINED ${signs}`, `HUBSPOT_DEFINED ${unlabelled}`],
    });
  });

  it('keeps the primary company that somebody gave one of our people', async () => {
    const crm = await createCrm();
    const [other = ''] = await crm.create('companies', { name: 'Other' });
    const { outcomes } = await crm.project(slots);
    const [company = '', anna = ''] = outcomes.map(({ recordId }) => recordId ?? '');
    const types = [toOwnType('contactToPrimaryCompany')];
    await crm.people.associations.label('contacts', 'companies', [{ fromId: anna, toId: other, types }]);
    crm.calls.length = 0;
    await crm.project(slots, { projectionId: 'second' });
    expect(await linksOf(crm, anna)).toEqual({ [company]: [unlabelled], [other]: [primary, unlabelled] });
    expect(crm.writes()).toEqual([]);
  });
});
