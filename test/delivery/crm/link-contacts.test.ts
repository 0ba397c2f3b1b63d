import { contactToPrimaryCompany } from '../../../src/hubspot/associations.ts';
import { linkContacts, type ContactLink } from '../../../src/hubspot/link-contacts.ts';
import { createCrm, enrichedRow, type Crm } from './projection-harness.ts';

const primary = 1;
const unlabelled = 279;

async function createLinkable() {
  const crm = await createCrm();
  const [ours = '', other = ''] = await crm.create('companies', { name: 'Ours' }, { name: 'Other' });
  const [contact = ''] = await crm.create('contacts', { email: 'anna@acme.example' });
  return { crm, ours, other, contact };
}

const linkAll = async ({ dependencies: { hubspot, signal } }: Crm, links: readonly ContactLink[]) => {
  const outcomes = await linkContacts(hubspot.associations, links, { signal });
  return links.map((each) => outcomes.get(each));
};

const link = (crm: Crm, contactId: string, companyId: string, isNew = false) =>
  linkAll(crm, [{ contactId, companyId, isNew }]);

/** Types of the links of a contact, by company. */
async function linksOf(crm: Crm, contact: string) {
  const linked = (await crm.links(contact)).get(contact) ?? [];
  return Object.fromEntries(
    linked.map(({ id, types }) => [id, types.map(({ typeId }) => typeId).toSorted((a, b) => a - b)]),
  );
}

describe('linkContacts', () => {
  it('links a new contact to its primary company without reading existing links', async () => {
    const { crm, ours, contact } = await createLinkable();
    expect(await link(crm, contact, ours, true)).toEqual(['created']);
    expect(await linksOf(crm, contact)).toEqual({ [ours]: [primary, unlabelled] });
    expect(crm.calls).toHaveLength(1);
  });

  it('makes an existing link the primary one when the contact has no primary company', async () => {
    const { crm, ours, other, contact } = await createLinkable();
    for (const toId of [ours, other]) {
      await crm.otherClient.associations.associate('contacts', 'companies', [{ fromId: contact, toId }]);
    }
    expect(await link(crm, contact, ours)).toEqual(['existing']);
    expect(await linksOf(crm, contact)).toEqual({ [ours]: [primary, unlabelled], [other]: [unlabelled] });
  });

  it('keeps another primary company, and adds the link without a label', async () => {
    const { crm, ours, other, contact } = await createLinkable();
    const types = [contactToPrimaryCompany];
    await crm.otherClient.associations.label('contacts', 'companies', [{ fromId: contact, toId: other, types }]);
    expect(await link(crm, contact, ours)).toEqual(['created']);
    expect(await linksOf(crm, contact)).toEqual({ [ours]: [unlabelled], [other]: [primary, unlabelled] });
    crm.calls.length = 0;
    expect(await link(crm, contact, ours)).toEqual(['existing']);
    expect(crm.writes().filter(({ path }) => !path.endsWith('/batch/read'))).toEqual([]);
  });

  it('sends nothing when the link exists', async () => {
    const { crm, ours, contact } = await createLinkable();
    await link(crm, contact, ours, true);
    crm.calls.length = 0;
    expect(await link(crm, contact, ours)).toEqual(['existing']);
    expect(crm.calls).toHaveLength(1);
    expect(crm.writes()).toEqual([]);
  });

  it('sends nothing when there are no contacts', async () => {
    const { crm } = await createLinkable();
    expect(await linkAll(crm, [])).toEqual([]);
    expect(crm.calls).toEqual([]);
  });

  it('keeps the custom labels of a link, and adds no other', async () => {
    const { crm, ours, other, contact } = await createLinkable();
    // The first label of a portal has the same number as HubSpot's primary company.
    const [signs, advises] = [await crm.defineLabel('Signs'), await crm.defineLabel('Advises')];
    await crm.label(contact, ours, signs);
    await crm.label(contact, other, advises);
    expect(await link(crm, contact, ours)).toEqual(['existing']);
    const types = {
      [ours]: [`HUBSPOT_DEFINED ${primary}`, `USER_DEFINED ${signs}`, `HUBSPOT_DEFINED ${unlabelled}`],
      [other]: [`USER_DEFINED ${advises}`, `HUBSPOT_DEFINED ${unlabelled}`],
    };
    expect(await crm.linkTypes(contact)).toEqual(types);
    crm.calls.length = 0;
    expect(await link(crm, contact, ours)).toEqual(['existing']);
    expect(crm.writes()).toEqual([]);
    expect(await crm.linkTypes(contact)).toEqual(types);
  });

  it('returns for each link whether HubSpot accepted it', async () => {
    const { crm, ours, contact } = await createLinkable();
    const links = [contact, '404', contact].map((contactId, index) => ({
      contactId,
      companyId: index === 2 ? '405' : ours,
      isNew: index < 2,
    }));
    expect(await linkAll(crm, links)).toEqual(['created', 'refused', 'refused']);
  });
});

describe('projectSlots with links', () => {
  const slots = [enrichedRow(0, 'acme.example', ['anna@acme.example', 'bert@acme.example'])];

  it('makes the company the primary one of its contacts', async () => {
    const crm = await createCrm();
    const { outcomes } = await crm.project(slots);
    const [company, anna] = outcomes.map(({ recordId }) => recordId ?? '');
    expect(await linksOf(crm, anna ?? '')).toEqual({ [company ?? '']: [primary, unlabelled] });
  });

  const notFoundError = { status: 'error', category: 'OBJECT_NOT_FOUND', message: 'gone', context: {} };
  const refusal = {
    path: /associations.*batch\/create$/,
    status: 207,
    body: { status: 'COMPLETE', results: [], numErrors: 1, errors: [notFoundError] },
    times: 1,
  } as const;
  const retry = { projectionId: 'second', onlyUnfinished: true } as const;

  it('fails the contacts whose link HubSpot rejects, and links them when the rows are retried', async () => {
    const crm = await createCrm();
    const [anna = ''] = await crm.create('contacts', { email: 'anna@acme.example' });
    crm.faults.add(refusal);
    expect((await crm.project(slots)).summary).toEqual([
      '0 company created',
      '0 contact:0 failed company_link_refused',
      '0 contact:1 failed company_link_refused',
    ]);
    expect((await crm.links(anna)).size).toBe(0);
    const { summary, outcomes } = await crm.project(slots, retry);
    expect(summary).toEqual(['0 company unchanged', '0 contact:0 unchanged', '0 contact:1 unchanged']);
    const [company, ...people] = outcomes.map(({ recordId }) => recordId ?? '');
    for (const person of people) expect(await linksOf(crm, person)).toEqual({ [company ?? '']: [primary, unlabelled] });
  });

  it.each([
    ['archived', 'resolve'],
    ['merged', 'resolve'],
    ['merged', 'gone'],
  ] as const)('retries a rejected link together with its company, which was %s (%s)', async (how, mergedIds) => {
    const crm = await createCrm({ assumed: { mergedIds } });
    const rows = [
      ...slots,
      enrichedRow(1, 'acme.example', ['cora@acme.example']),
      enrichedRow(2, 'other.example', ['dora@other.example']),
    ];
    crm.faults.add(refusal);
    const first = await crm.project(rows.slice(0, 1));
    const before = first.outcomes[0]?.recordId ?? '';
    // The second row is linked to the same company.
    const { outcomes: known } = await crm.project(rows, { onlyUnfinished: true });
    expect(known.find(({ position, item }) => position === 1 && item === 'contact:0')?.outcome).toBe('created');
    if (how === 'archived') await crm.archive('companies', before);
    else {
      const [twin = ''] = await crm.create('companies', { name: 'Twin' });
      await crm.merge('companies', twin, before);
    }
    // A deleted company is created again with --force only.
    const { summary, outcomes } = await crm.project(rows, { ...retry, force: how === 'archived' });
    expect(summary).toEqual([
      `0 company ${how === 'archived' ? 'created' : 'unchanged'}`,
      '0 contact:0 unchanged',
      '0 contact:1 unchanged',
      '1 company skipped same_company',
      '1 contact:0 unchanged',
      '2 company created',
      '2 contact:0 created',
    ]);
    const after = outcomes[0]?.recordId ?? '';
    expect(after).not.toBe(before);
    const linked = outcomes.filter(({ position, item }) => position < 2 && item !== 'company');
    for (const { recordId } of linked) expect(Object.keys(await linksOf(crm, recordId ?? ''))).toContain(after);
  });

  it('reports a removed link as created again', async () => {
    const crm = await createCrm();
    const { outcomes } = await crm.project(slots);
    const [company = '', anna = '', bert = ''] = outcomes.map(({ recordId }) => recordId ?? '');
    await crm.unlink(anna, company);
    const { summary } = await crm.project(slots, { projectionId: 'second' });
    expect(summary).toEqual([
      '0 company unchanged',
      '0 contact:0 unchanged company_link_restored',
      '0 contact:1 unchanged',
    ]);
    for (const person of [anna, bert]) expect(await linksOf(crm, person)).toEqual({ [company]: [primary, unlabelled] });
    const third = await crm.project(slots, { projectionId: 'third' });
    expect(third.summary[1]).toBe('0 contact:0 unchanged');
  });

  it('leaves a link removed that an earlier order had made, in every pass of the next one, unless forced', async () => {
    const crm = await createCrm();
    const { outcomes } = await crm.project(slots);
    const [company = '', anna = '', bert = ''] = outcomes.map(({ recordId }) => recordId ?? '');
    await crm.unlink(anna, company);
    const links = async () => Promise.all([anna, bert].map((person) => linksOf(crm, person)));
    const kept = [{}, { [company]: [primary, unlabelled] }];
    for (const projectionId of ['first', 'second']) {
      const { summary } = await crm.project(slots, { orderId: 'next', projectionId });
      expect(summary[1]).toMatch(/^0 contact:0 \w+ company_link_removed$/);
      expect(await links()).toEqual(kept);
    }
    await crm.project(slots, { orderId: 'next', projectionId: 'forced', force: true });
    expect(await links()).toEqual([{ [company]: [primary, unlabelled] }, { [company]: [primary, unlabelled] }]);
  });

  it('keeps a custom label that was added between two passes', async () => {
    const crm = await createCrm();
    const { outcomes } = await crm.project(slots);
    const [company = '', anna = ''] = outcomes.map(({ recordId }) => recordId ?? '');
    const signs = await crm.defineLabel('Signs');
    // The primary company is removed; the next pass adds it again.
    await crm.label(anna, company, signs);
    const { summary } = await crm.project(slots, { projectionId: 'second' });
    expect(summary).toEqual(['0 company unchanged', '0 contact:0 unchanged', '0 contact:1 unchanged']);
    expect(await crm.linkTypes(anna)).toEqual({
      [company]: [`HUBSPOT_DEFINED ${primary}`, `USER_DEFINED ${signs}`, `HUBSPOT_DEFINED ${unlabelled}`],
    });
  });

  it('keeps a primary company that was set between two passes', async () => {
    const crm = await createCrm();
    const [other = ''] = await crm.create('companies', { name: 'Other' });
    const { outcomes } = await crm.project(slots);
    const [company = '', anna = ''] = outcomes.map(({ recordId }) => recordId ?? '');
    const types = [contactToPrimaryCompany];
    await crm.otherClient.associations.label('contacts', 'companies', [{ fromId: anna, toId: other, types }]);
    crm.calls.length = 0;
    await crm.project(slots, { projectionId: 'second' });
    expect(await linksOf(crm, anna)).toEqual({ [company]: [unlabelled], [other]: [primary, unlabelled] });
    expect(crm.writes()).toEqual([]);
  });
});
