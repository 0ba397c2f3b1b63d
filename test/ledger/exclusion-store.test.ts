import * as fc from 'fast-check';

import type { Ledger } from '../../src/ledger/ledger.ts';
import { onBothDatabases } from './both-databases.ts';

/** Each hash is of a company of its own. */
const company = (hash: string) => ({ who: `who of ${hash}`, externalId: '' });
const wanted = (...hashes: string[]) => hashes.map((hash) => ({ hash, json: `{"of":"${hash}"}`, ...company(hash) }));
const present = (...pairs: string[]) =>
  pairs.map((pair) => {
    const [entryId = '', hash = ''] = pair.split('=');
    return { entryId, hash, ...company(hash) };
  });

/** Brings the blacklist to the wanted state the way a sync does, page by page. Returns what the blacklist holds then. */
async function applyDifference({ exclusions }: Ledger, blacklist: Map<string, string>, limit: number): Promise<void> {
  let added: string | undefined;
  for (;;) {
    const page = await exclusions.additions('sync', { limit, ...(added === undefined ? {} : { after: added }) });
    if (page.length === 0) break;
    const entries = page.map(({ hash }) => ({ entryId: `new-${hash}`, hash, ...company(hash) }));
    for (const { entryId, hash } of entries) blacklist.set(entryId, hash);
    await exclusions.present('sync', entries);
    added = page.at(-1)?.hash;
  }
  let removed: { entryId: string; hash: string } | undefined;
  for (;;) {
    const page = await exclusions.removals('sync', { limit, ...(removed === undefined ? {} : { after: removed }) });
    if (page.length === 0) return;
    for (const { entryId } of page) blacklist.delete(entryId);
    await exclusions.gone(
      'sync',
      page.map(({ entryId }) => entryId),
    );
    removed = page.at(-1);
  }
}

onBothDatabases(({ open }) => {
  describe('exclusions.want, exclusions.present', () => {
    it('collapse rows of the same hash and of the same entry, the last one given', async () => {
      const { exclusions } = await open();
      await exclusions.want('sync', wanted('b', 'a', 'b'));
      await exclusions.want('sync', [{ hash: 'a', json: '"newer"', ...company('a') }]);
      await exclusions.present('sync', present('1=a', '1=x'));
      await exclusions.present('sync', present('1=y'));
      expect(await exclusions.wantedCount('sync')).toBe(2);
      expect(await exclusions.presentCount('sync')).toBe(1);
      expect(await exclusions.additions('sync', { limit: 9 })).toEqual([
        { hash: 'a', json: '"newer"', ...company('a') },
        ...wanted('b'),
      ]);
      expect(await exclusions.removals('sync', { limit: 9 })).toEqual(present('1=y'));
    });
  });

  describe('exclusions.additions', () => {
    it('gives what is wanted and not present, by hash, a page at a time', async () => {
      const { exclusions } = await open();
      await exclusions.want('sync', wanted('d', 'c', 'b', 'a'));
      await exclusions.want('another', wanted('z'));
      await exclusions.present('sync', present('1=b'));
      await exclusions.present('another', present('2=a'));
      expect(await exclusions.additions('sync', { limit: 2 })).toEqual(wanted('a', 'c'));
      expect(await exclusions.additions('sync', { limit: 2, after: 'c' })).toEqual(wanted('d'));
      expect(await exclusions.additions('sync', { limit: 2, after: 'd' })).toEqual([]);
      expect(await exclusions.additionsCount('sync')).toBe(3);
    });
  });

  describe('exclusions.removals', () => {
    it('gives what is not wanted, and all but the smallest entry id of a hash, a page at a time', async () => {
      const { exclusions } = await open();
      await exclusions.want('sync', wanted('a', 'b'));
      await exclusions.present('sync', present('7=a', '3=a', '5=a', '2=b', '9=x', '8=x'));
      const first = await exclusions.removals('sync', { limit: 3 });
      expect(first).toEqual(present('5=a', '7=a', '8=x'));
      expect(await exclusions.removals('sync', { limit: 3, after: { entryId: '8', hash: 'x' } })).toEqual(
        present('9=x'),
      );
    });
  });

  describe('exclusions.additions, exclusions.removals', () => {
    it('once applied, leave each wanted hash exactly once and nothing else, whatever was there', async () => {
      const ledger = await open();
      const { exclusions } = ledger;
      const hash = fc.constantFrom('a', 'b', 'c', 'd', 'e');
      const entries = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[0-9A-Za-z-]{1,4}$/), hash), {
        selector: ([id]) => id,
      });
      await fc.assert(
        fc.asyncProperty(fc.array(hash), entries, fc.integer({ min: 1, max: 4 }), async (hashes, listed, limit) => {
          await exclusions.clear('sync');
          await exclusions.want('sync', wanted(...hashes));
          await exclusions.present(
            'sync',
            listed.map(([entryId, hash]) => ({ entryId, hash, ...company(hash) })),
          );
          const blacklist = new Map(listed);
          await applyDifference(ledger, blacklist, limit);
          expect([...blacklist.values()].sort()).toEqual([...new Set(hashes)].sort());
          expect(await exclusions.presentCount('sync')).toBe(blacklist.size);
        }),
        { numRuns: 40 },
      );
    });
  });

  describe('exclusions.additions, exclusions.removals of many rows', () => {
    it('find what differs wherever it is, with copies beside each other', async () => {
      const ledger = await open();
      const { exclusions } = ledger;
      const hashes = Array.from({ length: 12_000 }, (_, index) => `hash-${String(index).padStart(5, '0')}`);
      await exclusions.want('sync', wanted(...hashes));
      const blacklist = new Map<string, string>();
      for (const [index, hash] of hashes.entries()) {
        if (index % 4_000 !== 17) blacklist.set(`a-${hash}`, hash);
        if (index % 3 === 0) blacklist.set(`b-${hash}`, hash); // so that a range ends between the copies of a hash
      }
      blacklist.set('z', 'not wanted');
      await exclusions.present(
        'sync',
        [...blacklist].map(([entryId, hash]) => ({ entryId, hash, ...company(hash) })),
      );
      expect((await exclusions.additions('sync', { limit: 10_000 })).map(({ hash }) => hash)).toEqual([
        'hash-00017',
        'hash-08017',
      ]);
      expect(await exclusions.removals('sync', { limit: 10_000 })).toHaveLength(4_000);
      await applyDifference(ledger, blacklist, 700);
      expect([...blacklist.values()].sort()).toEqual(hashes);
    });
  });

  describe('exclusions.wantedOf, exclusions.unwant', () => {
    it('find what is wanted of a company, and take it back', async () => {
      const { exclusions } = await open();
      await exclusions.want('sync', wanted('a', 'b'));
      await exclusions.want('another', wanted('a'));
      const { who } = company('a');
      expect(await exclusions.wantedOf('sync', [who, who, 'who else'])).toEqual(wanted('a'));
      await exclusions.unwant('sync', ['a']);
      expect(await exclusions.wantedOf('sync', [who])).toEqual([]);
      expect(await exclusions.wantedCount('sync')).toBe(1);
      expect(await exclusions.wantedCount('another')).toBe(1);
    });
  });

  describe('exclusions.released', () => {
    it('leaves out entries whose company another wanted entry names, by id or by name and domain', async () => {
      const { exclusions } = await open();
      await exclusions.want('sync', [
        { hash: 'new-1', json: '{}', who: 'acme', externalId: '' },
        { hash: 'new-2', json: '{}', who: 'renamed', externalId: '501' },
      ]);
      const removals = [
        { entryId: '1', hash: 'old-1', who: 'acme', externalId: '' },
        { entryId: '2', hash: 'old-2', who: 'old name', externalId: '501' },
        { entryId: '3', hash: 'old-3', who: 'gone', externalId: '' },
        { entryId: '4', hash: 'old-4', who: 'gone', externalId: '502' },
      ];
      expect((await exclusions.released('sync', removals)).map(({ entryId }) => entryId)).toEqual(['3', '4']);
      expect(await exclusions.released('another', removals)).toEqual(removals);
    });
  });

  describe('exclusions.presentEntries', () => {
    it('goes by entry id', async () => {
      const { exclusions } = await open();
      await exclusions.present('sync', present('2=b', '10=a', '1=c'));
      expect((await Array.fromAsync(exclusions.presentEntries('sync'))).flat()).toEqual(present('1=c', '10=a', '2=b'));
    });
  });

  describe('exclusions.found', () => {
    it('gives each record once, with every source that named it, whole at the ends of pages', async () => {
      const { exclusions } = await open();
      const rows = Array.from({ length: 1_150 }, (_, index) => ({
        recordId: `r${String(Math.floor(index / 3)).padStart(4, '0')}`,
        source: `lists:${index % 3}`,
        json: index % 3 === 0 ? '{}' : null,
      }));
      await exclusions.found.add('sync', rows.toReversed());
      await exclusions.found.add('sync', rows.slice(0, 5));
      await exclusions.found.add('another', rows.slice(0, 5));
      const pages = await Array.fromAsync(exclusions.found.records('sync'));
      expect(Math.max(...pages.map((page) => page.size))).toBe(100);
      expect(pages.flatMap((page) => [...page.values()].flat())).toEqual(rows);
      await exclusions.found.clear('sync');
      expect(await Array.fromAsync(exclusions.found.records('sync'))).toEqual([]);
      expect(await Array.fromAsync(exclusions.found.records('another'))).toHaveLength(1);
    });
  });

  describe('exclusions.clearPresent, exclusions.clear', () => {
    it('empty one sync and leave the others', async () => {
      const { exclusions } = await open();
      const hashes = Array.from({ length: 20_400 }, (_, index) => `hash-${index}`);
      await exclusions.want('sync', wanted(...hashes));
      await exclusions.present(
        'sync',
        hashes.map((hash) => ({ entryId: `entry-${hash}`, hash, ...company(hash) })),
      );
      await exclusions.want('another', wanted('a'));
      await exclusions.present('another', present('1=a'));
      const counts = async (syncId: string) => [
        await exclusions.wantedCount(syncId),
        await exclusions.presentCount(syncId),
      ];
      expect(await counts('sync')).toEqual([20_400, 20_400]);
      await exclusions.clearPresent('sync');
      expect(await counts('sync')).toEqual([20_400, 0]);
      await exclusions.clear('sync');
      expect(await counts('sync')).toEqual([0, 0]);
      expect(await counts('another')).toEqual([1, 1]);
    });
  });
});
