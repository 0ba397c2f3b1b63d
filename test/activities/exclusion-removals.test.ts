import type { ExclusionPlan } from '../../src/config/run-plan.ts';
import { exclusionPlan, exclusionSource } from '../helpers/exclusion-plan.ts';
import { exclusionPortal } from './exclusion-portal.ts';
import { begin, entriesOf, sync, syncId } from './exclusion-steps.ts';
import { createActivityHarness, failure } from './activity-harness.ts';

const at = '2026-11-20T12:00:00.000Z';
const strict = { maxPercent: 10, maxEntries: 500 };
const rows = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `Company ${from + index},`);

async function prepare(lines: readonly string[], changes: Partial<ExclusionPlan> = {}, columns = 'company_name,city') {
  const harness = await createActivityHarness();
  const write = (next: readonly string[]) => harness.file('exclusions.csv', [columns, ...next]);
  const csv = write(lines);
  const exclusion = exclusionPlan({ source: exclusionSource({ csv }), removals: strict, ...changes });
  const syncAgain = (options = {}) => sync(harness, exclusion, options);
  const { blacklistId } = await syncAgain();
  const countEntries = async () => (await entriesOf(harness, blacklistId)).length;
  return { ...harness, write, exclusion, syncAgain, countEntries, blacklistId };
}

describe('removeExclusions', () => {
  // Guarantee: A mistake in a source does not empty a blacklist
  it('removes entries up to the safety limit; beyond it, removals wait while additions are sent', async () => {
    const { syncAgain, write, countEntries } = await prepare(rows(20));
    write(rows(18));
    expect(await syncAgain()).toMatchObject({ removed: 2, pending: null });
    write([...rows(16), 'New,']);
    const { added, removed, pending } = await syncAgain();
    expect({ added, removed, pending }).toEqual({
      added: 1,
      removed: 0,
      pending: {
        digest: expect.stringMatching(/^[0-9a-f]{16}$/),
        entries: 2,
        because: 'max_percent',
        shrunkSources: [],
      },
    });
    expect(await countEntries()).toBe(19);
  });

  it('keeps removals beyond max_entries pending, whatever the size of the blacklist', async () => {
    const { syncAgain, write, countEntries } = await prepare(rows(60), {
      removals: { maxPercent: 100, maxEntries: 5 },
    });
    write(rows(55));
    expect(await syncAgain()).toMatchObject({ removed: 5, pending: null });
    write(rows(49));
    expect(await syncAgain()).toMatchObject({ removed: 0, pending: { entries: 6, because: 'max_entries' } });
    expect(await countEntries()).toBe(55);
  });

  it('does not count replaced entries and copies, because their companies stay excluded', async () => {
    const { syncAgain, write, countEntries, exclusion, prospecting, blacklistId } = await prepare(rows(20));
    write(rows(20).map((row) => `${row}Graz`));
    expect(await syncAgain()).toMatchObject({ added: 20, removed: 20, pending: null });
    await prospecting.blacklists.addEntries(
      blacklistId,
      Array.from({ length: 10 }, () => ({ company_name: 'Company 1', city: 'Graz', reason: exclusion.reasons.csv })),
    );
    expect(await syncAgain()).toMatchObject({ removed: 10, pending: null });
    expect(await countEntries()).toBe(20);
  });

  it('counts entries of which only the name, or no domain, is left: their companies are excluded less surely', async () => {
    const columns = 'company_name,website_url,city,external_id';
    const strong = [
      ...Array.from({ length: 8 }, (_, index) => `City ${index},,Graz,`),
      ...Array.from({ length: 8 }, (_, index) => `Id ${index},,,c-${index}`),
      ...Array.from({ length: 4 }, (_, index) => `Domain ${index},company-${index}.example,,d-${index}`),
    ];
    const { syncAgain, write, countEntries } = await prepare(strong, {}, columns);
    const withoutDomain = strong.map((line) => line.replace(/company-\d\.example/, ''));
    write(withoutDomain);
    expect(await syncAgain()).toMatchObject({ added: 4, removed: 0, pending: { entries: 4 } });
    const namesOnly = strong.map((line) => line.replace(/,.*/, ',,,'));
    write(namesOnly);
    expect(await syncAgain()).toMatchObject({
      added: 20,
      removed: 0,
      pending: { entries: 24, because: 'max_percent' },
    });
    expect(await countEntries()).toBe(44);
  });

  it('removes exactly the approved set, and only once', async () => {
    const { syncAgain, write, countEntries, ledger } = await prepare(rows(20));
    write(rows(10));
    const first = await syncAgain();
    expect(await syncAgain()).toMatchObject({ removed: 0, pending: first.pending });
    await ledger.exclusionRemovals.approve(first.pending?.digest ?? '', at);
    expect(await syncAgain()).toMatchObject({ removed: 10, pending: null });
    expect(await countEntries()).toBe(10);
    expect(await ledger.exclusionRemovals.listPending()).toEqual([]);
    write(rows(5));
    expect(await syncAgain()).toMatchObject({ removed: 0, pending: { entries: 5 } });
  });

  it('completes an approved set when the first attempt removed half of it', async () => {
    const harness = await prepare(rows(1_200), { removals: { maxPercent: 100, maxEntries: 0 } });
    const { write, syncAgain, countEntries, ledger, exclusion, perform, service } = harness;
    write(rows(100));
    const { pending } = await syncAgain();
    await ledger.exclusionRemovals.approve(pending?.digest ?? '', at);
    const step = await begin(harness, exclusion);
    const evaluated = await perform('evaluateRemovals', step);
    expect(evaluated).toEqual({ released: 1_100, approved: pending?.digest, pending: null });
    service.faults.add({ method: 'DELETE', path: /\/entries$/, call: 2, status: 503, times: 1 });
    await failure(perform('removeExclusions', { ...step, ...evaluated }));
    expect(await countEntries()).toBe(200);
    const repeated = { attempt: 2 };
    expect(await perform('removeExclusions', { ...step, ...evaluated }, repeated)).toEqual({
      removed: 1_100,
      pending: null,
    });
    expect(await ledger.exclusionRemovals.listPending()).toEqual([]);
  });

  it('keeps removals pending under a new digest when a retry finds more of them', async () => {
    const harness = await prepare(rows(20), { removals: { maxPercent: 100, maxEntries: 2 } });
    const { write, countEntries, exclusion, perform, prospecting, blacklistId, ledger, syncAgain } = harness;
    write(rows(18));
    const step = await begin(harness, exclusion);
    const evaluated = await perform('evaluateRemovals', step);
    await prospecting.blacklists.addEntries(blacklistId, [{ company_name: 'By hand' }]);
    const stopped = await perform('removeExclusions', { ...step, ...evaluated }, { attempt: 2 });
    expect(stopped).toMatchObject({
      removed: 0,
      pending: { entries: 3, because: 'exceeds_decision', shrunkSources: [] },
    });
    expect(await countEntries()).toBe(21);
    await ledger.exclusionRemovals.approve(stopped.pending?.digest ?? '', at);
    expect(await syncAgain()).toMatchObject({ removed: 3, pending: null });
  });

  it('requires a new approval when the source was complete again in between', async () => {
    const { syncAgain, write, ledger } = await prepare(rows(20));
    write(rows(10));
    const { pending } = await syncAgain();
    await ledger.exclusionRemovals.approve(pending?.digest ?? '', at);
    write(rows(20));
    expect(await syncAgain()).toMatchObject({ removed: 0, pending: null });
    write(rows(10));
    // The approval applied to the earlier removal.
    expect(await syncAgain()).toMatchObject({ removed: 0, pending: { digest: pending?.digest } });
    expect((await ledger.exclusionRemovals.listPending()).map(({ digest }) => digest)).toEqual([pending?.digest]);
    await ledger.exclusionRemovals.approve(pending?.digest ?? '', at);
    expect(await syncAgain()).toMatchObject({ removed: 10, pending: null });
  });

  it('keeps removals pending under a new digest when the approved set has changed', async () => {
    const { syncAgain, write, countEntries, ledger } = await prepare(rows(20));
    write(rows(10));
    const { pending } = await syncAgain();
    await ledger.exclusionRemovals.approve(pending?.digest ?? '', at);
    write(rows(9));
    const next = await syncAgain();
    expect(next).toMatchObject({ removed: 0, pending: { entries: 11 } });
    expect(next.pending?.digest).not.toBe(pending?.digest);
    expect(await countEntries()).toBe(20);
    // The approval is void, even when the same set comes back.
    write(rows(10));
    expect(await syncAgain()).toMatchObject({ removed: 0, pending: { digest: pending?.digest, entries: 10 } });
  });

  it('drops pending removals when their companies are excluded again', async () => {
    const { syncAgain, write, ledger } = await prepare(rows(20));
    write(rows(10));
    await syncAgain();
    write(rows(20));
    expect(await syncAgain()).toMatchObject({ added: 0, removed: 0, pending: null });
    expect(await ledger.exclusionRemovals.listPending()).toEqual([]);
  });

  it('keeps removals pending while a source is emptied, even below the limit', async () => {
    const harness = await createActivityHarness();
    const portal = exclusionPortal(harness);
    const [a = '', b = ''] = await harness.createRecords('companies', [{ name: 'A' }, { name: 'B' }]);
    const list = await portal.list([a]);
    const deal = await portal.deal('contractsent', [b]);
    const exclusion = exclusionPlan({ source: exclusionSource({ lists: [list], openDeals: true }) });
    const { blacklistId } = await sync(harness, exclusion);
    await portal.leaveList(list, [a]);
    const waiting = {
      removed: 0,
      pending: { entries: 1, because: 'source_shrunk', shrunkSources: [`lists:${list}`] },
    };
    const held = await sync(harness, exclusion);
    expect(held).toMatchObject(waiting);
    // It is still pending on the next day.
    expect(await sync(harness, exclusion)).toMatchObject(waiting);
    await harness.ledger.exclusionRemovals.approve(held.pending?.digest ?? '', at);
    expect(await sync(harness, exclusion)).toMatchObject({ removed: 1, pending: null });
    expect((await entriesOf(harness, blacklistId)).map(({ company_name }) => company_name)).toEqual(['B']);
    // After the approval the list counts as empty on purpose.
    await portal.deal('contractsent', [a]);
    await portal.moveDeal(deal, 'closedlost');
    expect(await sync(harness, exclusion)).toMatchObject({ added: 1, removed: 1, pending: null });
  });

  it('keeps removals pending when a file has lost most of its rows, even below the limit, until that is approved', async () => {
    const harness = await createActivityHarness();
    const records = Array.from({ length: 300 }, (_, index) => ({ name: `N${index}`, lifecyclestage: 'customer' }));
    await harness.createRecords('companies', records);
    const write = (count: number) => harness.file('exclusions.csv', ['company_name,city', ...rows(count)]);
    const source = exclusionSource({ csv: write(18), lifecycleStages: ['customer'] });
    const exclusion = exclusionPlan({ source, removals: strict });
    await sync(harness, exclusion);
    write(9);
    expect(await sync(harness, exclusion)).toMatchObject({ removed: 9, pending: null });
    write(20);
    await sync(harness, exclusion);
    write(8);
    const held = await sync(harness, exclusion);
    const pending = { entries: 12, because: 'source_shrunk', shrunkSources: ['csv'] };
    expect(held).toMatchObject({ removed: 0, pending });
    expect(await sync(harness, exclusion)).toMatchObject({ removed: 0, pending });
    await harness.ledger.exclusionRemovals.approve(held.pending?.digest ?? '', at);
    expect(await sync(harness, exclusion)).toMatchObject({ removed: 12, pending: null });
    write(7);
    expect(await sync(harness, exclusion)).toMatchObject({ removed: 1, pending: null });
  });

  it('keeps removals pending when one of several lists or stages was emptied', async () => {
    const harness = await createActivityHarness();
    const portal = exclusionPortal(harness);
    const stages = ['customer', 'opportunity'];
    const ids = await harness.createRecords(
      'companies',
      Array.from({ length: 40 }, (_, index) => ({ name: `N${index}`, lifecyclestage: stages[index] ?? 'customer' })),
    );
    const small = ids.slice(2, 4);
    const lists = [await portal.list(ids.slice(4)), await portal.list(small)];
    const source = exclusionSource({ lists, lifecycleStages: [...stages, 'evangelist'] });
    const exclusion = exclusionPlan({ source, removals: strict });
    await sync(harness, exclusion);
    await portal.change(ids[1] ?? '', { lifecyclestage: '' });
    await portal.leaveList(lists[1] ?? '', small);
    for (const id of small) await portal.change(id, { lifecyclestage: '' });
    const held = await sync(harness, exclusion);
    expect(held).toMatchObject({
      removed: 0,
      pending: {
        entries: 3,
        because: 'source_shrunk',
        shrunkSources: [`lists:${lists[1]}`, 'lifecycle_stages:opportunity'],
      },
    });
    await harness.ledger.exclusionRemovals.approve(held.pending?.digest ?? '', at);
    // An approved set is not removed when a retry finds more removals: the sources count as emptied.
    const step = await begin(harness, exclusion);
    const evaluated = await harness.perform('evaluateRemovals', step);
    await harness.prospecting.blacklists.addEntries(step.blacklistId, [{ company_name: 'By hand' }]);
    const { pending } = await harness.perform('removeExclusions', { ...step, ...evaluated }, { attempt: 2 });
    await harness.perform('rememberScan', { ...step, removalsWait: pending !== null });
    expect(await sync(harness, exclusion)).toMatchObject({ removed: 0, pending: { because: 'source_shrunk' } });
  });

  it('removes nothing after a delta scan', async () => {
    const { syncAgain, write, countEntries } = await prepare(rows(20), {
      fullScanEveryMs: 3_600_000,
      removals: { maxPercent: 100, maxEntries: 500 },
    });
    write(rows(10));
    expect(await syncAgain()).toMatchObject({ kind: 'delta', removed: 0, pending: null });
    expect(await countEntries()).toBe(20);
    expect(await syncAgain({ full: true })).toMatchObject({ kind: 'full', removed: 10 });
  });
});

describe('removeExclusions and addExclusions', () => {
  it('reject a blacklist that does not belong to the exclusion', async () => {
    const harness = await createActivityHarness();
    const { configureExclusion, ledger, perform, prospecting } = harness;
    const csv = harness.file('companies.csv', ['company_name', 'One']);
    const planFor = (name: string) =>
      exclusionPlan({ name, blacklist: `List of ${name}`, source: exclusionSource({ csv }) });
    const [own, other] = [await sync(harness, planFor('own')), await sync(harness, planFor('other'))];
    const foreign = await prospecting.blacklists.create({ name: 'Foreign' });
    const step = { syncId, exclusion: configureExclusion(planFor('own')) };
    const removal = { ...step, released: 1_000, approved: null, pending: null };
    for (const blacklistId of [other.blacklistId, foreign.id]) {
      const { type } = await failure(perform('removeExclusions', { ...removal, blacklistId }, { attempt: 2 }));
      expect(type).toBe('InputRefused');
    }
    const addition = { syncId, blacklistId: foreign.id, kind: 'full' } as const;
    expect((await failure(perform('addExclusions', addition))).type).toBe('InputRefused');
    expect(await entriesOf(harness, other.blacklistId)).toHaveLength(1);
    expect(await ledger.blacklists.isKnown(own.blacklistId)).toBe(true);
  });
});
