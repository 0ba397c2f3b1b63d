import * as fc from 'fast-check';
import { z } from 'zod';
import { replyClassifications, replyWebhookSchema } from '../../../src/service/contract/index.ts';
import { toStrict } from '../../../src/service/contract/schema.ts';
import { answer, createWebhookService, url } from './webhook-harness.ts';
import { runsOf } from '../../helpers/sample.ts';

const refusal = (status: number, code: string) =>
  expect.objectContaining({ status, body: expect.objectContaining({ code }) });

/** A service with a delivered company, and that company. */
async function createDelivered(briefing_quantity = 3) {
  const service = createWebhookService();
  const order_id = await service.finishOrder({
    order_type: 'DISCOVERY',
    profile_id: await service.createProfile(),
    briefing_quantity,
  });
  const slots = await service.readSlots(order_id);
  const last = slots.at(-1);
  const receiveReply = async (more: Parameters<typeof service.receive>[0]) => {
    service.receive(more);
    await service.wait(0);
    return service.sent.at(-1)?.body.data;
  };
  return { ...service, order_id, slots, position: last.input_position, company: last.company, receiveReply };
}

const companyKeys = ['company_name', 'company_website', 'company_country'] as const;
const prospectKeys = [
  'prospect_first_name',
  'prospect_last_name',
  'prospect_full_name',
  'prospect_email',
  'prospect_job_title',
] as const;

describe('receive', () => {
  it.each(replyClassifications)(
    'sends a reply of the class %s as the contract describes it',
    async (classification) => {
      const { receive, wait, sent, service } = createWebhookService();
      receive({
        classification,
        classification_reason: 'Because.',
        thread_subject: 'Re: Hello',
        reply_text: 'Grüße',
        reply_received_at: '2026-11-20T12:00:00+02:00',
        sent_from_email: 'us@sender.example',
      });
      await wait(0);
      const body = sent[0]?.body;
      expect(() => z.parse(toStrict(replyWebhookSchema), body)).not.toThrow();
      expect(body).toEqual({
        id: sent[0]?.headers['webhook-id'],
        type: `reply.${classification}`,
        timestamp: '2026-11-20T12:00:00.000000Z',
        api_version: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        test: false,
        data: {
          classification,
          classification_reason: 'Because.',
          ...Object.fromEntries([...prospectKeys, ...companyKeys].map((key) => [key, ''])),
          campaign_id: 'autumn',
          campaign_name: 'Autumn',
          flow_name: 'First contact',
          thread_subject: 'Re: Hello',
          reply_text: 'Grüße',
          reply_text_truncated: false,
          reply_from_email: 'somebody@elsewhere.example',
          reply_received_at: '2026-11-20T10:00:00.000000Z',
          sent_from_email: 'us@sender.example',
          app_url: expect.stringMatching(
            /^https:\/\/app\.prospecting\.example\/campaigns\/autumn\/actions\?reply=[-\w]+$/,
          ),
        },
      });
      service.close();
    },
  );

  it('contains every field, empty when unknown', async () => {
    const { webhooks, organizationId, addressId, receive, wait, newest } = createWebhookService();
    webhooks.actions.add(organizationId, { campaign_id: 'bare', address_id: addressId, added_by: 'Anna' });
    receive({ campaign_id: 'bare', reply_from_email: '' });
    await wait(0);
    const { classification, campaign_id, reply_text_truncated, reply_received_at, app_url, ...rest } = newest();
    expect(Object.keys(rest)).toHaveLength(15);
    expect(new Set(Object.values(rest))).toEqual(new Set(['']));
  });

  it('creates one delivery with its own id for each matching action of the campaign', async () => {
    const { addAction, actionId, receive, wait, sent } = createWebhookService();
    const wide = addAction();
    addAction({ classifications: ['referral'] });
    addAction({ campaign_id: 'winter' });
    const actions = receive({ classification: 'interested' }).map(({ action_id }) => action_id);
    expect(actions).toEqual([actionId, wide]);
    await wait(0);
    expect(new Set(sent.map(({ body }) => body.id)).size).toBe(2);
    expect(receive({ classification: 'referral' })).toHaveLength(3);
    expect(receive({ campaign_id: 'summer' })).toEqual([]);
  });

  it('fills the fields of a prospect that is given by slot', async () => {
    const { company, position, order_id, receiveReply } = await createDelivered();
    for (const [prospect, person] of company.prospects.entries()) {
      expect(
        await receiveReply({
          prospect: { order_id, input_position: position, prospect },
        }),
      ).toMatchObject({
        prospect_first_name: person.first_name,
        prospect_last_name: person.last_name,
        prospect_full_name: person.full_name,
        prospect_email: person.email,
        prospect_job_title: person.job_title,
        company_name: company.name,
        company_website: company.website_url,
        company_country: company.country,
        reply_from_email: person.email,
      });
    }
  });

  it('fills them for the email address of a delivered prospect, in any case', async () => {
    const { company, receiveReply } = await createDelivered();
    const [person] = company.prospects;
    const written = person.email.toUpperCase();
    expect(await receiveReply({ reply_from_email: written })).toMatchObject({
      prospect_full_name: person.full_name,
      company_name: company.name,
      reply_from_email: written,
    });
  });

  it('fills the fields of the company only for an address of a delivered company', async () => {
    const { company, receiveReply } = await createDelivered();
    const found = await receiveReply({ reply_from_email: `reception@${company.domain}` });
    expect(found).toMatchObject({ company_name: company.name, company_country: company.country });
    expect(prospectKeys.map((key) => found[key])).toEqual(['', '', '', '', '']);
  });

  it('recognises the address of a company, which is never at a real domain', async () => {
    const { createProfile, finishOrder, readSlots, receiveReply } = await createDelivered();
    const profile_id = await createProfile({ profile_name: 'Real' });
    const companies = [1, 2].map((place) => ({
      company_name: `Real ${place}`,
      website_url: `https://real-${place}.com`,
    }));
    const slots = await readSlots(await finishOrder({ order_type: 'ENRICHMENT', profile_id, companies }));
    const { company } = slots.find((slot) => slot.company.email !== null);
    expect(company.email).toMatch(/\.com\.example$/);
    expect(await receiveReply({ reply_from_email: company.email })).toMatchObject({ company_name: company.name });
  });

  it('leaves them empty for unknown people, and for deliveries to another organisation', async () => {
    const { service, company, webhooks, receiveReply, sent, wait } = await createDelivered();
    const [person] = company.prospects;
    const stranger = await receiveReply({ reply_from_email: 'somebody@elsewhere.example' });
    expect([...prospectKeys, ...companyKeys].map((key) => stranger[key]).join('')).toBe('');
    const { organizationId: other } = service.createOrganization({ name: 'other' });
    const { address_id } = webhooks.addresses.add(other, { role: 'owner', added_by: 'Olga', url });
    webhooks.actions.add(other, { campaign_id: 'autumn', added_by: 'Anna', address_id });
    webhooks.replies.receive(other, {
      classification: 'interested',
      campaign_id: 'autumn',
      reply_from_email: person.email,
    });
    await wait(0);
    expect(sent.at(-1)?.body.data).toMatchObject({
      prospect_email: '',
      company_name: '',
      reply_from_email: person.email,
    });
  });

  it('refuses a prospect that was not delivered', async () => {
    const { receive, order_id, deliveries } = await createDelivered();
    const at = (place: { order_id: string; input_position?: number; prospect?: number }) => () => {
      receive({ prospect: place });
    };
    expect(at({ order_id, input_position: 3 })).toThrow(refusal(404, 'PROSPECT_NOT_FOUND'));
    expect(at({ order_id, input_position: 0, prospect: 9 })).toThrow(refusal(404, 'PROSPECT_NOT_FOUND'));
    expect(at({ order_id: 'unknown', input_position: 0 })).toThrow(refusal(404, 'PROSPECT_NOT_FOUND'));
    expect(at({ order_id, prospect: 9 })).toThrow(refusal(404, 'PROSPECT_NOT_FOUND'));
    expect(deliveries()).toEqual([]);
  });

  it('uses the first prospect of an order by default', async () => {
    const { slots, order_id, receiveReply } = await createDelivered();
    const [person] = slots[0].company.prospects;
    expect(await receiveReply({ prospect: { order_id } })).toMatchObject({ prospect_email: person.email });
  });

  it('truncates a text to 10,000 whole characters', async () => {
    const { receive, wait, newest } = createWebhookService();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 9_990, max: 10_010 }),
        fc.constantFrom('a', 'ü', '🎈'),
        async (length, last) => {
          receive({ reply_text: '🎈'.repeat(length - 1) + last });
          await wait(0);
          const { reply_text, reply_text_truncated } = newest();
          expect([...reply_text]).toHaveLength(Math.min(length, 10_000));
          expect(reply_text.isWellFormed()).toBe(true);
          expect(reply_text_truncated).toBe(length > 10_000);
        },
      ),
      { numRuns: runsOf(30) },
    );
  });

  it('has an unknown classification when drift is on', async () => {
    const { service, organizationId, receive, wait, sent } = createWebhookService();
    service.drift.set(organizationId, { reply_types: true });
    receive();
    await wait(0);
    expect(sent[0]?.body).toMatchObject({ type: 'reply.of_tomorrow', data: { classification: 'of_tomorrow' } });
  });
});

describe('actions', () => {
  it('can use any address of the organisation; saving sends nothing', async () => {
    const { webhooks, organizationId, actionId, wait, sent, deliveries } = createWebhookService();
    const second = webhooks.addresses.add(organizationId, { role: 'admin', added_by: 'Olga', url: `${url}/2` });
    const changed = webhooks.actions.change(organizationId, actionId, {
      address_id: second.address_id,
      classifications: ['referral'],
    });
    expect(changed).toMatchObject({
      type: 'send-to-a-webhook',
      campaign_id: 'autumn',
      address_id: second.address_id,
      classifications: ['referral'],
      added_by: 'Anna',
    });
    expect(webhooks.actions.list(organizationId)).toEqual([changed]);
    await wait(3_600);
    expect([sent, deliveries()]).toEqual([[], []]);
  });

  it('match all seven classifications by default', () => {
    const { webhooks, organizationId, actionId } = createWebhookService();
    expect(webhooks.actions.get(organizationId, actionId).classifications).toEqual(replyClassifications);
  });
});

describe('sendTest', () => {
  it('is not retried', async () => {
    const { webhooks, organizationId, actionId, wait, sent } = createWebhookService({ answers: () => answer(503) });
    await webhooks.replies.sendTest(organizationId, actionId);
    await wait(86_400);
    expect(sent).toHaveLength(1);
  });

  it('fills every field although the action names no campaign', async () => {
    const { webhooks, organizationId, addressId, newest } = createWebhookService();
    const bare = { campaign_id: 'bare', added_by: 'Anna', address_id: addressId };
    const { action_id } = webhooks.actions.add(organizationId, bare);
    await webhooks.replies.sendTest(organizationId, action_id);
    const { reply_text_truncated, ...texts } = newest();
    expect(Object.values(texts)).not.toContain('');
  });
});
