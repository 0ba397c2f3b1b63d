/** The people and companies that a do_not_contact reply suppresses. No I/O. */
import { isAtSameDomain, toCompanyDomain, toProspect, toReplier } from './reply-content.ts';
import type { ReplyPolicy } from '../config/reply-policy.ts';
import { personIdentifiersIn, type Identifier } from '../ledger/redaction/identifiers.ts';
import type { ReplyData, ReplyWebhook } from './read-reply.ts';

type SuppressionPolicy = Pick<ReplyPolicy, 'suppress' | 'suppressColleagues'>;

/**
 * Addresses (and, by policy, the company) to suppress for a do_not_contact reply. The sender of an email can be forged: one at another domain
 * than the prospect's is suppressed only by the policy.
 */
export function toSuppressed(data: ReplyData, { suppress, suppressColleagues }: SuppressionPolicy): Identifier[] {
  const { email, answeredBy } = toReplier(data);
  // Each of several addresses in one text has refused, although no contact is found by them.
  const others = toProspect(data) === null ? personIdentifiersIn(data.prospect_email) : [];
  const domain = suppress === 'company' ? toCompanyDomain(data) : null;
  const isColleague = answeredBy !== null && (suppressColleagues === 'any' || isAtSameDomain(answeredBy, data));
  return [
    ...[email, isColleague ? answeredBy : null].flatMap((value): Identifier[] =>
      value === null ? [] : [{ kind: 'email', value }],
    ),
    ...others.filter(({ kind }) => kind === 'email'),
    ...(domain === null ? [] : [{ kind: 'domain', value: domain } as const]),
  ];
}

/** Whichever of type and classification says do_not_contact, it is one. @returns an empty list for any other reply, and for a test sample */
export function readRefusal(reply: ReplyWebhook | null, policy: SuppressionPolicy): Identifier[] {
  if (reply === null || reply.test) return [];
  const { type, data } = reply;
  const isRefusal = data.classification === 'do_not_contact' || type === 'reply.do_not_contact';
  return isRefusal ? toSuppressed(data, policy) : [];
}

/** The sender of a do_not_contact reply who is not suppressed by it, because the address can be forged; null if there is none. */
export function findSparedSender(data: ReplyData, policy: SuppressionPolicy): string | null {
  const { answeredBy } = toReplier(data);
  if (data.classification !== 'do_not_contact' || answeredBy === null) return null;
  return toSuppressed(data, policy).some(({ value }) => value === answeredBy) ? null : answeredBy;
}
