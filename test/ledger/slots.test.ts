import type { Ledger } from '../../src/ledger/ledger.ts';
import type { StoredSlot } from '../../src/ledger/stored-slot.ts';
import { onBothDatabases } from './both-databases.ts';

const orderId = '8a5f0c9e-0000-4000-8000-000000000001';

function createSlot(position: number, fields: Partial<StoredSlot> = {}): StoredSlot {
  return {
    position,
    hash: `hash-${position}`,
    status: 'ENRICHED',
    reasonCodes: ['POLICY_ELIGIBLE'],
    externalId: position % 2 === 0 ? `crm-${position}` : null,
    json: JSON.stringify({ input_position: position, text: 'ä\u0000"€' }),
    ...fields,
  };
}

const createSlots = (count: number, from = 0) => Array.from({ length: count }, (_, index) => createSlot(from + index));

onBothDatabases(({ open }) => {
  describe('slots.save', () => {
    it('keeps every field of every slot, in the order of their positions', async () => {
      const { slots } = await open();
      const stored = createSlots(1_203);
      await slots.save(orderId, stored.toReversed());
      expect(await slots.read(orderId, { from: 0, to: 1_203 })).toEqual(stored);
      expect(await slots.count(orderId)).toBe(1_203);
    });

    it('keeps one slot when the same page arrives again, also while it is being saved', async () => {
      const { slots } = await open();
      const page = createSlots(700);
      await Promise.all([slots.save(orderId, page), slots.save(orderId, page)]);
      await slots.save(orderId, [...page, ...page, ...createSlots(10, 700)]);
      expect(await slots.count(orderId)).toBe(710);
      expect(await slots.countByReason(orderId)).toEqual({ POLICY_ELIGIBLE: 710 });
    });

    it('separates orders', async () => {
      const { slots } = await open();
      await slots.save(orderId, createSlots(2));
      await slots.save('another', [createSlot(0, { hash: 'other' })]);
      expect(await slots.count('another')).toBe(1);
      expect(await slots.count('a third')).toBe(0);
    });

    it('rejects a slot that is stored with another hash, and stores nothing of its page', async () => {
      const { slots } = await open();
      await slots.save(orderId, createSlots(600));
      const page = [...createSlots(900, 300)].map((slot) => (slot.position === 599 ? { ...slot, hash: 'new' } : slot));
      await expect(slots.save(orderId, page)).rejects.toMatchObject({
        name: 'LedgerError',
        reason: 'changed',
        message: expect.stringMatching(new RegExp(`^slot 599 of order ${orderId} differs`)),
      });
      expect(await slots.count(orderId)).toBe(600);
    });

    it('rejects a position with two hashes', async () => {
      const { slots } = await open();
      const page = [createSlot(4), createSlot(4, { hash: 'new' })];
      await expect(slots.save(orderId, page)).rejects.toMatchObject({ reason: 'changed' });
    });

    it('accepts an empty page', async () => {
      const { slots } = await open();
      await slots.save(orderId, []);
      expect(await slots.count(orderId)).toBe(0);
    });
  });

  describe('slots.stream', () => {
    it('yields batches of 500 and a short last one, while others write', async () => {
      const { slots } = await open();
      await slots.save(orderId, createSlots(1_203));
      const lengths: number[] = [];
      const positions: number[] = [];
      for await (const batch of slots.stream(orderId)) {
        lengths.push(batch.length);
        positions.push(...batch.map((slot) => slot.position));
        await slots.save('another', createSlots(1, lengths.length));
      }
      expect(lengths).toEqual([500, 500, 203]);
      expect(positions).toEqual(createSlots(1_203).map((slot) => slot.position));
    });

    it('yields the slots of a range, without its end', async () => {
      const { slots } = await open();
      await slots.save(orderId, createSlots(30));
      const positions: number[] = [];
      for await (const batch of slots.stream(orderId, { from: 5, to: 9 }))
        positions.push(...batch.map((slot) => slot.position));
      expect(positions).toEqual([5, 6, 7, 8]);
    });

    it('yields nothing for an order without slots', async () => {
      const { slots } = await open();
      const batches: unknown[] = [];
      for await (const batch of slots.stream(orderId)) batches.push(batch);
      expect(batches).toEqual([]);
    });
  });

  describe('slots.read', () => {
    it('returns the slots of a range, without its end', async () => {
      const { slots } = await open();
      await slots.save(orderId, createSlots(30));
      expect((await slots.read(orderId, { from: 28, to: 99 })).map((slot) => slot.position)).toEqual([28, 29]);
    });
  });

  describe('slots.findRepeated', () => {
    it('returns the first position whose slot exists at an earlier position', async () => {
      const { slots } = await open();
      await slots.save(orderId, createSlots(20));
      await slots.save('another', [createSlot(3), createSlot(4, { hash: 'hash-3' })]);
      expect(await slots.findRepeated(orderId)).toBeNull();
      await slots.save(orderId, [createSlot(20, { hash: 'hash-9' }), createSlot(21, { hash: 'hash-1' })]);
      expect(await slots.findRepeated(orderId)).toBe(20);
    });
  });

  describe('slots.countByStatus, slots.countByReason', () => {
    it('count slots, each reason once per slot, unknown statuses and reasons included', async () => {
      const { slots }: Ledger = await open();
      await slots.save(orderId, [
        ...createSlots(3),
        createSlot(3, { status: 'PARTIAL', reasonCodes: ['WEBSITE_MOVED', 'NEW_CODE', 'NEW_CODE'] }),
        createSlot(4, { status: 'NEW', reasonCodes: [] }),
        createSlot(5, { status: 'PARTIAL', reasonCodes: ['WEBSITE_MOVED'] }),
      ]);
      expect(await slots.countByStatus(orderId)).toEqual({ ENRICHED: 3, NEW: 1, PARTIAL: 2 });
      expect(await slots.countByReason(orderId)).toEqual({ NEW_CODE: 1, POLICY_ELIGIBLE: 3, WEBSITE_MOVED: 2 });
    });
  });
});
