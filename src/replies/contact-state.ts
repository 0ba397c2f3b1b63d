/** The state of a contact after its replies: the properties and the lead status of the newest reply. */
import type { HubSpotClient } from '../hubspot/hubspot-client.ts';
import type { CrmRecord } from '../hubspot/hubspot-record.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ReplyRow } from '../ledger/reply-store.ts';
import { toReplyState } from './reply-content.ts';
import { decidingReply, isReplyClass, type ReplyPolicy } from '../config/reply-policy.ts';
import { isSame } from '../ledger/property-values.ts';
import { readStoredReply } from './read-reply.ts';

export interface ReplyDependencies {
  readonly hubspot: HubSpotClient;
  readonly ledger: Ledger;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  readonly policy: ReplyPolicy;
}

/**
 * Writes the state of the newest reply of the contact, whichever reply is processed. The ledger is read again after the write, so that
 * the last write always has the newest state.
 */
export async function writeContactState(
  { hubspot, ledger, policy, signal }: ReplyDependencies,
  { contact, email }: { contact: CrmRecord; email: string },
): Promise<{ readonly isLeadStatusRefused: boolean }> {
  let current = contact.properties;
  let isRefused = false;
  for (let written: string | null = null; ;) {
    const replies = await ledger.replies.ofContact(contact.id);
    const isSuppressed = await ledger.suppressions.isSuppressed({ kind: 'email', value: email });
    const deciding = decidingReply(replies, { isSuppressed });
    const done = { isLeadStatusRefused: isRefused };
    if (deciding === undefined || deciding.webhookId === written) return done;
    const { classification, replyAt } = deciding;
    if (!isReplyClass(classification) || replyAt === null) return done;
    if (isOfUnknownReply(current, replies, replyAt)) return done;
    const data = readStoredReply((await ledger.replies.get(deciding.webhookId)) ?? { body: null });
    const state: Record<string, string> = toReplyState(data, { classification, replyAt });
    if (!hasState(current, state)) {
      const { leadStatus } = policy.classes[classification];
      const properties = leadStatus === null ? state : { ...state, hs_lead_status: leadStatus };
      const [result] = await hubspot.objects.update('contacts', [{ id: contact.id, properties }], signal);
      if (result?.ok === false) {
        if (leadStatus === null || result.error.property !== 'hs_lead_status') throw result.error;
        // The portal does not have this option. The other properties of the reply are still written.
        isRefused = true;
        const [again] = await hubspot.objects.update('contacts', [{ id: contact.id, properties: state }], signal);
        if (again?.ok === false) throw again.error;
      }
      current = { ...current, ...state };
    }
    written = deciding.webhookId;
  }
}

/** True if the contact has a newer state, or an opt-out, of a reply that this ledger did not receive: it is kept. */
function isOfUnknownReply(
  current: CrmRecord['properties'],
  replies: readonly Pick<ReplyRow, 'classification' | 'replyAt'>[],
  replyAt: string,
): boolean {
  const at = Date.parse(current['prospect_sync_reply_at'] ?? '');
  if (Number.isNaN(at)) return false;
  const isKnown = replies.some(
    (reply) => Date.parse(reply.replyAt ?? '') === at && reply.classification === current['prospect_sync_reply_class'],
  );
  return !isKnown && (at > Date.parse(replyAt) || current['prospect_sync_reply_class'] === 'do_not_contact');
}

function hasState(current: CrmRecord['properties'], state: Readonly<Record<string, string>>): boolean {
  return Object.entries(state).every(([name, value]) =>
    name === 'prospect_sync_reply_at'
      ? Date.parse(current[name] ?? '') === Date.parse(value)
      : isSame(value, (current[name] ?? '').trim()),
  );
}
