/** The people and companies that a do_not_contact reply suppresses. No I/O. */
import { toCompanyDomain, toReplier } from './reply-content.ts';
import type { ReplyPolicy } from '../config/reply-policy.ts';
import type { Identifier } from '../ledger/redaction/identifiers.ts';
import { parseReply, type ReplyData } from './read-reply.ts';

type SuppressionPolicy = Pick<ReplyPolicy, 'suppress'>;

/** Addresses (and, by policy, the company) to suppress for a do_not_contact reply. */
export function toSuppressed(data: ReplyData, { suppress }: SuppressionPolicy): Identifier[] {
  const { email, answeredBy } = toReplier(data);
  const domain = suppress === 'company' ? toCompanyDomain(data) : null;
  return [
    ...[email, answeredBy].flatMap((value): Identifier[] => (value === null ? [] : [{ kind: 'email', value }])),
    ...(domain === null ? [] : [{ kind: 'domain', value: domain } as const]),
  ];
}

/** Reads a stored body. @returns an empty list if the reply is no do_not_contact */
export function readRefusal(body: string | null, policy: SuppressionPolicy): Identifier[] {
  const data = body === null ? undefined : parseReply(body)?.data;
  return data?.classification === 'do_not_contact' ? toSuppressed(data, policy) : [];
}
