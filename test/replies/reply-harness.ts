// The sandbox sends, the receiver stores, the activities of a reply's workflow are performed: without a server and without Temporal.
import { defaultReplyPolicy } from '../../src/config/reply-policy.ts';
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { createSecret } from '../../src/config/environment.ts';
import type { ReplyInput } from '../../sandbox/webhooks/webhook-inputs.ts';
import type { Deliver } from '../../sandbox/webhooks/send-attempt.ts';
import { parseReply, readReply, type ReplyData } from '../../src/replies/read-reply.ts';
import { reply as replyBody } from './reply-body.ts';
import type { ReplyReport } from '../../activities/reply-activities.ts';
import { createReceiver, type Receiver } from '../../src/replies/receiver.ts';
import { createReady } from '../activities/order-steps.ts';
import type { ActivityHarnessOptions, Collected } from '../activities/activity-harness.ts';

const url = 'https://hooks.receiver.example/replies';

/** A portal, a ledger and an organisation whose campaign `autumn` sends its replies to the receiver. */
export async function createReplyHarness(options: ActivityHarnessOptions = {}) {
  let receiver: Receiver | null = null;
  let last: Request | null = null;
  const answers: number[] = [];
  const deliver: Deliver = async ({ headers, body }) => {
    if (receiver === null) throw new Error('the receiver is not open yet');
    last = new Request(url, { method: 'POST', headers, body: Buffer.from(body) });
    const response = await receiver.fetch(last.clone());
    answers.push(response.status);
    const retryAfter = response.headers.get('retry-after');
    return { kind: 'answer', status: response.status, text: await response.text(), location: null, retryAfter };
  };
  const harness = await createReady({ ...options, service: { ...options.service, receivers: { deliver } } });
  const { service, organizationId, ledger, perform } = harness;
  const { webhooks } = service;
  const { address_id } = webhooks.addresses.add(organizationId, { role: 'owner', added_by: 'Olga', url });
  const { action_id: actionId } = webhooks.actions.add(organizationId, {
    campaign_id: 'autumn',
    campaign_name: 'Autumn',
    address_id,
    added_by: 'Anna',
  });
  const { secret } = webhooks.addresses.secret(organizationId, address_id, { role: 'owner' });
  receiver = createReceiver({
    replies: { secrets: [{ value: createSecret(secret) }], key: null },
    orderStatus: { secrets: [], key: null },
    policy: defaultReplyPolicy,
    inbox: ledger.replies,
    secretUses: ledger.secretUses,
    wakeOrder: async () => {},
    log: () => {},
  });

  const process = (webhookId: string): Promise<ReplyReport> => perform('processReply', { webhookId });

  return {
    ...harness,
    webhooks,
    actionId,
    /** Statuses that the sender got. */
    answers,
    /** Ids of the replies whose workflow a worker starts now; a second call returns none of them. */
    async takeDue(): Promise<string[]> {
      const at = new Date().toISOString();
      const taken = await ledger.replies.takeDue(at, { until: '9999', limit: 100 });
      return taken.map(({ webhookId }) => webhookId);
    },
    process,
    /** Sends a reply and waits until it was delivered. @returns its webhook id */
    async send(input: Partial<ReplyInput> & Pick<ReplyInput, 'classification'>): Promise<string> {
      const from = input.prospect === undefined ? { reply_from_email: 'unknown@elsewhere.example' } : {};
      const [delivery] = webhooks.replies.receive(organizationId, { campaign_id: 'autumn', ...from, ...input });
      if (delivery === undefined) throw new Error('the reply matches no action');
      await harness.letPass(1);
      return delivery.delivery_id;
    },
    /** A delivery with these data arrives, signed by the reference library, and is processed. */
    async arrive(data: Partial<ReplyData> & Pick<ReplyData, 'classification'>) {
      const id = `msg_${randomUUID()}`;
      const at = new Date();
      const body = replyBody({ id, type: `reply.${data.classification}`, timestamp: at.toISOString() }, data);
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': new Webhook(secret).sign(id, at, body),
      };
      const answer = await receiver?.fetch(new Request(url, { method: 'POST', headers, body }));
      if (answer?.status !== 202) throw new Error(`the delivery was answered ${answer?.status}`);
      return { webhookId: id, effects: await process(id) };
    },
    /** What `replies replay` does before it starts the workflow. */
    async reopen(webhookId: string): Promise<void> {
      const { receivedAt = '', body = null } = (await ledger.replies.get(webhookId)) ?? {};
      await ledger.replies.reopen(webhookId, readReply(webhookId, receivedAt, parseReply(body)), receivedAt);
    },
    /** The delivery that was sent last arrives once more. @returns the status of the answer */
    repeatLast: async (): Promise<number | undefined> =>
      last === null ? undefined : (await receiver?.fetch(last.clone()))?.status,
    /** Sends the reply of a contact of an order, and processes it. */
    async reply({ orderId }: Collected, input: Partial<ReplyInput> & Pick<ReplyInput, 'classification'>) {
      const webhookId = await this.send({ prospect: { order_id: orderId }, ...input });
      return { webhookId, effects: await process(webhookId) };
    },
    /** The notes or tasks of a portal. */
    async engagements(type: 'notes' | 'tasks') {
      const text = type === 'notes' ? 'hs_note_body' : 'hs_task_body';
      const { results } = await harness.sendToHubSpot<{
        results: { id: string; properties: Record<string, string> }[];
      }>('GET', `/crm/v3/objects/${type}?limit=100&properties=${text},hubspot_owner_id,hs_timestamp`);
      return results.map(({ id, properties }) => ({ id, ...properties, text: properties[text] ?? '' }));
    },
    /** Values of a contact that replies change. */
    async contactState(id: string) {
      const names = 'prospect_sync_reply_class,prospect_sync_reply_at,prospect_sync_reply_campaign,hs_lead_status';
      const { properties } = await harness.sendToHubSpot<{ properties: Record<string, string | null> }>(
        'GET',
        `/crm/v3/objects/contacts/${id}?properties=${names}`,
      );
      return properties;
    },
  };
}
