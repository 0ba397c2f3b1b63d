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

/** Whether a colleague who has answered for the prospect is suppressed too: only at the domain of the prospect, or at any. */
export const colleagueScopes = ['same_domain', 'any'] as const;

export interface ReplyPolicy {
  readonly suppress: (typeof suppressedScopes)[number];
  readonly suppressColleagues: (typeof colleagueScopes)[number];
  /** do_not_contact also unsubscribes the address from all marketing email of HubSpot, which cannot be undone. */
  readonly unsubscribe: boolean;
  readonly classes: Readonly<Record<ReplyClass, ClassPolicy>>;
}

/** The lead statuses are those that every HubSpot account has at first. */
export const defaultReplyPolicy: ReplyPolicy = {
  suppress: 'person',
  suppressColleagues: 'same_domain',
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
  /** `suppressed`: the contact was suppressed when the reply was processed, so that it never sets the lead status. */
  readonly reason: string | null;
}

/** How a contact stands after its replies. */
export interface Standing<Reply> {
  /** Gives the reply properties: the newest reply by its time. undefined if none has a known classification and a time. */
  readonly newest: Reply | undefined;
  /** Gives the lead status: the newest reply whose class has one. */
  readonly leading: Reply | undefined;
}

/**
 * Whatever arrived last, the times of the replies decide. A do-not-contact stays, whatever follows it, until the suppression is removed.
 * Of a person who was suppressed without one, no reply sets the lead status.
 */
export function standingOf<Reply extends DatedReply>(
  replies: readonly Reply[],
  { isSuppressed, classes }: { readonly isSuppressed: boolean; readonly classes: ReplyPolicy['classes'] },
): Standing<Reply> {
  const known = replies.filter(({ classification, replyAt }) => isReplyClass(classification) && replyAt !== null);
  const refusals = known.filter(({ classification }) => classification === 'do_not_contact');
  const counted = isSuppressed && refusals.length > 0 ? refusals : known;
  const leading = counted.filter(
    ({ classification, reason }) =>
      isReplyClass(classification) && classes[classification].leadStatus !== null && reason !== 'suppressed',
  );
  const isSilent = isSuppressed && refusals.length === 0;
  return { newest: newestOf(counted), leading: isSilent ? undefined : newestOf(leading) };
}

function newestOf<Reply extends DatedReply>(replies: readonly Reply[]): Reply | undefined {
  return replies.reduce<Reply | undefined>(
    (newest, reply) => (newest === undefined || isNewer(reply, newest) ? reply : newest),
    undefined,
  );
}

/** Chooses the greater id of two replies at the same time, so that every process chooses the same one. */
export function isNewer(reply: DatedReply, other: DatedReply): boolean {
  const [time, otherTime] = [Date.parse(reply.replyAt ?? ''), Date.parse(other.replyAt ?? '')];
  return time > otherTime || (time === otherTime && reply.webhookId > other.webhookId);
}
