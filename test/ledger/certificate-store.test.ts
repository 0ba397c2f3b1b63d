import { generatePrivateKey, publicKeyText } from '../../src/proof/certificate/signature.ts';
import { obtainSigningKey } from '../../src/proof/certificate/issue-certificate.ts';
import { onDatabasesOfAll } from './both-databases.ts';

const configured = { key: null, directory: null, otherDirectory: '/out' };

onDatabasesOfAll(({ newPlace, open }) => {
  describe('signingKeys', () => {
    it('gives all workers the same key when they create it at once', async () => {
      const place = await newPlace();
      const ledgers = [await open(place), await open(place), await open(place)];
      const keys = await Promise.all(ledgers.map((ledger) => obtainSigningKey(ledger, configured)));
      expect(new Set(keys.map(publicKeyText)).size).toBe(1);
    });

    it('keeps the first key', async () => {
      const { signingKeys } = await open();
      expect(await signingKeys.get()).toBeUndefined();
      const first = generatePrivateKey();
      expect(await signingKeys.keepFirst(first, '2026-11-20T12:00:00Z')).toBe(first);
      expect(await signingKeys.keepFirst(generatePrivateKey(), '2026-11-21T12:00:00Z')).toBe(first);
    });
  });

  describe('slotDigests', () => {
    it('keeps the digest of the collected slot, and replaces that of the slot that was read again', async () => {
      const { slotDigests } = await open();
      await slotDigests.save('order-1', [
        { position: 0, digest: 'a', rereadDigest: 'a' },
        { position: 1, digest: null, rereadDigest: 'b' },
      ]);
      await slotDigests.save('order-1', [
        { position: 0, digest: 'other', rereadDigest: null },
        { position: 1, digest: 'b', rereadDigest: 'b' },
      ]);
      expect(await slotDigests.read('order-1', { from: 0, to: 9 })).toEqual([
        { position: 0, digest: 'a', rereadDigest: null },
        { position: 1, digest: 'b', rereadDigest: 'b' },
      ]);
    });

    it('streams the slots of an order in order of position', async () => {
      const { slotDigests } = await open();
      const rows = Array.from({ length: 1_234 }, (_, position) => ({
        position,
        digest: `${position}`,
        rereadDigest: null,
      }));
      await slotDigests.save('order-1', rows);
      const streamed = (await Array.fromAsync(slotDigests.stream('order-1', 1_233))).flat();
      expect(streamed).toEqual(rows.slice(0, 1_233));
      expect(await Array.fromAsync(slotDigests.stream('order-2', 1_233))).toEqual([]);
    });
  });
});
