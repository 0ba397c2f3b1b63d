/** Whom a do-not-contact reply suppresses. No I/O. */
import { toCompanyDomain, toReplier } from '../mapping/reply-content.ts';
import type { ReplyPolicy } from '../mapping/reply-policy.ts';
import type { Identifier } from '../redaction/identifiers.ts';
import { parseReply, type ReplyData } from './read-reply.ts';

type SuppressionPolicy = Pick<ReplyPolicy, 'suppress'>;

/** Who was written to and who has answered, and by policy their company. */
export function toSuppressed(data: ReplyData, { suppress }: SuppressionPolicy): Identifier[] {
  const { email, answeredBy } = toReplier(data);
  const domain = suppress === 'company' ? toCompanyDomain(data) : null;
  return [
    ...[email, answeredBy].flatMap((value): Identifier[] => (value === null ? [] : [{ kind: 'email', value }])),
    ...(domain === null ? [] : [{ kind: 'domain', value: domain } as const]),
  ];
}

/** Of a stored body; empty for a reply that is no refusal. */
export function readRefusal(body: string | null, policy: SuppressionPolicy): Identifier[] {
  const data = body === null ? undefined : parseReply(body)?.data;
  return data?.classification === 'do_not_contact' ? toSuppressed(data, policy) : [];
}
