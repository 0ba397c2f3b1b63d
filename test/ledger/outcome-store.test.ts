import {
  noEvidence,
  type Item,
  type OutcomeRow,
  type PlannedOutcome,
  type RecordedOutcome,
} from '../../src/ledger/outcome-store.ts';
import type { StoredSlot } from '../../src/ledger/stored-slot.ts';
import { onDatabasesOfAll } from './both-databases.ts';

const orderId = 'order-1';
const everything = { from: 0, to: Number.MAX_SAFE_INTEGER };

function createPlan(position: number, item: Item, fields: Partial<PlannedOutcome> = {}): PlannedOutcome {
  return {
    orderId,
    projectionId: 'pass-1',
    position,
    item,
    planned: 'create',
    at: '2026-11-23T08:00:00Z',
    ...fields,
  };
}

function createRecord(position: number, item: Item, fields: Partial<RecordedOutcome> = {}): RecordedOutcome {
  const recorded = { outcome: 'created', rule: null, recordId: `id-${position}` } as const;
  return { ...createPlan(position, item), ...noEvidence, ...recorded, ...fields };
}

const createSlots = (count: number): StoredSlot[] =>
  Array.from({ length: count }, (_, position) => {
    return { position, hash: 'h', status: 'ENRICHED', reasonCodes: [], externalId: null, json: '{}' };
  });

onDatabasesOfAll(({ open }) => {
  describe('outcomes.plan', () => {
    it('stores a planned write without an outcome', async () => {
      const { outcomes } = await open();
      await outcomes.plan([createPlan(0, 'company')]);
      const undecided = { outcome: null, rule: null, recordId: null };
      const expected: OutcomeRow = { ...createPlan(0, 'company'), pass: 1, ...noEvidence, ...undecided };
      expect(await outcomes.read(orderId, everything)).toEqual([expected]);
    });

    it('keeps a row with an outcome of the same projection, and replaces one without', async () => {
      const { outcomes } = await open();
      await outcomes.plan([createPlan(0, 'company'), createPlan(1, 'company')]);
      await outcomes.record([createRecord(0, 'company')]);
      await outcomes.plan([
        createPlan(0, 'company', { planned: 'update' }),
        createPlan(1, 'company', { planned: 'update' }),
      ]);
      expect(await outcomes.read(orderId, everything)).toMatchObject([
        { position: 0, planned: 'create', outcome: 'created', recordId: 'id-0' },
        { position: 1, planned: 'update', outcome: null },
      ]);
    });

    it('starts again in a new projection', async () => {
      const { outcomes } = await open();
      await outcomes.record([createRecord(0, 'company', { outcome: 'skipped', rule: 'NOT_ENRICHED' })]);
      await outcomes.plan([createPlan(0, 'company', { projectionId: 'pass-2', planned: 'update' })]);
      expect(await outcomes.read(orderId, everything)).toEqual([
        {
          ...createPlan(0, 'company', { projectionId: 'pass-2', planned: 'update' }),
          pass: 2,
          outcome: null,
          rule: null,
          recordId: null,
          ...noEvidence,
        },
      ]);
    });
  });

  describe('outcomes.record', () => {
    it('keeps the plan of the same projection, and drops that of an earlier one', async () => {
      const { outcomes } = await open();
      await outcomes.plan([createPlan(0, 'company'), createPlan(1, 'company')]);
      await outcomes.record([
        createRecord(0, 'company', { planned: null }),
        createRecord(1, 'company', { planned: null, projectionId: 'pass-2', outcome: 'unchanged' }),
      ]);
      expect(await outcomes.read(orderId, everything)).toMatchObject([
        { position: 0, planned: 'create', outcome: 'created' },
        { position: 1, planned: null, outcome: 'unchanged', projectionId: 'pass-2' },
      ]);
    });

    it('accepts more rows than fit into a statement, and keeps the last row of each item', async () => {
      const { outcomes } = await open();
      const rows = createSlots(701).flatMap(({ position }) => [
        createRecord(position, 'company'),
        createRecord(position, 'contact:0'),
      ]);
      await outcomes.record([...rows, createRecord(700, 'company', { outcome: 'failed', rule: 'INVALID_EMAIL' })]);
      const stored = await outcomes.read(orderId, everything);
      expect(stored.map((row) => [row.position, row.item])).toEqual(rows.map((row) => [row.position, row.item]));
      expect(stored.at(-2)).toMatchObject({ outcome: 'failed', rule: 'INVALID_EMAIL' });
    });
  });

  describe('outcomes.read', () => {
    it('returns the positions of the range, without its end', async () => {
      const { outcomes } = await open();
      await outcomes.record([0, 1, 2, 3].map((position) => createRecord(position, 'company')));
      const rows = await outcomes.read(orderId, { from: 1, to: 3 });
      expect(rows.map((row) => row.position)).toEqual([1, 2]);
    });
  });

  describe('outcomes.countByRule', () => {
    it('counts the rows of one projection with the rule', async () => {
      const { outcomes } = await open();
      await outcomes.record([
        createRecord(0, 'contact:0', { rule: 'restored' }),
        createRecord(0, 'contact:1', { rule: 'restored' }),
        createRecord(1, 'contact:0'),
        createRecord(2, 'contact:0', { rule: 'restored', projectionId: 'pass-2' }),
      ]);
      const counted = { orderId, projectionId: 'pass-1', rule: 'restored' } as const;
      expect(await outcomes.countByRule(counted)).toBe(2);
      expect(await outcomes.countByRule({ ...counted, orderId: 'order-2' })).toBe(0);
    });
  });

  describe('outcomes.tally', () => {
    it('counts companies and contacts by outcome', async () => {
      const { outcomes } = await open();
      await outcomes.record([
        createRecord(0, 'company'),
        createRecord(1, 'company', { outcome: 'quarantined', projectionId: 'pass-2' }),
        createRecord(0, 'contact:0', { outcome: 'updated' }),
        createRecord(0, 'contact:1', { outcome: 'updated' }),
        createRecord(0, 'company', { orderId: 'another', outcome: 'failed' }),
      ]);
      await outcomes.plan([createPlan(2, 'company')]);
      const none = { created: 0, updated: 0, unchanged: 0, skipped: 0, quarantined: 0, failed: 0 };
      expect(await outcomes.tally(orderId)).toEqual({
        companies: { ...none, created: 1, quarantined: 1 },
        contacts: { ...none, updated: 2 },
      });
    });

    it('counts a record that an earlier pass created as created, and its updates as updated', async () => {
      const { outcomes } = await open();
      const [first, second] = [{ projectionId: 'pass-1' }, { projectionId: 'pass-2' }];
      await outcomes.record([
        createRecord(0, 'company', first),
        createRecord(1, 'company', { ...first, outcome: 'updated' }),
        createRecord(2, 'company', { ...first, recordId: 'deleted since' }),
        createRecord(3, 'company', first),
      ]);
      await outcomes.record([
        createRecord(0, 'company', { ...second, outcome: 'unchanged' }),
        createRecord(1, 'company', { ...second, outcome: 'unchanged' }),
        createRecord(2, 'company', { ...second, outcome: 'unchanged' }),
        createRecord(3, 'company', { ...second, outcome: 'skipped', rule: 'newer_order:other' }),
      ]);
      const { companies } = await outcomes.tally(orderId);
      expect(companies).toMatchObject({ created: 1, updated: 1, unchanged: 1, skipped: 1 });
      const newest = await outcomes.read(orderId, everything);
      expect(newest.map(({ pass, outcome }) => `${pass} ${outcome}`)).toEqual([
        '2 unchanged',
        '2 unchanged',
        '2 unchanged',
        '2 skipped',
      ]);
    });
  });

  describe('outcomes.keptTally', () => {
    it('is the tally after each change, also when it was counted during the change', async () => {
      const { outcomes, slots } = await open();
      const expectTally = async () => expect(await outcomes.keptTally(orderId)).toEqual(await outcomes.tally(orderId));
      await expectTally();
      await slots.save(orderId, createSlots(3));
      for (const projectionId of ['pass-1', 'pass-2'])
        for (const outcome of ['created', 'failed', 'unchanged'] as const) {
          const fields = { projectionId, outcome };
          const rows = [createRecord(0, 'company', fields), createRecord(0, 'contact:0', fields)];
          const planned = [createPlan(0, 'company', { projectionId }), createPlan(1, 'company', { projectionId })];
          const count = () => outcomes.keptTally(orderId);
          await Promise.all([outcomes.plan(planned), count(), outcomes.record(rows), count()]);
          for (let reads = 0; reads < 2; reads += 1) await expectTally();
        }
      expect((await outcomes.keptTally(orderId)).contacts.unchanged).toBe(1);
      await slots.replace(orderId, createSlots(1), new Date('2026-11-25T07:00:00Z'));
      await expectTally();
      expect((await outcomes.keptTally(orderId)).contacts.unchanged).toBe(0);
    });
  });

  describe('outcomes of two attempts at once', () => {
    it('keep that the pass created the record, whichever attempt records last', async () => {
      const { outcomes } = await open();
      await outcomes.record([createRecord(0, 'company')]);
      await outcomes.record([createRecord(0, 'company', { outcome: 'updated' })]);
      expect(await outcomes.read(orderId, everything)).toMatchObject([{ outcome: 'created', pass: 1 }]);
    });

    it('get one number for each pass', async () => {
      const { outcomes } = await open();
      const projections = ['pass-1', 'pass-1', 'pass-2', 'pass-3'];
      await Promise.all(
        projections.map((projectionId, position) =>
          outcomes.record([createRecord(position, 'company', { projectionId })]),
        ),
      );
      const passes = new Set(
        (await outcomes.read(orderId, everything)).map(({ pass, projectionId }) => `${projectionId} ${pass}`),
      );
      expect(passes.size).toBe(3);
      expect(new Set([...passes].map((text) => text.at(-1)))).toEqual(new Set(['1', '2', '3']));
    });
  });
});
