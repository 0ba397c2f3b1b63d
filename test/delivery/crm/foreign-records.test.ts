// Values, links and records of other users that only look like those of prospect-sync.
import { toCrmPlan } from '../../../src/delivery/mapping/crm-plan.ts';
import { defaultContactPolicy } from '../../../src/delivery/mapping/contact-policy.ts';
import { defaultMapping } from '../../../src/delivery/mapping/default-mapping.ts';
import { projectSlots } from '../../../src/delivery/crm/project-slots.ts';
import { openSlotBatch } from '../../../src/delivery/crm/slot-batch.ts';
import { slot } from '../mapping/slot-builders.ts';
import { companyAt, createCrm, planWith, enrichedRow } from './projection-harness.ts';

describe('projectSlots', () => {
  it.each([
    ['names both records', 'value'],
    ['has details', 'validation'],
  ] as const)('does not adopt a record with another unique value of the row when the error %s', async (_, form) => {
    const crm = await createCrm({ assumed: { customUniqueConflict: form } });
    const group = { name: 'own', label: 'Own' };
    const property = {
      name: 'register_number',
      label: 'Register',
      type: 'string',
      fieldType: 'text',
      hasUniqueValue: true,
    } as const;
    await crm.otherClient.properties.ensure('companies', { group, properties: [property] });
    const [holding = ''] = await crm.create('companies', {
      name: 'Holding',
      domain: 'holding.example',
      register_number: 'HRB 1',
    });
    const field = { from: 'company.source_id', transform: null, policy: 'fill-empty' } as const;
    const companies = { ...defaultMapping.companies, register_number: field };
    const plan = toCrmPlan({ ...defaultMapping, companies }, defaultContactPolicy);
    const company = companyAt('acme.example', { source_id: 'HRB 1', prospects: [] });
    const { outcomes } = await crm.project([slot({ input_position: 0, company })], { plan });
    expect(outcomes).toMatchObject([
      { outcome: 'quarantined', rule: 'UNIQUE_VALUE_CONFLICT:register_number', candidates: [holding], recordId: null },
    ]);
    expect(await crm.record('companies', holding)).toMatchObject({ name: 'Holding', prospect_sync_company_key: null });
  });

  it('keeps the primary company of a contact that another order has just created', async () => {
    const crm = await createCrm();
    const others = await crm.openDependencies();
    const rows = (domain: string) => [enrichedRow(0, domain, ['anna@private.example'])];
    crm.before(/contacts\/batch\/upsert$/, () =>
      crm.project(rows('first.example'), { dependencies: others, orderId: 'other' }),
    );
    await crm.project(rows('second.example'));
    const [person] = await crm.records('contacts');
    const companies = await crm.records('companies');
    const first = companies.find(({ properties }) => properties['domain'] === 'first.example');
    const types = await crm.linkTypes(person?.id ?? '');
    expect(Object.keys(types)).toHaveLength(2);
    expect(types[first?.id ?? '']).toContain('HUBSPOT_DEFINED 1');
  });

  it('does not link a contact that belongs to another row', async () => {
    const crm = await createCrm();
    const [anna = ''] = await crm.create('contacts', { email: 'anna@acme.example' });
    await crm.edit('contacts', anna, { hs_additional_emails: 'a.abel@acme.example' });
    await crm.project([
      enrichedRow(0, 'acme.example', ['anna@acme.example']),
      enrichedRow(1, 'other.example', ['a.abel@acme.example']),
    ]);
    const companies = await crm.records('companies');
    const acme = companies.find(({ properties }) => properties['domain'] === 'acme.example');
    expect(Object.keys(await crm.linkTypes(anna))).toEqual([acme?.id]);
  });

  it('does not match a record whose domain was removed while the index still contains it', async () => {
    const crm = await createCrm({ searchLagMs: 60_000 });
    const [stranger = ''] = await crm.create('companies', { name: 'Stranger', domain: 'acme.example' });
    crm.pass(120_000);
    await crm.edit('companies', stranger, { domain: '' });
    const { summary } = await crm.project([enrichedRow(0, 'acme.example'), enrichedRow(1, null)]);
    expect(summary).toEqual(['0 company created', '1 company created']);
    expect(await crm.record('companies', stranger)).toMatchObject({
      name: 'Stranger',
      prospect_sync_company_key: null,
    });
  });

  it('fails with the contacts of an earlier batch, and reports no later batch as done', async () => {
    const crm = await createCrm();
    const slots = [0, 1, 2].map((n) => enrichedRow(n, `c${n}.example`, [`p${n}@c${n}.example`]));
    const projection = await crm.prepare(slots);
    const open = async (from: number) => {
      const stored = await crm.dependencies.ledger.slots.readParsed(projection.orderId, { from, to: from + 1 });
      return openSlotBatch(crm.dependencies, projection, stored, new Set());
    };
    crm.faults.add({ path: /contacts\/batch\/upsert$/, status: 500, times: 1 });
    const ends: number[] = [];
    const pass = projectSlots(
      crm.dependencies,
      [await open(0), await open(1), await open(2)],
      ({ end }) => void ends.push(end),
    );
    await expect(pass).rejects.toThrow('500');
    expect(ends).toEqual([]);
  });
});

describe('projectSlots with the policy only-if-ours', () => {
  const plan = planWith('companies', 'description', 'only-if-ours');
  const row = (description: string) =>
    slot({ input_position: 0, company: companyAt('acme.example', { description, prospects: [] }) });
  const described = async (crm: Awaited<ReturnType<typeof createCrm>>) =>
    (await crm.records('companies'))[0]?.properties['description'];

  it('remembers its last accepted value after later ones were rejected', async () => {
    const crm = await createCrm();
    await crm.project([row('v1')], { orderId: 'o1', projectionId: 'p1', plan });
    const body = { status: 'error', category: 'VALIDATION_ERROR', message: 'no' };
    for (const version of ['v2', 'v3']) {
      crm.faults.add({ path: /companies\/batch\/update$/, status: 400, body, times: 1 });
      await crm.project([row(version)], { orderId: version, projectionId: version, plan });
    }
    await crm.project([row('v4')], { orderId: 'o4', projectionId: 'p4', plan });
    expect(await described(crm)).toBe('v4');
  });

  it('remembers the value of a creation that was never answered, in a later pass', async () => {
    const crm = await createCrm();
    crm.faults.add({ path: /companies\/batch\/upsert$/, status: 502, commit: true, times: 1 });
    await expect(crm.project([row('v1')], { orderId: 'o1', projectionId: 'p1', plan })).rejects.toThrow('502');
    expect(await described(crm)).toBe('v1');
    await crm.project([row('v1')], { orderId: 'o1', projectionId: 'p2', plan });
    await crm.project([row('v2')], { orderId: 'o2', projectionId: 'p3', plan });
    expect(await described(crm)).toBe('v2');
  });
});
