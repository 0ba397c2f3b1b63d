/** Reads the body of a reply webhook: the fields for the inbox, and the reason for a quarantine. No I/O. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { replyDataSchema, replyWebhookSchema } from '../service/contract/reply.ts';
import { isRecord } from '../base/json/own-property.ts';
import { parseJsonWithinLimits } from '../base/json/json-limits.ts';
import type { ReplyState } from '../ledger/inbox-rows.ts';
import { toReplier } from './reply-content.ts';
import { isReplyClass } from '../config/reply-policy.ts';

export type ReplyWebhook = z.infer<typeof replyWebhookSchema>;
export type ReplyData = ReplyWebhook['data'];

/** Why a verified delivery is quarantined. */
export type QuarantineReason =
  | 'unreadable'
  | 'too_large'
  | 'id_differs'
  | 'type_differs'
  | 'unknown_classification'
  /** Neither the prospect nor the sender is named, so that no contact can be found or suppressed. */
  | 'no_address';

export interface ReadReply {
  readonly state: Extract<ReplyState, 'received' | 'quarantined' | 'test'>;
  readonly reason: QuarantineReason | null;
  /** The classification as sent, at most 100 characters; null if unreadable. */
  readonly classification: string | null;
  /** ISO 8601 in UTC; null when unreadable. */
  readonly replyAt: string | null;
  readonly campaignId: string | null;
}

const longestWord = 100;

const unreadableReply: ReadReply = {
  state: 'quarantined',
  reason: 'unreadable',
  classification: null,
  replyAt: null,
  campaignId: null,
};

/** The body is larger than what is stored. */
export const tooLargeReply: ReadReply = { ...unreadableReply, reason: 'too_large' };

/**
 * A time of the reply that is after its receipt, or that cannot be read, is wrong: the time of receipt counts instead, so that it keeps no
 * later reply from counting.
 * @param webhookId `toReplyId` of the header, which the signature covers
 * @param receivedAt ISO 8601 in UTC
 * @param reply null when it cannot be read
 */
export function readReply(webhookId: string, receivedAt: string, reply: ReplyWebhook | null): ReadReply {
  if (reply === null) return unreadableReply;
  const { id, type, test, data } = reply;
  const sentAt = toUtc(data.reply_received_at) ?? toUtc(reply.timestamp) ?? receivedAt;
  const replyAt = Date.parse(sentAt) > Date.parse(receivedAt) ? receivedAt : sentAt;
  const facts = {
    classification: data.classification.slice(0, longestWord),
    replyAt,
    campaignId: data.campaign_id.slice(0, longestWord) || null,
  };
  const quarantine = (reason: QuarantineReason): ReadReply => ({ ...facts, state: 'quarantined', reason });
  if (toReplyId(id) !== webhookId) return quarantine('id_differs');
  if (test) return { ...facts, state: 'test', reason: null };
  if (!isReplyClass(data.classification)) return quarantine('unknown_classification');
  if (type !== `reply.${data.classification}`) return quarantine('type_differs');
  if (toReplier(data).email === null) return quarantine('no_address');
  return { ...facts, state: 'received', reason: null };
}

const shownId = /^[!-~]{1,255}$/;

/** The id of a reply in the ledger, in Temporal and in notes: that of the delivery, or its digest if it is too long or not printable. */
export function toReplyId(webhookId: string): string {
  return shownId.test(webhookId) ? webhookId : `sha256-${createHash('sha256').update(webhookId).digest('hex')}`;
}

/** null for anything that does not have the specified form, and for a body that is not stored. Data that are null or that a later version does not send are as unknown ones: empty. */
export function parseReply(body: string | null): ReplyWebhook | null {
  if (body === null) return null;
  const json = parseJsonWithinLimits(body);
  if (!isRecord(json) || !isRecord(json['data'])) return null;
  const sent = Object.entries(json['data']).filter(([, value]) => value !== null);
  const data = { ...nothingKnown, ...Object.fromEntries(sent) };
  return replyWebhookSchema.safeParse({ ...json, data }).data ?? null;
}

const { classification: _classification, ...optional } = replyDataSchema.shape;
const nothingKnown = {
  ...Object.fromEntries(Object.keys(optional).map((name) => [name, ''])),
  reply_text_truncated: false,
};

/** null when the body was erased, or cannot be read. */
export function readStoredReply({ body }: { readonly body: string | null }): ReplyData | null {
  return parseReply(body)?.data ?? null;
}

const zonedTime = z.iso.datetime({ offset: true });

/** null for anything but a time that exists, with its zone. */
function toUtc(text: string): string | null {
  return zonedTime.safeParse(text).success ? new Date(text).toISOString() : null;
}
