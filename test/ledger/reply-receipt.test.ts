import { onDatabasesOfAll } from './both-databases.ts';
import type { ReceivedReply } from '../../src/ledger/reply-receipt.ts';

const reply = (number: number, body = '{}'): ReceivedReply => ({
  webhookId: `msg_${number}`,
  receivedAt: '2026-11-20T12:00:00.000Z',
  state: 'received',
  reason: null,
  classification: 'referral',
  replyAt: '2026-11-20T11:00:00.000Z',
  campaignId: null,
  body,
});

onDatabasesOfAll(({ open }) => {
  describe('deliveries that arrive together', () => {
    it('are each stored once, in any number, and each gets its own answer', async () => {
      const { replies } = await open();
      const deliveries = Array.from({ length: 250 }, (_, index) => reply(index % 200, index < 200 ? '{}' : '{"a":1}'));
      const answers = await Promise.all(deliveries.map((delivery) => replies.receive(delivery, [])));
      expect(answers.map(({ isOther }) => isOther)).toEqual(deliveries.map((_, index) => index >= 200));
      const stored = await replies.list({});
      const twice = stored.filter(({ deliveries: count }) => count === 2);
      expect([stored.length, twice.length]).toEqual([200, 50]);
    });

    it('are found by the beginning of their ids, with the number of those that are not named', async () => {
      const { replies } = await open();
      await Promise.all([1, 2, 13, 14, 15].map((number) => replies.receive(reply(number), [])));
      expect(await replies.idsBeginning('msg_1', 2)).toEqual({ ids: ['msg_1', 'msg_13'], total: 4 });
      expect(await replies.idsBeginning('msg_', 1)).toEqual({ ids: ['msg_1'], total: 5 });
      expect(await replies.idsBeginning('msg_%', 1)).toEqual({ ids: [], total: 0 });
    });

    it('are stored without one that the database does not accept', async () => {
      const { replies } = await open();
      const wrong = { ...reply(2), state: null as unknown as 'received' };
      const answers = await Promise.allSettled([reply(1), wrong, reply(3)].map((each) => replies.receive(each, [])));
      expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect((await replies.list({})).map(({ webhookId }) => webhookId)).toEqual(['msg_1', 'msg_3']);
    });

    it('suppress whom their refusals name, in the transaction that stores them', async () => {
      const { replies, suppressions } = await open();
      const people = ['ada@alpha.example', 'bob@beta.example'].map((value) => ({ kind: 'email', value }) as const);
      await Promise.all(people.map((person, index) => replies.receive(reply(index), [person])));
      const suppressed = await suppressions.list({ withRemoved: false });
      expect(new Set(suppressed.map(({ value }) => value))).toEqual(new Set(people.map(({ value }) => value)));
    });

    it('suppress whom another body under a known id names, and not again whom the same body names', async () => {
      const { replies, suppressions } = await open();
      const ada = { kind: 'email', value: 'ada@alpha.example' } as const;
      const listed = async () => (await suppressions.list({ withRemoved: false })).map(({ value }) => value);
      await replies.receive(reply(1), []);
      await replies.receive(reply(1, '{"a":1}'), [ada]);
      expect(await listed()).toEqual([ada.value]);
      await replies.receive(reply(2), [ada]);
      await suppressions.remove({ identifier: ada, at: '2026-11-20T13:00:00.000Z', by: 'anna', reason: 'asked' });
      await replies.receive(reply(2), [ada]);
      expect(await listed()).toEqual([]);
    });
  });
});
