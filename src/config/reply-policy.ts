/** Effects of a reply by its classification. No I/O. */
import { replyClassifications } from '../service/contract/enum-values.ts';

export type ReplyClass = (typeof replyClassifications)[number];

export interface ClassPolicy {
  /** A note with the text of the reply. */
  readonly note: boolean;
  /** A task for the owner of the contact. */
  readonly task: boolean;
  /** Value of `hs_lead_status`; null: unchanged. */
  readonly leadStatus: string | null;
}

/** Scope of the suppression by a do_not_contact reply: the person, or the whole company. */
export const suppressedScopes = ['person', 'company'] as const;

export interface ReplyPolicy {
  readonly suppress: (typeof suppressedScopes)[number];
  /** do_not_contact also unsubscribes the address from all marketing email of HubSpot, which cannot be undone. */
  readonly unsubscribe: boolean;
  readonly classes: Readonly<Record<ReplyClass, ClassPolicy>>;
}

/** The lead statuses are those that every HubSpot account has at first. */
export const defaultReplyPolicy: ReplyPolicy = {
  suppress: 'person',
  unsubscribe: false,
  classes: {
    interested: { note: true, task: true, leadStatus: 'CONNECTED' },
    referral: { note: true, task: true, leadStatus: 'CONNECTED' },
    not_interested: { note: true, task: false, leadStatus: 'UNQUALIFIED' },
    do_not_contact: { note: true, task: false, leadStatus: 'UNQUALIFIED' },
    wrong_person: { note: true, task: false, leadStatus: 'UNQUALIFIED' },
    out_of_office: { note: true, task: false, leadStatus: null },
    unactionable: { note: false, task: false, leadStatus: null },
  },
};

export function isReplyClass(text: string | null): text is ReplyClass {
  return replyClassifications.some((classification) => classification === text);
}

/** A reply as the inbox knows it. */
export interface DatedReply {
  readonly webhookId: string;
  readonly classification: string | null;
  /** ISO 8601 in UTC. */
  readonly replyAt: string | null;
}

/**
 * The reply that says how a contact stands: the newest one by the time of the reply, whatever arrived last. A do-not-contact stays,
 * whatever follows it, until the suppression is removed. @returns undefined when no reply has a known classification and a time
 */
export function decidingReply<Reply extends DatedReply>(
  replies: readonly Reply[],
  { isSuppressed }: { readonly isSuppressed: boolean },
): Reply | undefined {
  const known = replies.filter(({ classification, replyAt }) => isReplyClass(classification) && replyAt !== null);
  const refusals = known.filter(({ classification }) => classification === 'do_not_contact');
  const deciding = isSuppressed && refusals.length > 0 ? refusals : known;
  return deciding.reduce<Reply | undefined>(
    (newest, reply) => (newest === undefined || isNewer(reply, newest) ? reply : newest),
    undefined,
  );
}

/** Chooses the greater id of two replies at the same time, so that every process chooses the same one. */
function isNewer(reply: DatedReply, other: DatedReply): boolean {
  const [time, otherTime] = [Date.parse(reply.replyAt ?? ''), Date.parse(other.replyAt ?? '')];
  return time > otherTime || (time === otherTime && reply.webhookId > other.webhookId);
}
