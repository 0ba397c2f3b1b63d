/** The people and companies that a do_not_contact reply suppresses. No I/O. */
import { isAtSameDomain, toCompanyDomain, toProspect, toReplier } from './reply-content.ts';
import type { ReplyPolicy } from '../config/reply-policy.ts';
import { personIdentifiersIn, type Identifier } from '../ledger/redaction/identifiers.ts';
import { parseReply, type ReplyData } from './read-reply.ts';

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

/** Reads a stored body. @returns an empty list if the reply is no do_not_contact */
export function readRefusal(body: string | null, policy: SuppressionPolicy): Identifier[] {
  const data = body === null ? undefined : parseReply(body)?.data;
  return data?.classification === 'do_not_contact' ? toSuppressed(data, policy) : [];
}
