import * as fc from 'fast-check';

import type { Ledger } from '../../src/ledger/ledger.ts';
import { onDatabasesOfAll } from './both-databases.ts';
import { runsOf } from '../helpers/sample.ts';

/** Each hash belongs to another company. */
const company = (hash: string) => ({ matchKey: `key of ${hash}`, externalId: '', strength: 2 });
const entryOf = (name: string) => ({ company_name: name });
const wanted = (...hashes: string[]) => hashes.map((hash) => ({ hash, entry: entryOf(hash), ...company(hash) }));
const existing = (...pairs: string[]) =>
  pairs.map((pair) => {
    const [entryId = '', hash = ''] = pair.split('=');
    return { entryId, hash, ...company(hash) };
  });

/** Applies the differences to the blacklist page by page, like a sync. */
async function applyDifference({ exclusions }: Ledger, blacklist: Map<string, string>, limit: number): Promise<void> {
  let added: string | undefined;
  for (;;) {
    const page = await exclusions.listAdditions('sync', { limit, ...(added === undefined ? {} : { after: added }) });
    if (page.length === 0) break;
    const entries = page.map(({ hash }) => ({ entryId: `new-${hash}`, hash, ...company(hash) }));
    for (const { entryId, hash } of entries) blacklist.set(entryId, hash);
    await exclusions.addExisting('sync', entries);
    added = page.at(-1)?.hash;
  }
  let removed: { entryId: string; hash: string } | undefined;
  for (;;) {
    const page = await exclusions.listRemovals('sync', { limit, ...(removed === undefined ? {} : { after: removed }) });
    if (page.length === 0) return;
    for (const { entryId } of page) blacklist.delete(entryId);
    await exclusions.markRemoved(
      'sync',
      page.map(({ entryId }) => entryId),
    );
    removed = page.at(-1);
  }
}

onDatabasesOfAll(({ open }) => {
  describe('exclusions.addWanted, exclusions.addExisting', () => {
    it('keep the last row of each hash and of each entry', async () => {
      const { exclusions } = await open();
      await exclusions.addWanted('sync', wanted('b', 'a', 'b'));
      await exclusions.addWanted('sync', [{ hash: 'a', entry: entryOf('newer'), ...company('a') }]);
      await exclusions.addExisting('sync', existing('1=a', '1=x'));
      await exclusions.addExisting('sync', existing('1=y'));
      expect(await exclusions.countWanted('sync')).toBe(2);
      expect(await exclusions.countExisting('sync')).toBe(1);
      expect(await exclusions.listAdditions('sync', { limit: 9 })).toEqual([
        { hash: 'a', entry: entryOf('newer'), ...company('a') },
        ...wanted('b'),
      ]);
      expect(await exclusions.listRemovals('sync', { limit: 9 })).toEqual(existing('1=y'));
    });
  });

  describe('exclusions.listAdditions', () => {
    it('lists the wanted entries that the blacklist lacks, by hash, in pages', async () => {
      const { exclusions } = await open();
      await exclusions.addWanted('sync', wanted('d', 'c', 'b', 'a'));
      await exclusions.addWanted('another', wanted('z'));
      await exclusions.addExisting('sync', existing('1=b'));
      await exclusions.addExisting('another', existing('2=a'));
      expect(await exclusions.listAdditions('sync', { limit: 2 })).toEqual(wanted('a', 'c'));
      expect(await exclusions.listAdditions('sync', { limit: 2, after: 'c' })).toEqual(wanted('d'));
      expect(await exclusions.listAdditions('sync', { limit: 2, after: 'd' })).toEqual([]);
      expect(await exclusions.countAdditions('sync')).toBe(3);
    });
  });

  describe('exclusions.listRemovals', () => {
    it('lists unwanted entries, and all copies but the one with the smallest id, in pages', async () => {
      const { exclusions } = await open();
      await exclusions.addWanted('sync', wanted('a', 'b'));
      await exclusions.addExisting('sync', existing('7=a', '3=a', '5=a', '2=b', '9=x', '8=x'));
      const first = await exclusions.listRemovals('sync', { limit: 3 });
      expect(first).toEqual(existing('5=a', '7=a', '8=x'));
      expect(await exclusions.listRemovals('sync', { limit: 3, after: { entryId: '8', hash: 'x' } })).toEqual(
        existing('9=x'),
      );
    });
  });

  describe('exclusions.listAdditions, exclusions.listRemovals', () => {
    it('leave each wanted hash exactly once and nothing else when they are applied', async () => {
      const ledger = await open();
      const { exclusions } = ledger;
      const hash = fc.constantFrom('a', 'b', 'c', 'd', 'e');
      const entries = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[0-9A-Za-z-]{1,4}$/), hash), {
        selector: ([id]) => id,
      });
      await fc.assert(
        fc.asyncProperty(fc.array(hash), entries, fc.integer({ min: 1, max: 4 }), async (hashes, listed, limit) => {
          await exclusions.clear('sync');
          await exclusions.addWanted('sync', wanted(...hashes));
          await exclusions.addExisting(
            'sync',
            listed.map(([entryId, hash]) => ({ entryId, hash, ...company(hash) })),
          );
          const blacklist = new Map(listed);
          await applyDifference(ledger, blacklist, limit);
          expect([...blacklist.values()].sort()).toEqual([...new Set(hashes)].sort());
          expect(await exclusions.countExisting('sync')).toBe(blacklist.size);
        }),
        { numRuns: runsOf(40) },
      );
    });
  });

  describe('exclusions.listAdditions, exclusions.listRemovals of many rows', () => {
    it('find all differences, with copies beside each other', async () => {
      const ledger = await open();
      const { exclusions } = ledger;
      const hashes = Array.from({ length: 12_000 }, (_, index) => `hash-${String(index).padStart(5, '0')}`);
      await exclusions.addWanted('sync', wanted(...hashes));
      const blacklist = new Map<string, string>();
      for (const [index, hash] of hashes.entries()) {
        if (index % 4_000 !== 17) blacklist.set(`a-${hash}`, hash);
        if (index % 3 === 0) blacklist.set(`b-${hash}`, hash); // so that a range ends between the copies of a hash
      }
      blacklist.set('z', 'not wanted');
      await exclusions.addExisting(
        'sync',
        [...blacklist].map(([entryId, hash]) => ({ entryId, hash, ...company(hash) })),
      );
      expect((await exclusions.listAdditions('sync', { limit: 10_000 })).map(({ hash }) => hash)).toEqual([
        'hash-00017',
        'hash-08017',
      ]);
      expect(await exclusions.listRemovals('sync', { limit: 10_000 })).toHaveLength(4_000);
      await applyDifference(ledger, blacklist, 700);
      expect([...blacklist.values()].sort()).toEqual(hashes);
    });
  });

  describe('exclusions.readWanted, exclusions.removeWanted', () => {
    it('return the wanted entries of a company, and delete them', async () => {
      const { exclusions } = await open();
      await exclusions.addWanted('sync', wanted('a', 'b'));
      await exclusions.addWanted('another', wanted('a'));
      const { matchKey } = company('a');
      expect(await exclusions.readWanted('sync', [matchKey, matchKey, 'another key'])).toEqual(wanted('a'));
      await exclusions.removeWanted('sync', ['a']);
      expect(await exclusions.readWanted('sync', [matchKey])).toEqual([]);
      expect(await exclusions.countWanted('sync')).toBe(1);
      expect(await exclusions.countWanted('another')).toBe(1);
    });
  });

  describe('exclusions.selectReleased', () => {
    it('leaves out entries whose company an equally strong wanted entry excludes, by id or by name and domain', async () => {
      const { exclusions } = await open();
      await exclusions.addWanted('sync', [
        { hash: 'new-1', entry: entryOf('Acme'), matchKey: 'acme', externalId: '', strength: 0 },
        { hash: 'new-2', entry: entryOf('Acme'), matchKey: 'acme', externalId: '', strength: 1 },
        { hash: 'new-3', entry: entryOf('Acme'), matchKey: 'renamed', externalId: '501', strength: 1 },
      ]);
      const removals = [
        { entryId: '1', hash: 'old-1', matchKey: 'acme', externalId: '', strength: 1 },
        { entryId: '2', hash: 'old-2', matchKey: 'old name', externalId: '501', strength: 1 },
        { entryId: '3', hash: 'old-3', matchKey: 'unwanted', externalId: '', strength: 0 },
        { entryId: '4', hash: 'old-4', matchKey: 'unwanted', externalId: '502', strength: 1 },
        { entryId: '5', hash: 'old-5', matchKey: 'acme', externalId: '', strength: 2 },
        { entryId: '6', hash: 'old-6', matchKey: 'old name', externalId: '501', strength: 2 },
      ];
      const released = await exclusions.selectReleased('sync', removals);
      expect(released.map(({ entryId }) => entryId)).toEqual(['3', '4', '5', '6']);
      expect(await exclusions.selectReleased('another', removals)).toEqual(removals);
    });
  });

  describe('exclusions.existingEntries', () => {
    it('lists the entries by entry id', async () => {
      const { exclusions } = await open();
      await exclusions.addExisting('sync', existing('2=b', '10=a', '1=c'));
      expect((await Array.fromAsync(exclusions.existingEntries('sync'))).flat()).toEqual(
        existing('1=c', '10=a', '2=b'),
      );
    });
  });

  describe('exclusions.foundRecords', () => {
    it('lists each record once with all its sources, also across pages', async () => {
      const { exclusions } = await open();
      const rows = Array.from({ length: 1_150 }, (_, index) => ({
        recordId: `r${String(Math.floor(index / 3)).padStart(4, '0')}`,
        source: `lists:${index % 3}`,
        properties: index % 3 === 0 ? { name: 'Acme' } : null,
      }));
      await exclusions.addFound('sync', rows.toReversed());
      await exclusions.addFound('sync', rows.slice(0, 5));
      await exclusions.addFound('another', rows.slice(0, 5));
      const pages = await Array.fromAsync(exclusions.foundRecords('sync'));
      expect(Math.max(...pages.map((page) => page.size))).toBe(100);
      expect(pages.flatMap((page) => [...page.values()].flat())).toEqual(rows);
      await exclusions.clear('sync');
      expect(await Array.fromAsync(exclusions.foundRecords('sync'))).toEqual([]);
      expect(await Array.fromAsync(exclusions.foundRecords('another'))).toHaveLength(1);
    });
  });

  describe('exclusions.clearExisting, exclusions.clear', () => {
    it('delete the rows of one sync only', async () => {
      const { exclusions } = await open();
      const hashes = Array.from({ length: 20_400 }, (_, index) => `hash-${index}`);
      await exclusions.addWanted('sync', wanted(...hashes));
      await exclusions.addExisting(
        'sync',
        hashes.map((hash) => ({ entryId: `entry-${hash}`, hash, ...company(hash) })),
      );
      await exclusions.addWanted('another', wanted('a'));
      await exclusions.addExisting('another', existing('1=a'));
      const counts = async (syncId: string) => [
        await exclusions.countWanted(syncId),
        await exclusions.countExisting(syncId),
      ];
      expect(await counts('sync')).toEqual([20_400, 20_400]);
      await exclusions.clearExisting('sync');
      expect(await counts('sync')).toEqual([20_400, 0]);
      await exclusions.clear('sync');
      expect(await counts('sync')).toEqual([0, 0]);
      expect(await counts('another')).toEqual([1, 1]);
    });
  });
});
