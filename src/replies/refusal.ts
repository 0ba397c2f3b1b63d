/** The people and companies that a do_not_contact reply suppresses. No I/O. */
import { isAtSameDomain, toCompanyDomain, toProspect, toReplier, type ReplyAddresses } from './reply-content.ts';
import type { ReplyPolicy } from '../config/reply-policy.ts';
import { personIdentifiersIn, type Identifier } from '../ledger/redaction/identifiers.ts';
import { parseReply, type ReplyData } from './read-reply.ts';

type SuppressionPolicy = Pick<ReplyPolicy, 'suppress' | 'suppressColleagues'>;

/**
 * Addresses (and, by policy, the company) to suppress for a do_not_contact reply. The sender of an email can be forged: one at another domain
 * than the prospect's is suppressed only by the policy.
 */
export function toSuppressed(data: ReplyAddresses, { suppress, suppressColleagues }: SuppressionPolicy): Identifier[] {
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

/**
 * Whichever of type and classification says do_not_contact, it is one. A body that cannot be read is searched for them, so that one odd field
 * keeps no refusal from counting.
 * @param text the whole body; null: it is not stored any more
 * @returns an empty list for any other reply, and for a test sample
 */
export function readRefusal(text: string | null, policy: SuppressionPolicy, reply = parseReply(text)): Identifier[] {
  if (reply === null) {
    const isRefusal = text !== null && unreadRefusal.test(text) && !unreadSample.test(text);
    return isRefusal ? toSuppressed(findAddresses(text), policy) : [];
  }
  const { type, test, data } = reply;
  const isRefusal = data.classification === 'do_not_contact' || type === 'reply.do_not_contact';
  return isRefusal && !test ? toSuppressed(data, policy) : [];
}

// Inside a text, such as that of the reply, JSON escapes quotes: these match members only.
const unreadRefusal = /"(?:type"\s{0,9}:\s{0,9}"reply\.|classification"\s{0,9}:\s{0,9}")do_not_contact"/;
const unreadSample = /"test"\s{0,9}:\s{0,9}true/;
const unreadAddress =
  /"(prospect_email|reply_from_email|company_website)"\s{0,9}:\s{0,9}("(?:[^"\\\p{Cc}]|\\["\\/bfnrt]|\\u[\da-fA-F]{4}){1,320}")/gu;

function findAddresses(text: string): ReplyAddresses {
  const found = [...text.matchAll(unreadAddress)].map(([, name = '', value = '']) => [name, String(JSON.parse(value))]);
  return { prospect_email: '', reply_from_email: '', company_website: '', ...Object.fromEntries(found) };
}

/** The sender of a do_not_contact reply who is not suppressed by it, because the address can be forged; null if there is none. */
export function findSparedSender(data: ReplyData, policy: SuppressionPolicy): string | null {
  const { answeredBy } = toReplier(data);
  if (data.classification !== 'do_not_contact' || answeredBy === null) return null;
  return toSuppressed(data, policy).some(({ value }) => value === answeredBy) ? null : answeredBy;
}
