// What `why` knows: places of a company by domain and name, and replies by the address in their text.
import { findHistory, findNames } from '../../src/console/find-history.ts';
import { onDatabasesOfAll } from './both-databases.ts';

const at = '2026-11-20T12:00:00.000Z';

onDatabasesOfAll(({ open }) => {
  describe('the history', () => {
    it('of a person has the replies with exactly this address, in any letter case', async () => {
      const ledger = await open();
      for (const [index, address] of ['john_doe@acme.example', 'johnxdoe@acme.example', '100%@acme.example'].entries())
        await ledger.replies.receive(
          {
            webhookId: `reply-${index}`,
            receivedAt: at,
            state: 'received',
            reason: null,
            classification: 'positive',
            replyAt: null,
            campaignId: null,
            body: JSON.stringify({ from: address.toUpperCase() }),
          },
          [],
        );
      const repliesTo = async (what: string) =>
        (await findHistory(ledger, what)).flatMap((event) => (event.kind === 'replied' ? event.reply.webhookId : []));
      expect(await repliesTo('John_Doe@acme.example')).toEqual(['reply-0']);
      expect((await repliesTo('acme.example')).toSorted()).toEqual(['reply-0', 'reply-1', 'reply-2']);
    });

    it('of a blacklist entry follows its company: by domain, name, and the beginning of a name that is the only one', async () => {
      const ledger = await open();
      const entry = (entryId: string, name: string, website: string | null) => {
        const fields = { company_name: name, website_url: website, city: null, external_id: null };
        const json = JSON.stringify({ ...fields, reason: 'customer', created_at: at });
        return { entryId, blacklistId: 'list', lastSeenAt: at, json, company: { name, website_url: website } };
      };
      const [acme, other] = [entry('a', 'Acme GmbH', 'https://www.acme.example'), entry('b', 'Acme Bau', null)];
      await ledger.exclusionSnapshots.describe([acme, other]);
      await ledger.exclusionSnapshots.describe([{ ...acme, lastSeenAt: '2026-11-21T12:00:00.000Z' }]);
      const entriesOf = async (what: string) =>
        (await findHistory(ledger, what)).flatMap((event) => (event.kind === 'excluded' ? event.entry : []));
      for (const what of ['acme.example', 'ACME  gmbh', 'acme g'])
        expect(await entriesOf(what)).toMatchObject([
          { entryId: 'a', exclusion: null, reason: 'customer', lastSeenAt: '2026-11-21T12:00:00.000Z' },
        ]);
      expect(await entriesOf('acme bau')).toMatchObject([{ entryId: 'b' }]);
      expect([await entriesOf('acme'), await findNames(ledger, 'acme')]).toEqual([[], ['acme bau', 'acme gmbh']]);
      for (const blank of ['', '  '])
        expect([await entriesOf(blank), await findNames(ledger, blank)]).toEqual([[], []]);
    });
  });
});
