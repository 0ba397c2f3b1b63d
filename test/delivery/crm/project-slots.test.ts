import type { Slot } from '../../../src/service/contract/index.ts';
import type { CrmRecord } from '../../../src/hubspot/hubspot-record.ts';
import { toCrmPlan } from '../../../src/delivery/mapping/crm-plan.ts';
import { defaultContactPolicy } from '../../../src/delivery/mapping/contact-policy.ts';
import { defaultMapping } from '../../../src/delivery/mapping/default-mapping.ts';
import { companyAt, createCrm, rowWithStatus, prospectAt, enrichedRow, type Crm } from './projection-harness.ts';
import { crmPlan } from '../../helpers/worker-configuration.ts';

/** Rows of several kinds; two records have the third domain. */
async function createMixed() {
  const crm = await createCrm();
  const [known = ''] = await crm.create(
    'companies',
    { name: 'Known' },
    { domain: 'twice.example' },
    { domain: 'twice.example' },
  );
  const slots: Slot[] = [
    enrichedRow(0, 'acme.example', ['anna@acme.example', null]),
    rowWithStatus(1, 'PARTIAL', { external_id: known }),
    enrichedRow(2, 'twice.example', ['tina@twice.example']),
    enrichedRow(3, 'leak.example', ['lea@leak.example']),
    rowWithStatus(4, 'UNRESOLVED'),
    enrichedRow(5, 'twice.example', ['timo@twice.example']),
    enrichedRow(6, 'acme.example', ['adam@acme.example', 'anna@acme.example']),
  ];
  return { crm, slots, known };
}

const mixed = [
  '0 company created',
  '0 contact:0 created',
  '0 contact:1 skipped no_email',
  '1 company updated',
  '2 company quarantined domain_of_several_records',
  '2 contact:0 skipped company_not_written',
  '3 company skipped exclusion_leak',
  '3 contact:0 skipped exclusion_leak',
  '4 company skipped not_enriched',
  '5 company skipped same_company',
  '5 contact:0 skipped company_not_written',
  '6 company skipped same_company',
  '6 contact:0 created',
  '6 contact:1 skipped same_person',
];

const state = async (crm: Crm): Promise<[CrmRecord[], CrmRecord[]]> => [
  await crm.records('companies'),
  await crm.records('contacts'),
];

describe('projectSlots', () => {
  it('shares companies among owners by turns, and gives contacts the current owner of their company', async () => {
    const crm = await createCrm();
    const [owned] = await crm.create('companies', { domain: 'b.example', hubspot_owner_id: '333' });
    const companies = {
      ...defaultMapping.companies,
      hubspot_owner_id: { roundRobin: ['111', '222'], policy: 'fill-empty' as const },
    };
    const contacts = {
      ...defaultMapping.contacts,
      hubspot_owner_id: { from: 'company_record.hubspot_owner_id', transform: null, policy: 'fill-empty' as const },
    };
    const plan = toCrmPlan({ companies, contacts }, defaultContactPolicy);
    const slots = ['a', 'b', 'c', 'd'].map((name, position) =>
      enrichedRow(position, `${name}.example`, [`person@${name}.example`]),
    );
    await crm.project(slots, { plan });
    const owners = async (type: 'companies' | 'contacts', name: string) => {
      const ids = (await crm.records(type)).map(({ id }) => id);
      const read = await crm.otherClient.objects.read(type, { ids, properties: [name, 'hubspot_owner_id'] });
      return Object.fromEntries([...read.values()].map((r) => [r.properties[name], r.properties['hubspot_owner_id']]));
    };
    expect(await owners('companies', 'domain')).toEqual({
      'a.example': '111',
      'b.example': '333',
      'c.example': '111',
      'd.example': '222',
    });
    expect(await owners('contacts', 'email')).toEqual({
      'person@a.example': '111',
      'person@b.example': '333',
      'person@c.example': '111',
      'person@d.example': '222',
    });

    await crm.edit('companies', owned ?? '', { hubspot_owner_id: '444' });
    const { summary } = await crm.project(slots, { plan, projectionId: 'second' });
    expect(summary.filter((line) => !line.endsWith('unchanged'))).toEqual([]);
  });

  it('records one outcome with the mapping version for every slot and contact', async () => {
    const { crm, slots } = await createMixed();
    const { summary, outcomes } = await crm.project(slots, { leaks: [3] });
    expect(summary).toEqual(mixed);
    expect(new Set(outcomes.map(({ mappingVersion }) => mappingVersion))).toEqual(new Set([crmPlan.mappingVersion]));
    expect(outcomes[9]).toMatchObject({ recordId: null });
    expect(outcomes[11]).toMatchObject({ recordId: outcomes[0]?.recordId });
  });

  // Guarantee: Excluded companies never reach HubSpot
  it('skips an excluded company and its contacts without any request', async () => {
    const crm = await createCrm();
    const { outcomes } = await crm.project([enrichedRow(0, 'leak.example', ['lea@leak.example'])], { leaks: [0] });
    expect(outcomes.map(({ outcome, rule, recordId }) => [outcome, rule, recordId])).toEqual([
      ['skipped', 'exclusion_leak', null],
      ['skipped', 'exclusion_leak', null],
    ]);
    expect(crm.calls).toEqual([]);
  });

  it('writes another row of the same company that is not excluded', async () => {
    const crm = await createCrm();
    const slots = [
      enrichedRow(0, 'acme.example', ['a@acme.example']),
      enrichedRow(1, 'acme.example', ['b@acme.example']),
    ];
    expect((await crm.project(slots, { leaks: [0] })).summary).toEqual([
      '0 company skipped exclusion_leak',
      '0 contact:0 skipped exclusion_leak',
      '1 company created',
      '1 contact:0 created',
    ]);
  });

  it('sends no write in a second pass', async () => {
    const { crm, slots } = await createMixed();
    await crm.project(slots, { leaks: [3] });
    const before = await state(crm);
    crm.calls.length = 0;
    crm.pass(60_000);
    const { summary } = await crm.project(slots, { leaks: [3], projectionId: 'second' });
    expect(summary).toEqual(mixed.map((line) => line.replace(/(created|updated)$/, 'unchanged')));
    expect(crm.writes()).toEqual([]);
    expect(await state(crm)).toEqual(before);
  });

  it('writes only the changed property, with the properties of prospect-sync itself, after a change of the mapping', async () => {
    const { crm, slots } = await createMixed();
    await crm.project(slots, { leaks: [3] });
    crm.calls.length = 0;
    const city = { from: 'company.country', transform: null, policy: 'always' } as const;
    const mapping = { ...defaultMapping, companies: { ...defaultMapping.companies, city } };
    const changed = toCrmPlan(mapping, defaultContactPolicy);
    const { outcomes } = await crm.project(slots, { leaks: [3], projectionId: 'second', plan: changed });
    const [write, ...others] = crm.writes();
    expect(others).toEqual([]);
    expect(write).toMatchObject({
      path: '/crm/v3/objects/companies/batch/update',
      body: { inputs: [{ id: outcomes[0]?.recordId, objectWriteTraceId: 'order/0/company' }] },
    });
    const {
      inputs: [{ properties } = { properties: {} }],
    } = (write?.body ?? { inputs: [] }) as {
      inputs: { properties: Record<string, string> }[];
    };
    expect(Object.keys(properties).filter((name) => !name.startsWith('prospect_sync_'))).toEqual(['city']);
    expect(properties).toMatchObject({ city: 'Germany', prospect_sync_mapping_version: changed.mappingVersion });
    expect(outcomes[0]).toMatchObject({ outcome: 'updated', mappingVersion: changed.mappingVersion });
    expect(changed.mappingVersion).not.toBe(crmPlan.mappingVersion);
  });

  it('keeps what it changed in existing records: the value before its first pass, and the one that it wrote last', async () => {
    const crm = await createCrm();
    const [id = ''] = await crm.create('companies', { domain: 'acme.example', city: 'Old town', name: 'Acme' });
    const slots = [enrichedRow(0, 'acme.example', ['anna@acme.example']), enrichedRow(1, 'new.example', [])];
    const before = await crm.record('companies', id);
    await crm.project(slots);
    const planOf = (from: string) => {
      const city = { from, transform: null, policy: 'always' } as const;
      const companies = { ...defaultMapping.companies, city };
      return toCrmPlan({ ...defaultMapping, companies }, defaultContactPolicy);
    };
    for (const from of ['company.country', 'company.domain'])
      await crm.project(slots, { projectionId: from, plan: planOf(from) });
    const after = (await crm.record('companies', id)) ?? {};
    const expected = Object.entries(after)
      .filter(
        ([name, value]) => !/^(?:prospect_sync_|hs_)|date$/.test(name) && (before?.[name] ?? '') !== (value ?? ''),
      )
      .map(([name, value]) => [name, { before: before?.[name] ?? '', after: value }]);
    const changed = (await Array.fromAsync(crm.dependencies.ledger.valueChanges.list('order'))).flat();
    // The other company was new in the first pass, and not in the others.
    expect(changed).toMatchObject([
      { recordId: id },
      { changes: { city: { before: 'Berlin', after: 'new.example' } } },
    ]);
    expect(changed[0]?.changes).toEqual(Object.fromEntries(expected));
    expect(changed[0]?.changes).toMatchObject({ city: { before: 'Old town', after: 'acme.example' } });
  });

  it('keeps no change that HubSpot has refused', async () => {
    const crm = await createCrm();
    const [id = ''] = await crm.create('companies', { domain: 'acme.example' });
    const numberofemployees = { from: 'company.name', transform: null, policy: 'always' } as const;
    const companies = { ...defaultMapping.companies, numberofemployees };
    const plan = toCrmPlan({ ...defaultMapping, companies }, defaultContactPolicy);
    const { summary } = await crm.project([enrichedRow(0, 'acme.example', [])], { plan });
    expect(summary[0]).toBe('0 company quarantined INVALID_INTEGER:numberofemployees');
    expect(await crm.record('companies', id)).toMatchObject({ domain: 'acme.example', prospect_sync_order_id: null });
    expect(await Array.fromAsync(crm.dependencies.ledger.valueChanges.list('order'))).toEqual([]);
  });

  it('names the record of the other row as a candidate of a duplicate', async () => {
    const crm = await createCrm();
    const [one = '', two = ''] = await crm.create('companies', { name: 'One' }, { name: 'Two' });
    const slots = [
      enrichedRow(0, 'acme.example', [], { external_id: one }),
      rowWithStatus(1, 'DUPLICATE', { external_id: two, duplicate_of_input_position: 0 }),
      rowWithStatus(2, 'DUPLICATE', { external_id: one, duplicate_of_input_position: 0 }),
    ];
    const { summary, outcomes } = await crm.project(slots);
    expect(summary).toEqual(['0 company updated', '1 company updated', '2 company skipped same_record']);
    expect(outcomes[1]).toMatchObject({ recordId: two, matchedBy: 'external_id', candidates: [two, one] });
    expect(await crm.record('companies', two)).toMatchObject({ prospect_sync_status: 'DUPLICATE', domain: null });
    expect((await crm.project(slots, { projectionId: 'second' })).summary).toEqual([
      '0 company unchanged',
      '1 company unchanged',
      '2 company skipped same_record',
    ]);
  });

  it('writes no status to a record that an enriched row matches too', async () => {
    const crm = await createCrm();
    const [id = ''] = await crm.create('companies', { domain: 'acme.example' });
    const slots = [
      rowWithStatus(0, 'PARTIAL', { external_id: id }),
      enrichedRow(1, 'acme.example', ['anna@acme.example']),
    ];
    for (const end of ['updated', 'unchanged']) {
      const { summary } = await crm.project(slots, { projectionId: end });
      expect(summary.slice(0, 2)).toEqual(['0 company skipped same_record', `1 company ${end}`]);
    }
    expect(await crm.record('companies', id)).toMatchObject({ prospect_sync_position: '1' });
  });

  it('writes a submitted record once when another row matches it too', async () => {
    const crm = await createCrm();
    const [id = ''] = await crm.create('companies', { name: 'Submitted', domain: 'acme.example' });
    const slots = [
      enrichedRow(0, 'acme.example', ['a@acme.example']),
      enrichedRow(1, 'acme.example', ['b@acme.example'], { external_id: id }),
    ];
    for (const [projectionId, end] of [
      ['first', 'updated'],
      ['second', 'unchanged'],
    ] as const) {
      const { summary, outcomes } = await crm.project(slots, { projectionId });
      expect(summary.filter((line) => line.includes('company'))).toEqual([
        '0 company skipped same_company',
        `1 company ${end}`,
      ]);
      expect(outcomes[0]).toMatchObject({ recordId: id });
    }
    expect(await crm.records('companies')).toHaveLength(1);
    const people = (await crm.records('contacts')).map((record) => record.id);
    expect([...(await crm.links(...people)).values()].map(([link]) => link?.id)).toEqual([id, id]);
  });

  it('does not send a key again that another record has', async () => {
    const crm = await createCrm();
    const ids = await crm.create('companies', { name: 'One' }, { name: 'Two' });
    const slots = ids.map((id, index) => enrichedRow(index, 'acme.example', [], { external_id: id }));
    const { outcomes } = await crm.project(slots);
    expect(outcomes.map(({ outcome, recordId, candidates }) => [outcome, recordId, candidates])).toEqual([
      ['updated', ids[0], [ids[0]]],
      ['updated', ids[1], [ids[1], ids[0]]],
    ]);
    crm.calls.length = 0;
    expect((await crm.project(slots, { projectionId: 'second' })).summary).toEqual([
      '0 company unchanged',
      '1 company unchanged',
    ]);
    expect(crm.writes()).toEqual([]);
  });
});

describe('projectSlots with onlyUnfinished', () => {
  const again = { leaks: [3], projectionId: 'second', onlyUnfinished: true };

  it('sends nothing when no row is unfinished, and keeps the outcomes', async () => {
    const crm = await createCrm();
    const slots = [
      enrichedRow(0, 'acme.example', ['anna@acme.example', null]),
      rowWithStatus(1, 'BLOCKED'),
      enrichedRow(2, 'acme.example', ['anna@acme.example']),
      enrichedRow(3, 'leak.example', ['lea@leak.example']),
    ];
    const { outcomes } = await crm.project(slots, { leaks: [3] });
    crm.calls.length = 0;
    crm.pass(60_000);
    expect((await crm.project(slots, again)).outcomes).toEqual(outcomes);
    expect(crm.calls).toEqual([]);
  });

  it('writes only quarantined rows and those that depend on them', async () => {
    const { crm, slots } = await createMixed();
    const { outcomes: before } = await crm.project(slots, { leaks: [3] });
    const twins = (await crm.records('companies')).filter(({ properties }) => properties['domain'] === 'twice.example');
    const [kept, dropped] = twins.map(({ id }) => id);
    await crm.archive('companies', dropped ?? '');
    // A manual edit that a full pass would overwrite.
    await crm.edit('companies', before[0]?.recordId ?? '', { prospect_sync_status: 'edited' });
    crm.calls.length = 0;
    crm.pass(60_000);
    const { summary, outcomes } = await crm.project(slots, again);
    const open = (line: string) => line.startsWith('2 ') || line.startsWith('5 ');
    expect(summary.filter(open)).toEqual([
      '2 company updated',
      '2 contact:0 created',
      '5 company skipped same_company',
      '5 contact:0 created',
    ]);
    expect(outcomes.filter(({ position }) => position === 5)[0]).toMatchObject({ recordId: kept });
    const others = (rows: typeof outcomes) => rows.filter(({ position }) => position !== 2 && position !== 5);
    expect(others(outcomes)).toEqual(others(before));
    const traces = crm
      .writes()
      .flatMap(({ body }) => body.inputs ?? [])
      .flatMap((input) => {
        const { objectWriteTraceId: trace } = input;
        return typeof trace === 'string' ? [trace] : [];
      });
    expect(traces.toSorted()).toEqual(['order/2/company', 'order/2/contact:0', 'order/5/contact:0']);
  });

  it('writes rejected contacts again, to their existing company', async () => {
    const crm = await createCrm();
    const slots = [enrichedRow(0, 'acme.example', ['anna@acme.example', 'bert@acme.example'])];
    const refusal = { status: 400, body: { status: 'error', category: 'VALIDATION_ERROR', message: 'refused' } };
    crm.faults.add({ path: /contacts\/batch\/upsert$/, ...refusal, times: 3 });
    expect((await crm.project(slots)).summary.slice(1)).toEqual([
      '0 contact:0 quarantined VALIDATION_ERROR',
      '0 contact:1 quarantined VALIDATION_ERROR',
    ]);
    const { summary, outcomes } = await crm.project(slots, again);
    expect(summary).toEqual(['0 company created', '0 contact:0 created', '0 contact:1 created']);
    expect((await crm.links(outcomes[1]?.recordId ?? '')).size).toBe(1);
  });

  it('finishes what its own earlier attempt left unfinished', async () => {
    const crm = await createCrm();
    const prospects = [prospectAt('anna@acme.example')];
    const slots = [enrichedRow(0, null, [], { company: companyAt('acme.example', { prospects }) })];
    crm.faults.add({ path: /contacts\/batch\/upsert$/, status: 503, commit: true, times: 1 });
    await expect(crm.project(slots)).rejects.toThrow('503');
    expect((await crm.project(slots)).summary).toEqual(['0 company created', '0 contact:0 created']);
    expect(await crm.records('contacts')).toHaveLength(1);
  });
});
