import { range, row, outcomeLines } from '../activities/order-steps.ts';
import { failure } from '../activities/activity-harness.ts';
import { defaultReplyPolicy } from '../../src/config/reply-policy.ts';
import { findExcludedRows } from '../../src/companies/exclusions/exclude-rows.ts';
import { createReplyHarness } from './reply-harness.ts';

type Harness = Awaited<ReturnType<typeof createReplyHarness>>;

const rows = [row('Acme'), row('Beta')];

/** An order whose contacts are in HubSpot. */
async function createDelivered() {
  const harness = await createReplyHarness();
  const order = await harness.collectEnrichment(rows);
  await harness.perform('projectToCrm', range(order));
  return { ...harness, order };
}

/** The contact that an outcome of the reply names. */
async function contactOf({ ledger }: Awaited<ReturnType<typeof createDelivered>>, webhookId: string): Promise<string> {
  const reply = await ledger.replies.get(webhookId);
  if (reply?.contactId == null) throw new Error('the reply has no contact');
  return reply.contactId;
}

describe('a reply of a contact', () => {
  it.each([
    ['interested', 'CONNECTED', 1, 1],
    ['referral', 'CONNECTED', 1, 1],
    ['not_interested', 'UNQUALIFIED', 1, 0],
    ['wrong_person', 'UNQUALIFIED', 1, 0],
    ['do_not_contact', 'UNQUALIFIED', 1, 0],
    ['out_of_office', null, 1, 0],
    ['unactionable', null, 0, 0],
  ] as const)(
    'that is %s sets lead status %s, with %i notes and %i tasks',
    async (classification, status, notes, tasks) => {
      const harness = await createDelivered();
      const { webhookId, effects } = await harness.reply(harness.order, {
        classification,
        reply_text: 'Hi <b>there</b>',
      });
      expect(effects).toMatchObject({ state: 'processed', contact: 'found' });
      expect(await harness.contactState(await contactOf(harness, webhookId))).toMatchObject({
        prospect_sync_reply_class: classification,
        prospect_sync_reply_campaign: 'Autumn',
        hs_lead_status: status,
      });
      const written = await harness.engagements('notes');
      expect(written).toHaveLength(notes);
      for (const { text } of written) expect(text).toContain('Hi &lt;b&gt;there&lt;/b&gt;');
      expect(await harness.engagements('tasks')).toHaveLength(tasks);
      expect(await harness.ledger.suppressions.list({ withRemoved: false })).toHaveLength(
        classification === 'do_not_contact' ? 1 : 0,
      );
    },
  );

  // Guarantee: A reply is processed once, and none is lost
  it('is processed once, however often it is delivered and processed', async () => {
    const harness = await createDelivered();
    const { webhookId } = await harness.reply(harness.order, { classification: 'interested' });
    expect(await harness.repeatLast()).toBe(202);
    expect(await harness.takeDue()).toEqual([]);
    await harness.process(webhookId);
    expect(await harness.engagements('notes')).toHaveLength(1);
    expect(await harness.engagements('tasks')).toHaveLength(1);
  });

  it.each(['notes', 'tasks'] as const)(
    'has one of the %s although the answer to its creation is lost',
    async (type) => {
      const harness = await createDelivered();
      const webhookId = await harness.send({
        classification: 'interested',
        prospect: { order_id: harness.order.orderId },
      });
      const create = harness.hubspot.engagements.create.bind(harness.hubspot.engagements);
      let isLost = false;
      harness.hubspot.engagements.create = async (...request) => {
        const id = await create(...request);
        if (isLost || request[0] !== type) return id;
        isLost = true;
        throw new Error('the answer is lost');
      };
      await failure(harness.process(webhookId));
      await harness.process(webhookId);
      expect([isLost, (await harness.engagements(type)).length]).toEqual([true, 1]);
    },
  );

  it('has its note and task although another reply quotes its marker', async () => {
    const harness = await createDelivered();
    const prospect = { order_id: harness.order.orderId };
    const webhookId = await harness.send({ classification: 'interested', prospect });
    const quoting = { reply_text: `See prospect-sync reply ${webhookId}.`, classification: 'interested' } as const;
    await harness.process(await harness.send({ ...quoting, prospect }));
    expect(await harness.process(webhookId)).toMatchObject({ note: 'created' });
    expect(await harness.engagements('notes')).toHaveLength(2);
  });

  it('waits a minute before it creates a note again whose request may still arrive', async () => {
    const harness = await createDelivered();
    const webhookId = await harness.send({
      classification: 'interested',
      prospect: { order_id: harness.order.orderId },
    });
    const create = harness.hubspot.engagements.create.bind(harness.hubspot.engagements);
    let late: (() => Promise<unknown>) | null = null;
    harness.hubspot.engagements.create = async (...request) => {
      if (late !== null) return create(...request);
      late = () => create(...request);
      throw new Error('no answer');
    };
    await failure(harness.process(webhookId));
    const { type, nextRetryDelay } = await failure(harness.process(webhookId));
    expect([type, nextRetryDelay]).toEqual(['ItemUnsettled', 60_000]);
    harness.pass(40);
    await (late as (() => Promise<unknown>) | null)?.();
    harness.pass(21);
    expect(await harness.process(webhookId)).toMatchObject({ note: 'existing', task: 'created' });
    expect(await harness.engagements('notes')).toHaveLength(1);
  });

  it('says of a reply that is processed again after a refusal that its task exists, and in the note of the refusal', async () => {
    const harness = await createDelivered();
    const first = await harness.reply(harness.order, { classification: 'interested' });
    const refusal = await harness.reply(harness.order, { classification: 'do_not_contact' });
    expect([first.effects, refusal.effects]).toMatchObject([
      { note: 'created', task: 'created' },
      { note: 'created', task: null },
    ]);
    await harness.reopen(first.webhookId);
    expect(await harness.process(first.webhookId)).toMatchObject({
      reason: 'suppressed',
      note: 'existing',
      task: 'existing',
    });
    const notes = (await harness.engagements('notes')).map(({ text }) => text);
    const isToldOf = notes.filter((text) => text.includes('Close that task if it is open'));
    expect(isToldOf).toEqual([expect.stringContaining(refusal.webhookId)]);
    expect(await harness.engagements('tasks')).toHaveLength(1);
  });

  it('names no task in the note of a refusal without one before it', async () => {
    const harness = await createDelivered();
    await harness.reply(harness.order, { classification: 'not_interested' });
    await harness.reply(harness.order, { classification: 'do_not_contact' });
    expect((await harness.engagements('notes')).filter(({ text }) => text.includes('task'))).toEqual([]);
  });

  it('says of a note whose class creates none any more that it exists', async () => {
    const harness = await createDelivered();
    const { webhookId } = await harness.reply(harness.order, { classification: 'interested' });
    const { classes } = defaultReplyPolicy;
    const interested = { ...classes.interested, note: false, task: false };
    harness.configureReplies({ ...defaultReplyPolicy, classes: { ...classes, interested } });
    expect(await harness.process(webhookId)).toMatchObject({ note: 'existing', task: 'existing' });
  });

  it('keeps do_not_contact whatever follows, until the suppression is removed', async () => {
    const harness = await createDelivered();
    const refusal = await harness.reply(harness.order, { classification: 'do_not_contact' });
    const contact = await contactOf(harness, refusal.webhookId);
    await harness.reply(harness.order, { classification: 'interested' });
    expect(await harness.contactState(contact)).toMatchObject({ prospect_sync_reply_class: 'do_not_contact' });
    const [suppressed] = await harness.ledger.suppressions.list({ withRemoved: false });
    const identifier = { kind: 'email', value: suppressed?.value ?? '' } as const;
    await harness.ledger.suppressions.remove({ identifier, at: 'now', by: 'Olga', reason: 'asked again' });
    await harness.reply(harness.order, { classification: 'referral' });
    expect(await harness.contactState(contact)).toMatchObject({ prospect_sync_reply_class: 'referral' });
  });

  it('that is processed again leaves a suppression removed that a person has removed; a new refusal suppresses again', async () => {
    const harness = await createDelivered();
    harness.configureReplies({ ...defaultReplyPolicy, unsubscribe: true });
    const { suppressions } = harness.ledger;
    const { webhookId } = await harness.reply(harness.order, { classification: 'do_not_contact' });
    const remove = async () => {
      const [{ value, addedAt } = { value: null, addedAt: '' }] = await suppressions.list({ withRemoved: false });
      const at = new Date(Date.parse(addedAt) + 60_000).toISOString();
      harness.pass(120);
      const identifier = { kind: 'email', value: value ?? '' } as const;
      await suppressions.remove({ identifier, at, by: 'Olga', reason: 'mistake' });
      return { identifier, at };
    };
    const { identifier, at } = await remove();
    let unsubscribed = 0;
    harness.hubspot.subscriptions.unsubscribeAll = async () => void (unsubscribed += 1);
    const repeat = async () => {
      await harness.reopen(webhookId);
      return harness.process(webhookId);
    };
    expect(await repeat()).toMatchObject({ suppressed: 0, stayRemoved: 1 });
    expect(unsubscribed).toBe(0);
    expect(await suppressions.list({ withRemoved: true })).toEqual([
      expect.objectContaining({ removedAt: at, removedBy: 'Olga' }),
    ]);
    await harness.reply(harness.order, { classification: 'do_not_contact' });
    expect(await suppressions.isSuppressed(identifier)).toBe(true);
    await remove();
    expect(await repeat()).toMatchObject({ suppressed: 0, stayRemoved: 1 });
    expect(await suppressions.add({ identifier, at, by: 'Olga', reason: 'asked' })).toBe(true);
  });

  it('that refuses is suppressed with its receipt, before any worker processes it', async () => {
    const harness = await createDelivered();
    const webhookId = await harness.send({
      classification: 'do_not_contact',
      prospect: { order_id: harness.order.orderId },
    });
    expect(await harness.ledger.suppressions.list({ withRemoved: false })).toMatchObject([
      { kind: 'person', addedBy: `reply ${webhookId}` },
    ]);
    const { suppressedAt, receivedAt } = (await harness.ledger.replies.get(webhookId)) ?? {};
    expect(suppressedAt).toBe(receivedAt);
  });

  it('is stored, and changes nothing, when it is a test sample', async () => {
    const harness = await createDelivered();
    await harness.webhooks.replies.sendTest(harness.organizationId, harness.actionId);
    expect(harness.answers).toEqual([202]);
    expect(await harness.takeDue()).toEqual([]);
    expect((await harness.ledger.replies.list({})).map(({ state }) => state)).toEqual(['test']);
  });

  it('of an unknown person is quarantined, and creates no contact', async () => {
    const harness = await createDelivered();
    const before = (await harness.records('contacts')).length;
    const webhookId = await harness.send({ classification: 'interested', reply_from_email: 'who@stranger.example' });
    expect(await harness.process(webhookId)).toMatchObject({ state: 'quarantined', reason: 'unknown_person' });
    expect((await harness.records('contacts')).length).toBe(before);
  });

  it('of a prospect whom an order delivered, but did not write, creates the contact', async () => {
    const harness = await createReplyHarness();
    const order = await harness.collectEnrichment(rows);
    await harness.perform('projectToCrm', range(order));
    const [contact] = await harness.records('contacts');
    await harness.hubspot.objects.archive('contacts', [contact?.id ?? '']);
    const slot = await harness.ledger.slots.read(order.orderId, { from: 0, to: 1 });
    expect(slot).toHaveLength(1);
    const { effects } = await harness.reply(order, { classification: 'interested' });
    expect(effects).toMatchObject({ state: 'processed', contact: 'created', note: 'created' });
  });
});

describe('replies.classes', () => {
  it('with a lead status that the portal does not have still writes the note and the state', async () => {
    const harness = await createDelivered();
    const interested = { ...defaultReplyPolicy.classes.interested, leadStatus: 'NO_SUCH_STATUS' };
    harness.configureReplies({ ...defaultReplyPolicy, classes: { ...defaultReplyPolicy.classes, interested } });
    const { webhookId, effects } = await harness.reply(harness.order, { classification: 'interested' });
    expect(effects).toMatchObject({ state: 'processed', reason: 'lead_status_refused', note: 'created' });
    expect(await harness.contactState(await contactOf(harness, webhookId))).toMatchObject({
      prospect_sync_reply_class: 'interested',
      hs_lead_status: null,
    });
  });
});

describe('replies.unsubscribe', () => {
  it.each([
    [true, 1],
    [false, 0],
  ])('that is %s unsubscribes who refused from %i lists of all email', async (unsubscribe, count) => {
    const harness = await createDelivered();
    harness.configureReplies({ ...defaultReplyPolicy, unsubscribe });
    const { webhookId } = await harness.reply(harness.order, { classification: 'do_not_contact' });
    await harness.process(webhookId);
    const [suppressed] = await harness.ledger.suppressions.list({ withRemoved: false });
    const address = encodeURIComponent(suppressed?.value ?? '');
    const { results } = await harness.sendToHubSpot<{ results: unknown[] }>(
      'GET',
      `/communication-preferences/v4/statuses/${address}/unsubscribe-all?channel=EMAIL`,
    );
    expect(results).toHaveLength(count);
  });

  it('unsubscribes the people also where the company is suppressed, and again when only its suppression was removed', async () => {
    const harness = await createDelivered();
    harness.configureReplies({ ...defaultReplyPolicy, unsubscribe: true, suppress: 'company' });
    const unsubscribed: string[] = [];
    harness.hubspot.subscriptions.unsubscribeAll = async (email) => void unsubscribed.push(email);
    const { webhookId } = await harness.reply(harness.order, { classification: 'do_not_contact' });
    const suppressed = await harness.ledger.suppressions.list({ withRemoved: false });
    const people = suppressed.flatMap(({ kind, value }) => (kind === 'person' ? [value] : []));
    const [company] = suppressed.filter(({ kind }) => kind === 'company');
    expect(people).toHaveLength(1);
    expect(unsubscribed).toEqual(people);
    const identifier = { kind: 'domain', value: company?.value ?? '' } as const;
    const at = new Date(Date.parse(company?.addedAt ?? '') + 60_000).toISOString();
    await harness.ledger.suppressions.remove({ identifier, at, by: 'Olga', reason: 'another branch' });
    harness.pass(120);
    await harness.reopen(webhookId);
    await harness.process(webhookId);
    expect(unsubscribed).toEqual([...people, ...people]);
    expect(await harness.ledger.suppressions.isSuppressed(identifier)).toBe(false);
  });

  it('names a refusal of HubSpot without the address, after note and lead status are written', async () => {
    const harness = await createDelivered();
    harness.configureReplies({ ...defaultReplyPolicy, unsubscribe: true });
    const unsubscribeAll = harness.hubspot.subscriptions.unsubscribeAll.bind(harness.hubspot.subscriptions);
    harness.hubspot.subscriptions.unsubscribeAll = async (email) => unsubscribeAll(`${email}@twice`);
    const webhookId = await harness.send({
      classification: 'do_not_contact',
      prospect: { order_id: harness.order.orderId },
    });
    const { message } = await failure(harness.process(webhookId));
    // The refusal is written nevertheless.
    expect(await harness.engagements('notes')).toHaveLength(1);
    expect(await harness.contactState(await contactOf(harness, webhookId))).toMatchObject({
      prospect_sync_reply_class: 'do_not_contact',
      hs_lead_status: 'UNQUALIFIED',
    });
    expect(message).toContain('/communication-preferences/v4/statuses/{email}/unsubscribe-all');
    expect(message).not.toContain('@');
  });
});

describe('a suppressed person or company', () => {
  it('is not written by an order that is under way', async () => {
    const harness = await createDelivered();
    await harness.reply(harness.order, { classification: 'do_not_contact' });
    const next = await harness.collectEnrichment(rows);
    await harness.perform('projectToCrm', range(next, { projectionId: 'next' }));
    const skipped = (await outcomeLines(harness, next)).filter((line) => line.endsWith('suppressed'));
    expect(skipped).toEqual(['0 contact:0 skipped suppressed']);
  });

  it('is left out with the whole company where the policy says so', async () => {
    const harness = await createDelivered();
    const at = '2026-11-20T12:00:00Z';
    await harness.ledger.suppressions.add({
      identifier: { kind: 'domain', value: 'acme.example' },
      at,
      by: 'Olga',
      reason: 'asked',
    });
    const next = await harness.collectEnrichment(rows);
    await harness.perform('projectToCrm', range(next, { projectionId: 'next' }));
    const lines = await outcomeLines(harness, next);
    expect(lines.filter((line) => line.startsWith('0 ')).every((line) => line.endsWith('skipped suppressed'))).toBe(
      true,
    );
    expect(lines.some((line) => line.startsWith('1 ') && line.endsWith('suppressed'))).toBe(false);
  });

  const identifier = { kind: 'domain', value: 'acme.example' } as const;
  const change = { identifier, at: '2026-11-20T12:00:00Z', by: 'Olga', reason: 'asked' };
  const deliver = async (harness: Harness) => {
    const order = await harness.collectEnrichment([row('Acme', { city: 'Graz' })]);
    await harness.perform('projectToCrm', range(order));
  };

  it.each([
    [
      'an order had delivered it',
      'name_and_city',
      async (harness: Harness) => {
        await deliver(harness);
        await harness.ledger.suppressions.add(change);
      },
    ],
    [
      'an order delivers it afterwards',
      'name_and_city',
      async (harness: Harness) => {
        await harness.ledger.suppressions.add(change);
        await deliver(harness);
      },
    ],
    [
      'the reply names it',
      'name',
      async (harness: Harness) => {
        harness.configureReplies({ ...defaultReplyPolicy, suppress: 'company' });
        await harness.arrive({ classification: 'do_not_contact', company_name: 'Acme' });
      },
    ],
  ])('is left out of an enrichment by its name when %s, with its city by %s', async (_, best, suppress) => {
    const harness = await createReplyHarness();
    await suppress(harness);
    const companies = [
      { company_name: 'ACME', city: 'graz' },
      { company_name: 'Acme' },
      // The last tier compares the name only.
      { company_name: 'Acme', city: 'Linz', website_url: 'https://other.example' },
      { company_name: 'Other', website_url: 'https://shop.acme.example' },
      { company_name: 'Acme Bau', city: 'Graz' },
    ];
    const drafts = companies.map((company, position) => ({
      position,
      company,
      sourceRow: null,
      ownJson: null,
    }));
    const context = { signal: new AbortController().signal, recordProgress: () => {} };
    const excluded = async () => {
      const found = await findExcludedRows(harness.ledger, drafts, [], context);
      return [...found].map(([index, { exclusion, tier }]) => [index, exclusion, tier]);
    };
    expect(await excluded()).toEqual([
      [0, 'suppressions', best],
      [1, 'suppressions', 'name'],
      [2, 'suppressions', 'name'],
      [3, 'suppressions', 'website_domain'],
    ]);
    await harness.ledger.suppressions.remove(change);
    expect(await excluded()).toEqual([]);
  });
});
