/** Converts a reply to HubSpot content: the texts of its note and task, and the properties of its contact. No I/O. */
import type { replyDataSchema } from '../service/contract/reply.ts';
import type { z } from 'zod';
import { ownerOf, hostOf } from '../service/contract/website-domain.ts';
import { escapeHtml, toTaskProperties } from '../delivery/mapping/task-content.ts';
import { cutText, toPropertyText } from '../ledger/property-values.ts';
import { toIdentifier } from '../ledger/redaction/identifiers.ts';

type ReplyData = z.infer<typeof replyDataSchema>;

/** The fields that say who and which company is meant. */
export type ReplyAddresses = Pick<ReplyData, 'prospect_email' | 'reply_from_email' | 'company_website'>;

/** HubSpot's limit of a text with markup is 65,536 characters. */
const longestMarkup = 65_000;
const longestReply = 10_000;

/** The person of a reply: the addressed prospect, or the sender if the service knows no prospect. */
export interface Replier {
  /** In lower case; null when the reply names no address. */
  readonly email: string | null;
  /** The address of a colleague who has answered instead; null when the same person did. */
  readonly answeredBy: string | null;
}

export function toReplier({ prospect_email: prospect, reply_from_email: from }: ReplyAddresses): Replier {
  const [email, sender] = [toAddress(prospect), toAddress(from)];
  if (email === null) return { email: sender, answeredBy: null };
  return { email, answeredBy: sender === email ? null : sender };
}

/** The address of the prospect; null if the service has matched none. */
export function toProspect({ prospect_email: prospect }: ReplyAddresses): string | null {
  return toAddress(prospect);
}

/** The registered domain of the prospect's company; null when only a mailbox provider is known. A sender does not say it, since it can be forged. */
export function toCompanyDomain(data: ReplyAddresses): string | null {
  return companyDomains(data)[0] ?? null;
}

/** True for an address at the registered domain of the prospect or of the prospect's company. */
export function isAtSameDomain(address: string, data: ReplyAddresses): boolean {
  const domain = toOwner(domainPart(address));
  return domain !== null && companyDomains(data).includes(domain);
}

function companyDomains({ company_website: website, prospect_email: prospect }: ReplyAddresses): string[] {
  return [website, domainPart(toAddress(prospect) ?? '')].flatMap((host) => toOwner(host) ?? []);
}

function toOwner(address: string): string | null {
  const host = hostOf(address);
  return host === null ? null : ownerOf(host);
}

/** Shown in notes and tasks: by it, a second attempt finds what the first one has created. */
export function toMarker(webhookId: string): string {
  return `prospect-sync reply ${escapeHtml(webhookId)}.`;
}

export function toNote(
  data: ReplyData,
  { webhookId, replyAt, hasEarlierTask }: { webhookId: string; replyAt: string; hasEarlierTask: boolean },
) {
  const { email, answeredBy } = toReplier(data);
  const from = answeredBy === null ? (email ?? '') : `${answeredBy}, for ${email}`;
  const link = /^https?:\/\//i.test(data.app_url) ? data.app_url : '';
  const lines = (text: string) =>
    [
      `<strong>${escapeHtml(`Reply: ${data.classification}`)}</strong>`,
      ...toLine('Campaign', data.campaign_name),
      ...toLine('From', from),
      ...toLine('Subject', data.thread_subject),
      ...toLine('Reason', data.classification_reason),
      ...(hasEarlierTask ? ['An earlier reply has created a task to answer it. Close that task if it is open.'] : []),
      escapeHtml(text).replaceAll(/\r?\n/g, '<br>'),
      ...(data.reply_text_truncated ? ['(cut by the service)'] : []),
      ...(link === '' ? [] : [`<a href="${escapeHtml(link)}">Open the reply</a>`]),
      toMarker(webhookId),
    ]
      .filter((line) => line !== '')
      .map((line) => `<p>${line}</p>`)
      .join('');
  let length = longestReply;
  // Markup characters take up to six characters each.
  while (lines(cutText(data.reply_text, length)).length > longestMarkup) length = Math.floor(length / 2);
  return { hs_timestamp: replyAt, hs_note_body: lines(cutText(data.reply_text, length)) };
}

export function toTask(
  data: ReplyData,
  { webhookId, dueAt, ownerId }: { webhookId: string; dueAt: string; ownerId: string | null },
) {
  const who = data.company_name || data.prospect_full_name || 'a prospect';
  return toTaskProperties({
    subject: `Answer the reply of ${who} (${data.classification})`,
    body: `<p>${escapeHtml(cutText(data.classification_reason, 2_000))}</p><p>${toMarker(webhookId)}</p>`,
    dueAt,
    ownerId,
  });
}

/** @param data null when the body of the reply was erased */
export function toReplyState(data: ReplyData | null, facts: { classification: string; replyAt: string }) {
  return {
    prospect_sync_reply_class: facts.classification,
    prospect_sync_reply_at: facts.replyAt,
    ...(data === null
      ? {}
      : {
          prospect_sync_reply_campaign: toPropertyText(data.campaign_name),
          prospect_sync_reply_link: toPropertyText(data.app_url),
        }),
  };
}

/** Of a contact that no order has written to HubSpot yet. */
export function toNewContact(data: ReplyData, email: string): Record<string, string> {
  const values = {
    email,
    firstname: toPropertyText(data.prospect_first_name),
    lastname: toPropertyText(data.prospect_last_name),
    jobtitle: toPropertyText(data.prospect_job_title),
    company: toPropertyText(data.company_name),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

/** Of an address in any spelling, also with a name before it: `Jane <jane@acme.example>`. */
function toAddress(text: string): string | null {
  const identifier = toIdentifier(text.replace(/^[^<>]*(?=<)/, ''));
  return identifier?.kind === 'email' ? identifier.value : null;
}

function domainPart(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

function toLine(label: string, text: string): string[] {
  return text === '' ? [] : [escapeHtml(`${label}: ${text}`)];
}
