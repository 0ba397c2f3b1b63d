import * as fc from 'fast-check';
import { defaultReplyPolicy, type ReplyClass } from '../../src/config/reply-policy.ts';
import { replyClassifications } from '../../src/service/contract/index.ts';
import { createReplyHarness } from './reply-harness.ts';
import { runsOf } from '../helpers/sample.ts';

const jane = 'jane@acme.example';
const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 9, minute)).toISOString();
const named = (email: string) => ({ kind: 'email', value: email }) as const;
const by = { at: at(0), by: 'Olga', reason: 'asked by phone' };

type Harness = Awaited<ReturnType<typeof createReplyHarness>>;

/** A portal with contacts; each is an email address, or a contact that was merged with others. */
async function createContacts(emails: readonly (string | readonly string[])[] = [jane]) {
  const harness = await createReplyHarness({ hubspot: { assumed: { readBySecondaryEmail: 'not-found' } } });
  const create = async (email: string) =>
    (
      await harness.sendToHubSpot<{ id: string }>('POST', '/crm/v3/objects/contacts', {
        properties: { email },
      })
    ).id;
  const ids: string[] = [];
  for (const email of emails) {
    const [primary = '', ...others] = typeof email === 'string' ? [email] : email;
    let id = await create(primary);
    for (const other of others)
      ({ id } = await harness.sendToHubSpot<{ id: string }>('POST', '/crm/v3/objects/contacts/merge', {
        primaryObjectId: id,
        objectIdToMerge: await create(other),
      }));
    ids.push(id);
  }
  return { harness, ids };
}

/** What a person sees of a contact. */
async function seen(harness: Harness, id = '') {
  const { prospect_sync_reply_class: replyClass, hs_lead_status: status } = await harness.contactState(id);
  return { replyClass, status, tasks: (await harness.engagements('tasks')).length };
}

async function suppressedValues({ ledger }: Harness) {
  return (await ledger.suppressions.list({ withRemoved: false })).flatMap(({ value }) => value ?? []).toSorted();
}

describe('the state of a contact', () => {
  // Guarantee: An older reply never replaces a newer state
  it('is the same in whatever order the replies arrive', async () => {
    const expected = (classes: readonly ReplyClass[]) => {
      const leading = classes.findLast((name) => defaultReplyPolicy.classes[name].leadStatus !== null);
      return classes.includes('do_not_contact')
        ? { replyClass: 'do_not_contact', status: 'UNQUALIFIED' }
        : {
            replyClass: classes.at(-1),
            status: leading === undefined ? null : defaultReplyPolicy.classes[leading].leadStatus,
          };
    };
    const replies = fc
      .uniqueArray(fc.constantFrom(...replyClassifications), { minLength: 1 })
      .chain((classes) =>
        fc.tuple(
          fc.constant(classes),
          fc.shuffledSubarray([...classes.keys()], { minLength: classes.length, maxLength: classes.length }),
        ),
      );
    await fc.assert(
      fc.asyncProperty(replies, async ([classes, arrivals]) => {
        const { harness, ids } = await createContacts();
        for (const index of arrivals)
          await harness.arrive({
            classification: classes[index] ?? 'unactionable',
            reply_received_at: at(index),
          });
        expect(await seen(harness, ids[0])).toMatchObject(expected(classes));
      }),
      { numRuns: runsOf(20) },
    );
  });

  it.each([
    ['out_of_office', 'CONNECTED', 1],
    ['not_interested', 'UNQUALIFIED', 0],
  ] as const)(
    'of an interested reply that arrives after a newer %s is %s, with %i tasks',
    async (newer, status, tasks) => {
      const { harness, ids } = await createContacts();
      await harness.arrive({ classification: newer, reply_received_at: at(2) });
      await harness.arrive({ classification: 'interested', reply_received_at: at(1) });
      expect(await seen(harness, ids[0])).toEqual({ replyClass: newer, status, tasks });
      expect(await harness.engagements('notes')).toHaveLength(2);
    },
  );

  it('does not replace a lead status that a person has set since', async () => {
    const { harness, ids } = await createContacts();
    const { webhookId } = await harness.arrive({ classification: 'interested', reply_received_at: at(1) });
    const path = `/crm/v3/objects/contacts/${ids[0]}`;
    await harness.sendToHubSpot('PATCH', path, { properties: { hs_lead_status: 'OPEN_DEAL' } });
    await harness.arrive({ classification: 'out_of_office', reply_received_at: at(2) });
    await harness.reopen(webhookId);
    await harness.process(webhookId);
    expect(await seen(harness, ids[0])).toEqual({ replyClass: 'out_of_office', status: 'OPEN_DEAL', tasks: 1 });
  });

  it('gets a lead status that the portal did not have, when the setting is corrected and the reply is replayed', async () => {
    const { harness, ids } = await createContacts();
    const { classes } = defaultReplyPolicy;
    const interested = { ...classes.interested, leadStatus: 'NO_SUCH_STATUS' };
    harness.configureReplies({ ...defaultReplyPolicy, classes: { ...classes, interested } });
    const { webhookId, effects } = await harness.arrive({ classification: 'interested' });
    expect(effects.reason).toBe('lead_status_refused');
    harness.configureReplies(defaultReplyPolicy);
    await harness.reopen(webhookId);
    expect(await harness.process(webhookId)).toMatchObject({ reason: null, note: 'existing', task: 'existing' });
    expect(await seen(harness, ids[0])).toMatchObject({ status: 'CONNECTED' });
  });

  it('follows the time of receipt when the time of a reply is later', async () => {
    const { harness, ids } = await createContacts();
    const { webhookId } = await harness.arrive({
      classification: 'interested',
      reply_received_at: '2036-01-01T00:00:00Z',
    });
    const { replyAt, receivedAt } = (await harness.ledger.replies.get(webhookId)) ?? {};
    expect(replyAt).toBe(receivedAt);
    await harness.arrive({ classification: 'not_interested', reply_received_at: '2036-01-02T00:00:00Z' });
    expect(await seen(harness, ids[0])).toMatchObject({ replyClass: 'not_interested', status: 'UNQUALIFIED' });
  });
});

describe('a refusal', () => {
  // Guarantee: A refusal counts for the person, whichever address was written to
  it('from a secondary address counts for the contact and all its addresses', async () => {
    const { harness, ids } = await createContacts([['primary@acme.example', jane, 'third@acme.example']]);
    expect((await harness.arrive({ classification: 'do_not_contact' })).effects).toMatchObject({ contact: 'found' });
    expect(await suppressedValues(harness)).toEqual([jane, 'primary@acme.example', 'third@acme.example']);
    expect(await harness.ledger.suppressions.bySameReply(named(jane))).toBe(2);
    expect(await harness.ledger.suppressions.bySameReply(named('other@acme.example'))).toBe(0);
    const { effects } = await harness.arrive({
      classification: 'interested',
      prospect_email: 'primary@acme.example',
      reply_from_email: 'primary@acme.example',
    });
    expect(effects).toMatchObject({ state: 'processed', reason: 'suppressed', note: 'created', task: null });
    expect(await seen(harness, ids[0])).toEqual({ replyClass: 'do_not_contact', status: 'UNQUALIFIED', tasks: 0 });
  });

  it.each([
    ['Jane Doe <Jane@Acme.example.>', jane],
    ['"Doe, Jane" <JANE@ACME.EXAMPLE>', jane],
    [' jane@acme.example. ', jane],
    ['jane@münchen.example', 'jane@xn--mnchen-3ya.example'],
  ])('of %j counts for %s', async (sent, contact) => {
    const { harness, ids } = await createContacts([contact]);
    const sender = { prospect_email: sent, reply_from_email: sent, company_website: '' };
    await harness.arrive({ classification: 'do_not_contact', ...sender });
    expect(await harness.ledger.suppressions.isSuppressed(named(contact))).toBe(true);
    expect(await seen(harness, ids[0])).toMatchObject({ replyClass: 'do_not_contact' });
  });

  it('without an address suppresses nobody, and shows no time of a suppression', async () => {
    const { harness } = await createContacts();
    const sender = { prospect_email: '', reply_from_email: '' };
    const { webhookId, effects } = await harness.arrive({ classification: 'do_not_contact', ...sender });
    expect(effects).toMatchObject({ state: 'quarantined', reason: 'no_address' });
    expect(await harness.ledger.replies.get(webhookId)).toMatchObject({ suppressedAt: null });
    expect(await suppressedValues(harness)).toEqual([]);
  });

  it('of several addresses in one text suppresses each', async () => {
    const { harness } = await createContacts();
    const sender = { prospect_email: 'a@acme.example; b@acme.example', reply_from_email: jane };
    await harness.arrive({ classification: 'do_not_contact', ...sender });
    expect(await suppressedValues(harness)).toEqual(['a@acme.example', 'b@acme.example', jane]);
  });

  it('that a person has undone suppresses nothing when it is replayed, also by a wider policy', async () => {
    const { harness } = await createContacts([[jane, 'second@acme.example']]);
    const { webhookId } = await harness.arrive({ classification: 'do_not_contact' });
    const removal = { at: new Date(Date.now() + 3_600_000).toISOString(), by: 'Olga', reason: 'a mistake' };
    for (const email of [jane, 'second@acme.example'])
      await harness.ledger.suppressions.remove({ identifier: named(email), ...removal });
    harness.configureReplies({ ...defaultReplyPolicy, suppress: 'company' });
    await harness.reopen(webhookId);
    await harness.process(webhookId);
    expect(await suppressedValues(harness)).toEqual([]);
  });

  it.each([
    ['same_domain', 'colleague@acme.example', true],
    ['same_domain', 'colleague@mail.acme.example', true],
    ['same_domain', 'third@elsewhere.example', false],
    ['any', 'third@elsewhere.example', true],
  ] as const)(
    'with suppress_colleagues %s from %s for the prospect suppresses the sender: %s, and unsubscribes the prospect only',
    async (suppressColleagues, sender, isSuppressed) => {
      const { harness } = await createContacts();
      harness.configureReplies({ ...defaultReplyPolicy, suppressColleagues, unsubscribe: true });
      const unsubscribed: string[] = [];
      harness.hubspot.subscriptions.unsubscribeAll = async (email) => void unsubscribed.push(email);
      await harness.arrive({ classification: 'do_not_contact', reply_from_email: sender });
      expect(await suppressedValues(harness)).toEqual(isSuppressed ? [sender, jane].toSorted() : [jane]);
      expect(unsubscribed).toEqual([jane]);
    },
  );

  it('of a sender who is no known prospect suppresses this person, and neither a company nor a subscription', async () => {
    const { harness } = await createContacts(['bob@third.example']);
    harness.configureReplies({ ...defaultReplyPolicy, suppress: 'company', unsubscribe: true });
    harness.hubspot.subscriptions.unsubscribeAll = async () => {
      throw new Error('a forged sender was unsubscribed');
    };
    const sender = { prospect_email: '', company_website: '', reply_from_email: 'bob@third.example' };
    const { effects } = await harness.arrive({ classification: 'do_not_contact', ...sender });
    expect(effects).toMatchObject({ state: 'processed', contact: 'found' });
    expect(await suppressedValues(harness)).toEqual(['bob@third.example']);
  });
});

describe('an interested reply of a suppressed person', () => {
  it.each([
    [
      'was suppressed by hand',
      async ({ ledger }: Harness) => ledger.suppressions.add({ identifier: named(jane), ...by }),
    ],
    [
      'belongs to a suppressed company',
      async ({ ledger }: Harness) =>
        ledger.suppressions.add({ identifier: { kind: 'domain', value: 'acme.example' }, ...by }),
    ],
    [
      'has refused as a colleague',
      async (harness: Harness) =>
        harness.arrive({
          classification: 'do_not_contact',
          prospect_email: 'boss@acme.example',
          reply_from_email: jane,
        }),
    ],
  ])('who %s adds a note only, until the suppression is removed and the reply is replayed', async (_, suppress) => {
    const { harness, ids } = await createContacts();
    await suppress(harness);
    const { webhookId, effects } = await harness.arrive({ classification: 'interested' });
    expect(effects).toMatchObject({
      state: 'processed',
      reason: 'suppressed',
      contact: 'found',
      note: 'created',
      task: null,
    });
    expect(await seen(harness, ids[0])).toEqual({ replyClass: 'interested', status: null, tasks: 0 });
    const removal = { at: new Date().toISOString(), by: 'Olga', reason: 'asked again' };
    for (const identifier of [named(jane), { kind: 'domain', value: 'acme.example' } as const])
      await harness.ledger.suppressions.remove({ identifier, ...removal });
    // A later reply without a lead status does not give the earlier one its effect.
    await harness.arrive({ classification: 'out_of_office' });
    expect(await seen(harness, ids[0])).toMatchObject({ status: null });
    await harness.reopen(webhookId);
    expect(await harness.process(webhookId)).toMatchObject({ reason: null, note: 'existing', task: 'created' });
    expect(await seen(harness, ids[0])).toMatchObject({ status: 'CONNECTED', tasks: 1 });
  });

  it.each([named(jane), { kind: 'domain', value: 'acme.example' } as const])(
    'who has no contact creates none: %j',
    async (identifier) => {
      const { harness } = await createContacts([]);
      await harness.ledger.suppressions.add({ identifier, ...by });
      const { effects } = await harness.arrive({ classification: 'interested' });
      expect(effects).toMatchObject({ state: 'processed', reason: 'suppressed', contact: null, note: null });
      expect(await harness.records('contacts')).toEqual([]);
    },
  );
});
