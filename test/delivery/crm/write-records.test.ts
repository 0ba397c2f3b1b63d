import { contactKey } from '../../../src/ledger/identity.ts';
import { companyAt, createCrm, prospectAt, planWith, enrichedRow, type Crm } from './projection-harness.ts';

const companyKey = 'prospect_sync_company_key';
const personKey = (email: string) => contactKey(prospectAt(email), companyAt('acme.example')) ?? '';
const update = /companies\/batch\/update$/;
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => enrichedRow(index, `c${index}.example`, [`p${index}@c${index}.example`]));

const numbers = (summary: readonly string[], words: string) => summary.filter((line) => line.endsWith(words)).length;

describe('writeRecords', () => {
  // Guarantee: One company is one record
  it('creates one record per key when two passes run at once', async () => {
    const crm = await createCrm();
    const others = await crm.openDependencies();
    // Each pass writes before it can see records of the other.
    for (const path of [/companies\/batch\/upsert$/, /contacts\/batch\/upsert$/]) {
      const { promise, resolve } = Promise.withResolvers<void>();
      crm.before(path, () => promise);
      crm.before(path, async () => resolve());
      crm.faults.add({ path, delay_ms: 10, times: 1 });
    }
    const slots = rows(30);
    const [first, second] = await Promise.all([
      crm.project(slots),
      crm.project(slots, { dependencies: others, orderId: 'another order' }),
    ]);
    const keys = (await crm.records('companies')).map(({ properties }) => `${properties[companyKey]}`).toSorted();
    expect(keys).toEqual(slots.map((_, index) => `c${index}.example`).toSorted());
    expect(await crm.records('contacts')).toHaveLength(30);
    for (const { summary } of [first, second]) {
      expect(numbers(summary, 'created') + numbers(summary, 'updated')).toBe(60);
    }
  });

  it('stores one row of written values for each record when a paused attempt continues after the next one', async () => {
    const crm = await createCrm();
    const slots = rows(3);
    const { ledger } = crm.dependencies;
    const worker = new AbortController();
    // The attempt has read HubSpot and is paused; the worker is told to stop it when it continues.
    const plan: typeof ledger.outcomes.plan = async (planned) => {
      await crm.project(slots);
      worker.abort();
      await ledger.outcomes.plan(planned);
    };
    const outcomes = { ...ledger.outcomes, plan };
    const dependencies = { ...crm.dependencies, ledger: { ...ledger, outcomes }, signal: worker.signal };
    await expect(crm.project(slots, { dependencies })).rejects.toBeInstanceOf(Error);
    const { writtenRecords } = ledger;
    const keys = slots.map((_slot, index) => `key c${index}.example`);
    expect((await writtenRecords.read('companies', keys)).size).toBe(0);
    const ids = (await crm.records('companies')).map(({ id }) => id);
    expect((await writtenRecords.read('companies', ids)).size).toBe(3);
    expect((await crm.project(slots, { projectionId: 'second' })).summary).toContain('0 company unchanged');
  });

  it.each([
    ['the whole batch', { uniqueConflict: 'whole-batch' }],
    ['its row', { uniqueConflict: 'per-row' }],
    ['its row, in the words of single writes', { batchEmailConflict: 'value' }],
  ] as const)('resolves a conflict of one address that rejects %s without affecting other rows', async (_, assumed) => {
    const crm = await createCrm({ assumed });
    const slots = rows(40);
    // Another user creates the contact before the pass does.
    let existing: string | undefined;
    crm.before(/contacts\/batch\/upsert$/, async () => {
      [existing] = await crm.create('contacts', { email: 'p7@c7.example', firstname: 'By hand' });
    });
    const { summary, outcomes } = await crm.project(slots);
    expect(summary).toContain('7 contact:0 updated');
    expect([numbers(summary, 'created'), numbers(summary, 'updated')]).toEqual([79, 1]);
    expect(outcomes.find(({ position, item }) => position === 7 && item === 'contact:0')).toMatchObject({
      recordId: existing,
      candidates: [existing],
    });
    expect(await crm.records('contacts')).toHaveLength(40);
    expect(await crm.record('contacts', existing)).toMatchObject({
      firstname: 'By hand',
      prospect_sync_contact_key: personKey('p7@c7.example'),
    });
  });

  // Guarantee: One bad row never blocks the others
  it('writes all rows but the rejected one', async () => {
    const crm = await createCrm();
    const slots = [...rows(20), enrichedRow(20, 'acme.example', ['anna@geheim.invalid', 'anna@acme.example'])];
    const { summary } = await crm.project(slots);
    expect(summary.filter((line) => !line.endsWith('created'))).toEqual([
      '20 contact:0 quarantined INVALID_EMAIL:email',
    ]);
    expect(summary).toHaveLength(43);
  });

  it('reports created for a row that was written but not answered', async () => {
    const crm = await createCrm();
    const answer = { status: 200, body: { status: 'COMPLETE', results: [] }, commit: true, times: 1 };
    crm.faults.add({ path: /companies\/batch\/upsert$/, ...answer });
    const { summary } = await crm.project(rows(3));
    expect(numbers(summary, 'company created')).toBe(3);
    expect(await crm.records('companies')).toHaveLength(3);
  });

  it('reports created for a row that the client had to send twice', async () => {
    const crm = await createCrm();
    crm.faults.add({ path: /companies\/batch\/upsert$/, reset: true, commit: true, times: 1 });
    const { summary } = await crm.project(rows(3));
    expect(numbers(summary, 'company created')).toBe(3);
    expect(await crm.records('companies')).toHaveLength(3);
  });

  it('fails a row that was neither written nor answered, and writes it on retry', async () => {
    const crm = await createCrm();
    crm.faults.add({
      path: /companies\/batch\/upsert$/,
      status: 200,
      body: { status: 'COMPLETE', results: [] },
      times: 1,
    });
    expect((await crm.project(rows(2))).summary).toEqual([
      '0 company failed ROW_NOT_ANSWERED',
      '0 contact:0 skipped company_not_written',
      '1 company failed ROW_NOT_ANSWERED',
      '1 contact:0 skipped company_not_written',
    ]);
    const { summary } = await crm.project(rows(2), { projectionId: 'second', onlyUnfinished: true });
    expect(numbers(summary, 'created')).toBe(4);
  });

  it('writes a submitted record without a key that another record got in the meantime', async () => {
    const crm = await createCrm();
    const [id = ''] = await crm.create('companies', { name: 'Submitted' });
    let other: string | undefined;
    crm.before(update, async () => {
      [other] = await crm.create('companies', { name: 'Faster', [companyKey]: 'acme.example' });
    });
    const { summary, outcomes } = await crm.project([enrichedRow(0, 'acme.example', [], { external_id: id })]);
    expect(summary).toEqual(['0 company updated']);
    expect(outcomes[0]).toMatchObject({ recordId: id, candidates: [id, other] });
    expect(await crm.record('companies', id)).toMatchObject({ prospect_sync_status: 'ENRICHED', [companyKey]: null });
  });

  it('sends a complete update again that was neither carried out nor answered', async () => {
    const crm = await createCrm();
    const [id] = await crm.create('companies', { domain: 'acme.example' });
    crm.faults.add({ path: update, status: 200, body: { status: 'COMPLETE', results: [] }, times: 1 });
    expect((await crm.project([enrichedRow(0, 'acme.example')])).summary).toEqual(['0 company updated']);
    expect(await crm.record('companies', id)).toMatchObject({ [companyKey]: 'acme.example', city: 'Berlin' });
  });

  it('plans an unanswered update again from the current properties', async () => {
    const crm = await createCrm();
    const slots = rows(2);
    await crm.project(slots);
    crm.calls.length = 0;
    const plan = planWith('companies', 'city', 'always');
    for (const { id } of await crm.records('companies')) await crm.edit('companies', id, { city: 'Bern' });
    crm.faults.add({ path: update, status: 200, body: { status: 'COMPLETE', results: [] }, commit: true, times: 1 });
    const { summary } = await crm.project(slots, { projectionId: 'second', plan });
    // The retry finds the current values correct.
    expect(numbers(summary, 'company unchanged') + numbers(summary, 'company updated')).toBe(2);
    expect((await crm.records('companies')).map(({ properties }) => properties['city'])).toEqual(['Berlin', 'Berlin']);
  });
});

describe('writeRecords when a record disappears after it was read', () => {
  async function createKnown(mergedIds: 'gone' | 'resolve' = 'resolve'): Promise<{ crm: Crm; ids: string[] }> {
    const crm = await createCrm({ assumed: { mergedIds } });
    const ids = await crm.create(
      'companies',
      { domain: 'c0.example', [companyKey]: 'c0.example' },
      { domain: 'c1.example', [companyKey]: 'c1.example' },
      { name: 'Twin' },
    );
    return { crm, ids };
  }

  it.each(['gone', 'resolve'] as const)('continues with the merged record that has the key: %s', async (mergedIds) => {
    const { crm, ids } = await createKnown(mergedIds);
    let merged: string | undefined;
    crm.before(update, async () => {
      merged = await crm.merge('companies', ids[0] ?? '', ids[2] ?? '');
    });
    const { summary, outcomes } = await crm.project(rows(2));
    expect(numbers(summary, 'company updated')).toBe(2);
    const candidates = mergedIds === 'gone' ? [ids[0], merged] : [ids[0]];
    expect(outcomes[0]).toMatchObject({ recordId: merged, matchedBy: 'key', candidates });
    expect(await crm.record('companies', merged)).toMatchObject({ prospect_sync_status: 'ENRICHED', city: 'Berlin' });
    expect(numbers(summary, 'contact:0 created')).toBe(2);
  });

  it('quarantines an archived company with its contacts, and creates it on retry', async () => {
    const { crm, ids } = await createKnown();
    crm.before(update, () => crm.archive('companies', ids[0] ?? ''));
    const { summary, outcomes } = await crm.project(rows(2));
    expect(summary).toEqual([
      '0 company quarantined record_gone',
      '0 contact:0 skipped company_not_written',
      '1 company updated',
      '1 contact:0 created',
    ]);
    expect(outcomes[0]).toMatchObject({ recordId: null, candidates: [ids[0]] });
    const again = await crm.project(rows(2), { projectionId: 'second', onlyUnfinished: true });
    expect(again.summary.slice(0, 2)).toEqual(['0 company created', '0 contact:0 created']);
  });

  it.each([
    ['never replaces a submitted record by another one', 'gone', '0 company quarantined submitted_record_missing'],
    [
      'writes a submitted record under its new id where HubSpot resolves the earlier one',
      'resolve',
      '0 company updated',
    ],
  ] as const)('%s', async (_, mergedIds, expected) => {
    const { crm, ids } = await createKnown(mergedIds);
    const merged: string[] = [];
    crm.before(update, async () => merged.push(await crm.merge('companies', ids[0] ?? '', ids[2] ?? '')));
    const slots = [enrichedRow(0, 'c0.example', [], { external_id: ids[0] ?? '' }), enrichedRow(1, 'c1.example')];
    for (const projectionId of ['first', 'second']) {
      const { summary, outcomes } = await crm.project(slots, { projectionId });
      expect(summary[0]).toBe(projectionId === 'first' || mergedIds === 'gone' ? expected : '0 company unchanged');
      expect(outcomes[0]?.recordId).toBe(mergedIds === 'gone' ? null : merged[0]);
    }
  });

  it('handles archived and merged contacts in the same way', async () => {
    const crm = await createCrm();
    const slots = [enrichedRow(0, 'acme.example', ['anna@acme.example', 'bert@acme.example'])];
    const [one = '', two = ''] = await crm.create(
      'contacts',
      { email: 'anna@acme.example' },
      { email: 'bert@acme.example' },
    );
    crm.before(/contacts\/batch\/update$/, () => crm.archive('contacts', one));
    const { summary, outcomes } = await crm.project(slots);
    expect(summary).toEqual(['0 company created', '0 contact:0 quarantined record_gone', '0 contact:1 updated']);
    expect(outcomes[2]).toMatchObject({ recordId: two });
  });
});

describe('writeRecords with the policy only-if-ours', () => {
  const plan = planWith('companies', 'phone', 'only-if-ours');
  const called = (phone: string, position = 0) => [
    enrichedRow(position, null, [], { company: companyAt('acme.example', { phone }) }),
  ];
  const phoneOf = async (crm: Crm) => (await crm.records('companies'))[0]?.properties['phone'];

  /** Each call projects another order with another phone number. */
  async function createCalled() {
    const crm = await createCrm();
    const call = (phone: string, projectionId = 'first') =>
      crm.project(called(phone), { plan, orderId: `order ${phone}`, projectionId });
    return { crm, call };
  }

  it('overwrites its own value, and keeps a value that was edited since', async () => {
    const { crm, call } = await createCalled();
    await call('+49 1');
    await call('+49 2');
    expect(await phoneOf(crm)).toBe('+49 2');
    const [record] = await crm.records('companies');
    await crm.edit('companies', record?.id ?? '', { phone: '+49 by hand' });
    await call('+49 3');
    expect(await phoneOf(crm)).toBe('+49 by hand');
    await crm.edit('companies', record?.id ?? '', { phone: '' });
    await call('+49 4');
    expect(await phoneOf(crm)).toBe('+49 4');
  });

  it('keeps a value that was there before, even if it is the same', async () => {
    const { crm, call } = await createCalled();
    await crm.create('companies', { domain: 'acme.example', phone: '+49 1' });
    await call('+49 1');
    await call('+49 2');
    expect(await phoneOf(crm)).toBe('+49 1');
  });

  it('remembers its last accepted value when a later one did not arrive', async () => {
    const { crm, call } = await createCalled();
    await call('+49 1');
    crm.faults.add({ path: update, status: 503, times: 1 });
    await expect(call('+49 2')).rejects.toThrow('503');
    expect(await phoneOf(crm)).toBe('+49 1');
    await call('+49 3');
    expect(await phoneOf(crm)).toBe('+49 3');
  });

  it.each([
    ['whose answer was lost, for the next attempt', { status: 503 }],
    ['that was not answered', { status: 200, body: { status: 'COMPLETE', results: [] } }],
  ])('remembers its value for a record %s', async (_, answer) => {
    const { crm, call } = await createCalled();
    crm.faults.add({ path: /companies\/batch\/upsert$/, ...answer, commit: true, times: 1 });
    const summary = await call('+49 1').catch(() => call('+49 1'));
    expect(summary.summary).toEqual(['0 company created']);
    await call('+49 2');
    expect(await phoneOf(crm)).toBe('+49 2');
  });

  it('does not claim a value that was edited between the creation and the next attempt', async () => {
    const { crm, call } = await createCalled();
    crm.faults.add({ path: /companies\/batch\/upsert$/, status: 503, commit: true, times: 1 });
    await expect(call('+49 1')).rejects.toThrow('503');
    const [record] = await crm.records('companies');
    await crm.edit('companies', record?.id ?? '', { phone: '+49 by hand' });
    await call('+49 1');
    await call('+49 2');
    expect(await phoneOf(crm)).toBe('+49 by hand');
  });
});
