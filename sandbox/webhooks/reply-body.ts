/** Composes the body of a reply webhook ("Body fields"), and checks it against the contract. */
import { z } from 'zod';
import { webhookApiVersion } from '../../src/service/contract/webhook-assumptions.ts';
import { limits, replyWebhookSchema, toStrict } from '../../src/service/contract/index.ts';
import { toTimestamp } from '../timestamp.ts';
import { truncateText } from './truncate-text.ts';
import type { ReplyClassification, StoredAction } from '../state/webhook-records.ts';
import type { Replier } from './find-replier.ts';
import { companyAt } from '../generated-data/company-generator.ts';

type ReplyWebhook = z.infer<typeof replyWebhookSchema>;

/** A received reply; unknown fields are empty strings. */
export interface Reply {
  /** Id of the reply in the sandbox, for `app_url`. */
  readonly id: string;
  readonly classification: ReplyClassification;
  readonly classificationReason: string;
  readonly threadSubject: string;
  readonly text: string;
  readonly receivedAt: number;
  readonly sentFromEmail: string;
  readonly from: Replier;
}

export interface Envelope {
  /** Id of the delivery. */
  readonly id: string;
  readonly at: number;
  readonly test: boolean;
  /** Whether to send an unknown classification. */
  readonly hasUnknownClassification: boolean;
}

const strictReplySchema = toStrict(replyWebhookSchema);

/** Returns the JSON text for all attempts. Throws ZodError if it breaks the contract. */
export function composeReplyBody(envelope: Envelope, reply: Reply, action: StoredAction): string {
  const body = {
    id: envelope.id,
    type: `reply.${reply.classification}`,
    timestamp: toTimestamp(envelope.at),
    api_version: webhookApiVersion,
    test: envelope.test,
    data: toReplyFields(reply, action),
  } satisfies ReplyWebhook;
  z.parse(strictReplySchema, body);
  return JSON.stringify(envelope.hasUnknownClassification ? withUnknownClassification(body) : body);
}

/** A receiver must tolerate an unknown classification. */
function withUnknownClassification({ data, ...body }: ReplyWebhook): ReplyWebhook {
  const classification = 'of_tomorrow';
  return { ...body, type: `reply.${classification}`, data: { ...data, classification } };
}

function toReplyFields(reply: Reply, action: StoredAction): ReplyWebhook['data'] {
  const { prospect, company } = reply.from;
  const text = truncateText(reply.text, limits.reply.textCharacters);
  return {
    classification: reply.classification,
    classification_reason: reply.classificationReason,
    prospect_first_name: prospect?.first_name ?? '',
    prospect_last_name: prospect?.last_name ?? '',
    prospect_full_name: prospect?.full_name ?? '',
    prospect_email: prospect?.email ?? '',
    prospect_job_title: prospect?.job_title ?? '',
    company_name: company?.name ?? '',
    company_website: company?.website_url ?? '',
    company_country: company?.country ?? '',
    campaign_id: action.campaignId,
    campaign_name: action.campaignName,
    flow_name: action.flowName,
    thread_subject: reply.threadSubject,
    reply_text: text,
    reply_text_truncated: text.length < reply.text.length,
    reply_from_email: reply.from.email,
    reply_received_at: toTimestamp(reply.receivedAt),
    sent_from_email: reply.sentFromEmail,
    app_url: appUrl(action.campaignId, reply.id),
  };
}

/** A71 */
function appUrl(campaignId: string, replyId: string): string {
  return `https://app.prospecting.example/campaigns/${encodeURIComponent(campaignId)}/actions?reply=${replyId}`;
}

/** A generated person, whether or not an order has delivered them. */
const sampleIndex = 7;

export function sampleReply({ seed, id, now }: { seed: number; id: string; now: number }, action: StoredAction): Reply {
  const company = companyAt(seed, sampleIndex);
  const [prospect = null] = company.prospects;
  const classification = action.classifications[0] ?? 'interested';
  return {
    id,
    classification,
    classificationReason: 'The reply asks for a meeting and names a time.',
    threadSubject: 'Re: A question about your supply chain',
    text: `Hello,\n\nthis sounds interesting. Could we talk on Tuesday at 10?\n\nBest regards\n${prospect?.full_name}\n${company.name}`,
    receivedAt: now - 60_000,
    sentFromEmail: 'outreach@sender.example',
    from: { email: prospect?.email ?? '', prospect, company },
  };
}

/** Fills the empty fields of an action for a sample reply. */
export function sampleAction(action: StoredAction): StoredAction {
  return {
    ...action,
    campaignName: action.campaignName || 'Autumn outreach',
    flowName: action.flowName || 'First contact',
  };
}
