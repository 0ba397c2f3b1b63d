// What `why` knows: places of a company by domain and name, and replies by the address in their text.
import { findHistory, findNames } from '../../src/console/find-history.ts';
import type { HistoryEvent } from '../../src/ledger/company-history.ts';
import { noEvidence } from '../../src/ledger/outcome-store.ts';
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
        const fields = { id: entryId, company_name: name, website_url: website, city: null, external_id: null };
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

    it('of a name that thousands of rows have ends at the most that are shown', async () => {
      const ledger = await open();
      const rows = Array.from({ length: 3_000 }, (_, position) => ({
        ref: 'order',
        position,
        company: { name: 'Acme', domain: `acme-${position % 3}.example` },
      }));
      await ledger.companyIndex.saveSlots(rows);
      expect(await findHistory(ledger, 'acme')).toEqual([]);
      expect(await ledger.companyIndex.byName('ACME')).toHaveLength(500);
    });

    it('of a company in several orders has each row and each outcome once, by domain and by external id', async () => {
      const ledger = await open();
      const orderIds = ['order-1', 'order-2', 'order-3'];
      for (const orderId of orderIds) {
        const facts = { orderId, runName: 'run', kind: 'discovery', status: 'COMPLETED', profileId: null };
        await ledger.orders.save({ ...facts, requestedCount: 2, externalIdsAreRecordIds: false });
        const slot = { status: 'ENRICHED', reasonCodes: [], json: '{}' };
        await ledger.slots.save(orderId, [
          { ...slot, position: 0, hash: '0', externalId: 'acme' },
          { ...slot, position: 1, hash: '1', externalId: 'other' },
        ]);
        const company = { domain: 'acme.example' };
        await ledger.companyIndex.saveSlots([{ ref: orderId, position: 0, company }]);
        for (const projectionId of ['pass-1', 'pass-2'])
          await ledger.outcomes.record(
            [0, 1].map((position) => ({
              ...noEvidence,
              orderId,
              position,
              projectionId,
              at,
              item: 'company',
              planned: null,
              rule: null,
              outcome: 'created',
              recordId: `${position}`,
            })),
          );
      }
      const outcomes = orderIds.flatMap((orderId) => [`${orderId} 0 pass 1`, `${orderId} 0 pass 2`]);
      const read = async (what: string) => {
        const events = await findHistory(ledger, what);
        const row = (event: HistoryEvent) => (event.kind === 'outcome' ? [event.row] : []);
        return {
          returned: events.flatMap((event) => (event.kind === 'returned' ? event.row.orderId : [])),
          outcomes: events
            .flatMap(row)
            .map(({ orderId, position, pass }) => `${orderId} ${position} pass ${pass}`)
            .toSorted(),
        };
      };
      expect(await read('acme.example')).toEqual({ returned: orderIds, outcomes });
      expect(await read('acme')).toEqual({ returned: [], outcomes });
    });

    it('has no company that was forgotten after its slot was read', async () => {
      const ledger = await open();
      await ledger.tombstones.add([{ kind: 'domain', value: 'acme.example' }], at);
      const company = (name: string, domain: string) => ({ name, domain });
      await ledger.companyIndex.saveSlots([
        { ref: 'order', position: 0, company: company('Acme', 'acme.example') },
        { ref: 'order', position: 1, company: company('Other', 'other.example') },
      ]);
      const domains = ['acme.example', 'other.example'];
      const found = await Promise.all(domains.map((domain) => ledger.companyIndex.byDomain(domain)));
      expect(found.map((places) => places.length)).toEqual([0, 1]);
    });
  });
});
