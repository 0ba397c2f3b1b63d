/** Replies that name forgotten people or companies: how they are received and erased. */
import type { Identifier, IdentifierTest } from './redaction/identifiers.ts';
import { jsonNamesForgotten, namesForgotten } from './redaction/redact-slot.ts';
import type { InboxTables } from './inbox-rows.ts';

type ReplyContent = Pick<
  InboxTables['replies'],
  'state' | 'reason' | 'classification' | 'campaignId' | 'body' | 'receivedAt'
>;

/** Fields to store of a delivery, without its text if it names a forgotten person or company. `refusedBy`: subjects that are suppressed with it. */
export function toStoredReply<Reply extends ReplyContent>(
  reply: Reply,
  refusedBy: readonly Identifier[],
  test: IdentifierTest | null,
) {
  const kept = { ...reply, suppressedAt: refusedBy.length === 0 ? null : reply.receivedAt };
  return test !== null && replyNamesForgotten(reply, test) ? { ...kept, ...forgottenReply(reply, test) } : kept;
}

export function replyNamesForgotten(
  { body, classification, campaignId }: Pick<ReplyContent, 'body' | 'classification' | 'campaignId'>,
  test: IdentifierTest,
): boolean {
  return (body !== null && jsonNamesForgotten(body, test)) || namesForgotten([classification, campaignId], test);
}

/** The columns of a reply after it was forgotten. A test sample stays one. */
export function forgottenReply(
  { state, classification, campaignId }: Pick<ReplyContent, 'state' | 'classification' | 'campaignId'>,
  test: IdentifierTest,
) {
  const withoutNames = (text: string | null) => (namesForgotten(text, test) ? null : text);
  return {
    body: null,
    reason: 'forgotten',
    state: state === 'received' ? ('quarantined' as const) : state,
    classification: withoutNames(classification),
    campaignId: withoutNames(campaignId),
  };
}
