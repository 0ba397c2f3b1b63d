import { onDatabasesOfAll } from './both-databases.ts';

const at = '2026-11-20T12:00:00.000Z';
const createEntry = (entryId: string) => ({
  entryId,
  blacklistId: 'list',
  lastSeenAt: at,
  json: JSON.stringify({ of: entryId }),
  company: { name: entryId, website_url: null },
});
const waiting = { digest: 'd1', exclusion: 'customers', blacklistId: 'b', entries: 600, foundAt: at };

onDatabasesOfAll(({ open }) => {
  describe('exclusionScans', () => {
    it('are stored by name, and the last one saved is returned', async () => {
      const { exclusionScans } = await open();
      const scan = {
        name: 'customers',
        blacklistId: 'b',
        settingsDigest: 's',
        lastFullAt: at,
        lastScanAt: at,
        countsJson: '{"open_deals":3}',
      };
      expect(await exclusionScans.get('customers')).toBeUndefined();
      await exclusionScans.save(scan);
      await exclusionScans.save({ ...scan, lastScanAt: '2026-11-21T12:00:00.000Z' });
      expect(await exclusionScans.get('customers')).toEqual({ ...scan, lastScanAt: '2026-11-21T12:00:00.000Z' });
    });
  });

  describe('exclusionRemovals', () => {
    it('keeps the approval of the same set, and deletes a set that another one replaces', async () => {
      const { exclusionRemovals } = await open();
      await exclusionRemovals.propose(waiting);
      await exclusionRemovals.propose({ ...waiting, digest: 'other', exclusion: 'rivals' });
      await exclusionRemovals.approve('d1', at);
      await exclusionRemovals.propose({ ...waiting, foundAt: '2026-11-21T12:00:00.000Z' });
      expect(await exclusionRemovals.get('d1')).toEqual({ ...waiting, approvedAt: at, removedAt: null });
      await exclusionRemovals.propose({ ...waiting, digest: 'd2' });
      expect(await exclusionRemovals.get('d1')).toBeUndefined();
      expect((await exclusionRemovals.listPending()).map(({ digest }) => digest)).toEqual(['d2', 'other']);
    });

    it('marks the removed set, and deletes other pending sets with their approvals', async () => {
      const { exclusionRemovals } = await open();
      await exclusionRemovals.propose(waiting);
      await exclusionRemovals.propose({ ...waiting, digest: 'other', exclusion: 'rivals' });
      await exclusionRemovals.approve('d1', at);
      await exclusionRemovals.settle('customers', 'd1', at);
      expect(await exclusionRemovals.get('d1')).toMatchObject({ removedAt: at });
      // A removed set cannot be approved again.
      await exclusionRemovals.approve('d1', '2027-01-01T00:00:00.000Z');
      expect(await exclusionRemovals.get('d1')).toMatchObject({ approvedAt: at });
      await exclusionRemovals.propose({ ...waiting, digest: 'd2' });
      await exclusionRemovals.approve('d2', at);
      await exclusionRemovals.settle('customers', null, at);
      expect(await exclusionRemovals.get('d2')).toBeUndefined();
      expect((await exclusionRemovals.listPending()).map(({ digest }) => digest)).toEqual(['other']);
    });

    it('requires a new approval for a set that was removed before and exists again', async () => {
      const { exclusionRemovals } = await open();
      await exclusionRemovals.propose(waiting);
      await exclusionRemovals.approve('d1', at);
      await exclusionRemovals.settle('customers', 'd1', at);
      const again = { ...waiting, foundAt: '2026-11-21T12:00:00.000Z' };
      await exclusionRemovals.propose(again);
      expect(await exclusionRemovals.listPending()).toEqual([{ ...again, approvedAt: null, removedAt: null }]);
      await exclusionRemovals.approve('d1', at);
      expect(await exclusionRemovals.get('d1')).toMatchObject({ approvedAt: at, removedAt: null });
    });
  });

  describe('exclusionSnapshots', () => {
    it('return the entries of each snapshot, and store each entry once', async () => {
      const { exclusionSnapshots } = await open();
      const ids = Array.from({ length: 2_600 }, (_, index) => `entry-${String(index).padStart(4, '0')}`);
      await exclusionSnapshots.describe(ids.map(createEntry));
      const save = (digest: string, kept: readonly string[]) =>
        exclusionSnapshots.save(
          { digest, entries: kept.length, frozenAt: at },
          (async function* () {
            for (let from = 0; from < kept.length; from += 700) yield kept.slice(from, from + 700);
          })(),
        );
      expect(await exclusionSnapshots.has('whole')).toBe(false);
      await save('whole', ids);
      await save('whole', ids);
      await save('half', ids.slice(0, 1_000));
      await save('empty', []);
      expect(await exclusionSnapshots.has('whole')).toBe(true);
      expect(await exclusionSnapshots.has('empty')).toBe(true);
      const read = async (digest: string) =>
        (await Array.fromAsync(exclusionSnapshots.entries(digest))).flat().map(({ entryId }) => entryId);
      expect((await read('whole')).sort()).toEqual(ids);
      expect(await read('half')).toHaveLength(1_000);
      expect(await read('empty')).toEqual([]);
    });

    it('exist only with the stated number of entries, also after an incomplete save', async () => {
      const { exclusionSnapshots } = await open();
      const ids = Array.from({ length: 1_500 }, (_, index) => `entry-${String(index).padStart(4, '0')}`);
      await exclusionSnapshots.describe(ids.map(createEntry));
      const save = async (kept: readonly string[]) =>
        exclusionSnapshots.save(
          { digest: 'd', entries: ids.length, frozenAt: at },
          (async function* () {
            yield kept;
          })(),
        );
      const read = async () =>
        (await Array.fromAsync(exclusionSnapshots.entries('d'))).flat().map((row) => row.entryId);
      await expect(save(ids.slice(300))).rejects.toMatchObject({ name: 'LedgerError', reason: 'changed' });
      expect(await exclusionSnapshots.has('d')).toBe(false);
      await save(ids);
      expect(await exclusionSnapshots.has('d')).toBe(true);
      expect((await read()).sort()).toEqual(ids);
      // A late save changes nothing.
      await expect(save(ids.slice(0, 1_200))).rejects.toMatchObject({ reason: 'changed' });
      expect((await read()).sort()).toEqual(ids);
    });

    it('keep the first attachment of an order', async () => {
      const { exclusionSnapshots } = await open();
      const row = { orderId: 'o', blacklistId: 'b', digest: 'first', orderedAt: at };
      await exclusionSnapshots.attach([row]);
      await exclusionSnapshots.attach([{ ...row, digest: 'second' }]);
      await exclusionSnapshots.attach([]);
      expect(await exclusionSnapshots.ofOrder('o')).toEqual([{ ...row, matchedDigest: null }]);
      expect(await exclusionSnapshots.ofOrder('another')).toEqual([]);
    });
  });

  describe('leaks', () => {
    it('return the last verdicts of an order by position', async () => {
      const { leaks } = await open();
      const leak = { verdict: 'LEAK', tier: 'website_domain', entryId: 'e' } as const;
      await leaks.replace('o', [{ position: 9, ...leak }]);
      await leaks.replace('o', [
        { position: 12, ...leak, verdict: 'WEAK', tier: 'name' },
        { position: 3, ...leak },
        { position: 4, ...leak, verdict: 'LATE' },
      ]);
      await leaks.replace('another', [{ position: 3, ...leak }]);
      expect(await leaks.read('o', { from: 3, to: 12 })).toEqual(
        new Map([
          [3, leak],
          [4, { ...leak, verdict: 'LATE' }],
        ]),
      );
      expect(await leaks.tally('o')).toEqual({ LEAK: 1, LATE: 1, WEAK: 1 });
      await leaks.replace('o', []);
      expect(await leaks.tally('o')).toEqual({ LEAK: 0, LATE: 0, WEAK: 0 });
    });
  });
});
