import { onBothDatabases } from './both-databases.ts';

/** Answers contain no such text when they reach the ledger; other texts are treated the same in both databases. */
const name = 'A\0 name \uD800';
const stored = 'A\uFFFD name \uFFFD';

onBothDatabases(({ open }) => {
  describe('a text with NUL and lone surrogates', () => {
    it('is stored with U+FFFD, and found by either spelling', async () => {
      const { blacklists, shapes, orderRequests } = await open();
      await blacklists.save({ name, blacklistId: 'b1' });
      expect([await blacklists.get(name), await blacklists.get(stored)]).toMatchObject([
        { blacklistId: 'b1' },
        { blacklistId: 'b1' },
      ]);
      await shapes.save({ scope: name, operation: 'x', json: '"\\u0000"', learntAt: 'now' });
      expect(await shapes.list(stored)).toEqual([
        { scope: stored, operation: 'x', json: '"\\u0000"', learntAt: 'now' },
      ]);
      const request = {
        idempotencyKey: 'k',
        runName: 'r',
        runKey: 'r',
        title: name,
        profileId: 'p',
        bodyJson: '{}',
        at: 'now',
        kind: 'discovery' as const,
        quantity: 5,
      };
      await orderRequests.open(request);
      expect(await orderRequests.get('k')).toMatchObject({ title: stored });
    });
  });
});
