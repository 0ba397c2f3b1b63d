/** Creates deliveries for replies and test replies. */
import { Refusal } from '../service-refusal.ts';
import type { Organization } from '../state/organization.ts';
import { actionsFor, findAction } from './campaign-actions.ts';
import { toActive, openDeliveriesTo } from './delivery-consequences.ts';
import { findAddress, requireActive } from './receiver-addresses.ts';
import { newDelivery, toKept, toPending } from './delivery-state.ts';
import {
  replyInputSchema,
  type CallerRole,
  type KeptReplies,
  type ReplyInput,
  requireAdmin,
} from './webhook-inputs.ts';
import type { AttemptTrigger, StoredAction, StoredDelivery } from '../state/webhook-records.ts';
import { findReplierBySlot, findReplierByEmail } from './find-replier.ts';
import { composeReplyBody, type Reply, sampleAction, sampleReply } from './reply-body.ts';
import { toDelivery, type DeliveryView } from './webhook-views.ts';
import type { WebhookContext } from './webhook-context.ts';

export interface Replies {
  /**
   * Creates one delivery for each matching action of the campaign; it is kept if the address is paused. Throws a Refusal (404)
   * for a prospect that was not delivered, ZodError for invalid input.
   */
  receive(organizationId: string, input: ReplyInput): DeliveryView[];
  /** Sends a sample reply with `test: true`, and returns the receiver's answer. Refused (409) while the address is paused. */
  sendTest(organizationId: string, actionId: string): Promise<DeliveryView>;
  /** Sends a sample to a paused address, and resumes the address if the sample is delivered. */
  sendTestAndResume(organizationId: string, actionId: string, by: CallerRole): Promise<DeliveryView>;
  /** Sends the kept replies. Refused (409) while the address is paused. */
  sendKept(organizationId: string, chosen: KeptReplies): DeliveryView[];
}

export function createReplies(dependencies: WebhookContext): Replies {
  const { withOrganization, clock, sender } = dependencies;
  const saveAll = (organization: Organization, deliveries: readonly StoredDelivery[]): DeliveryView[] => {
    for (const delivery of deliveries) sender.save(organization, delivery);
    return deliveries.map(toDelivery);
  };
  const test = async (organizationId: string, actionId: string, allow: (organization: Organization) => void) => {
    const { organization, delivery } = withOrganization(organizationId, (organization) => {
      allow(organization);
      return { organization, delivery: toTest(organization, findAction(organization, actionId), dependencies) };
    });
    const sent = await sender.sendNow(organization, delivery);
    if (sent) return sent;
    throw new Refusal(409, {
      code: 'DELIVERY_ABANDONED',
      message: 'The sandbox was reset or restored while the test was sent.',
    });
  };

  return {
    receive: (organizationId, input) =>
      withOrganization(organizationId, (organization) =>
        saveAll(organization, toDeliveries(organization, input, dependencies)),
      ),
    sendTest: async (organizationId, actionId) =>
      toDelivery(
        await test(organizationId, actionId, (organization) =>
          requireActive(findAddress(organization, findAction(organization, actionId).addressId)),
        ),
      ),
    async sendTestAndResume(organizationId, actionId, { role }) {
      requireAdmin(role);
      const sent = await test(organizationId, actionId, () => {});
      if (sent.state === 'delivered') withOrganization(organizationId, (organization) => resume(organization, sent));
      return toDelivery(sent);
    },
    sendKept: (organizationId, chosen) =>
      withOrganization(organizationId, (organization) => {
        const kept = keptReplies(organization, chosen);
        return saveAll(
          organization,
          kept.map((delivery) => toPending(delivery, { now: clock.now(), trigger: 'auto' })),
        );
      }),
  };
}

function toDeliveries(organization: Organization, input: ReplyInput, dependencies: WebhookContext): StoredDelivery[] {
  const hasUnknownClassification = dependencies.sendsUnknownReplyTypes(organization);
  const now = dependencies.clock.now();
  const reply = toReply(organization, input, dependencies);
  const filter = { campaignId: input.campaign_id, classification: reply.classification };
  return actionsFor(organization, filter).map((action) => {
    const delivery = compose(organization, { reply, action, now, trigger: 'auto', hasUnknownClassification });
    return findAddress(organization, action.addressId).state === 'paused' ? toKept(delivery, now) : delivery;
  });
}

function toReply(organization: Organization, input: ReplyInput, dependencies: WebhookContext): Reply {
  const { clock, publications, domains } = dependencies;
  const reply = replyInputSchema.parse(input);
  // Orders that completed since the last request count as delivered.
  publications.publishDue(organization, clock.now());
  const { prospect, reply_from_email: email = '', reply_received_at: receivedAt } = reply;
  if (!prospect) domains.complete(organization);
  return {
    id: organization.nextId('reply'),
    classification: reply.classification,
    classificationReason: reply.classification_reason ?? '',
    threadSubject: reply.thread_subject ?? '',
    text: reply.reply_text ?? '',
    receivedAt: receivedAt === undefined ? clock.now() : Date.parse(receivedAt),
    sentFromEmail: reply.sent_from_email ?? '',
    from: prospect
      ? findReplierBySlot(organization, prospect, publications)
      : findReplierByEmail(organization, email, publications),
  };
}

function toTest(organization: Organization, action: StoredAction, { seed, clock }: WebhookContext): StoredDelivery {
  const now = clock.now();
  const reply = sampleReply({ seed, id: organization.nextId('reply'), now }, action);
  return compose(organization, {
    reply,
    action: sampleAction(action),
    now,
    trigger: 'test',
    hasUnknownClassification: false,
  });
}

interface Composition {
  readonly reply: Reply;
  readonly action: StoredAction;
  readonly now: number;
  readonly trigger: AttemptTrigger;
  readonly hasUnknownClassification: boolean;
}

function compose(
  organization: Organization,
  { reply, action, now, trigger, hasUnknownClassification }: Composition,
): StoredDelivery {
  const id = organization.nextId('webhook delivery');
  const test = trigger === 'test';
  const body = composeReplyBody({ id, at: now, test, hasUnknownClassification }, reply, action);
  const subject = { kind: test ? 'test' : 'reply', actionId: action.id, addressId: action.addressId } as const;
  return newDelivery({ id, subject, type: `reply.${reply.classification}`, body }, { now, trigger });
}

/** Resumes the address. Kept replies are sent by `sendKept` only. */
function resume(organization: Organization, { subject }: StoredDelivery): void {
  const address = subject.kind === 'order_status' ? undefined : organization.webhooks.addresses.get(subject.addressId);
  if (address?.state === 'paused') organization.webhooks.addresses.set(address.id, toActive(address));
}

function keptReplies(organization: Organization, chosen: KeptReplies): StoredDelivery[] {
  const action = 'action_id' in chosen ? findAction(organization, chosen.action_id) : null;
  const addressId = 'address_id' in chosen ? chosen.address_id : (action?.addressId ?? '');
  requireActive(findAddress(organization, addressId));
  return openDeliveriesTo(organization, addressId)
    .filter(({ state }) => state === 'kept')
    .filter(({ subject }) => action === null || (subject.kind === 'reply' && subject.actionId === action.id));
}
