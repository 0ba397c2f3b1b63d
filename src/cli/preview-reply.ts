/** `replies preview`: what the body of a reply webhook would do. */
import { createConfiguredHubSpot } from '../worker/configured-clients.ts';
import { readTextFile } from '../base/host/read-text-file.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { isReplyClass, standingOf, type DatedReply, type ReplyPolicy } from '../config/reply-policy.ts';
import type { CrmRecord } from '../hubspot/hubspot-record.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isReplierSuppressed, weigh, type ReplyWeight } from '../replies/contact-state.ts';
import { judgeReply, toRefusing } from '../replies/judge-reply.ts';
import { parseReply, readReply } from '../replies/read-reply.ts';
import { readRefusal } from '../replies/refusal.ts';
import type { Replier } from '../replies/reply-content.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { openAnnouncedLedger } from './data-folder.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';
import { describeSystemError } from '../base/failures/system-code.ts';

type ReplyPreview = Awaited<ReturnType<typeof previewReply>>;

/** Previews the effects of a reply body in a file, by the current configuration and the contacts of HubSpot. */
export async function previewReply(terminal: Terminal, options: GlobalOptions, file: string) {
  const config = await readConfiguration(options.config, terminal.env);
  const text = await readTextFile(file).catch((error: unknown) => {
    throw new CommandError(`${file} cannot be read: ${describeSystemError(error)}. Correct the path`, exitCodes.usage);
  });
  const reply = parseReply(text);
  const { policy } = config.replies;
  const atReceipt = readRefusal(text, policy, reply).map(({ value }) => value);
  const nothing = { contact: null, note: false, task: false, lead_status: null };
  if (reply === null && atReceipt.length === 0)
    throw new CommandError(
      `${toPrintable(file)} is not the body of a reply webhook: it must be one JSON object with id, type, timestamp, test and data, as the service sends it. Save the body of a delivery; the receiver would quarantine this one as unreadable`,
    );
  const read = readReply(reply?.id ?? '', new Date().toISOString(), reply);
  const { classification, state, reason } = read;
  const common = { classification, state, reason, reply_at: read.replyAt };
  if (reply === null || state !== 'received' || !isReplyClass(classification))
    return { ...common, ...nothing, suppresses: atReceipt };
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openAnnouncedLedger(terminal, config, options), (opened) => opened.close());
  const hubspot = createConfiguredHubSpot(config.hubspot);
  const dependencies = { hubspot, ledger, now: () => new Date(), signal: new AbortController().signal };
  const judged = await judgeReply(dependencies, reply.data, classification);
  const contact = judged.reason === null ? judged.contact : null;
  const refusing = classification === 'do_not_contact' ? toRefusing(reply.data, contact) : [];
  const suppresses = [...new Set([...atReceipt, ...refusing])];
  if (judged.reason !== null) return { ...common, ...judged, ...nothing, suppresses };
  const weight = await foresee(ledger, policy, { ...judged, reply: { webhookId: reply.id, ...read } });
  const { note, task, leadStatus } = policy.classes[classification];
  return {
    ...common,
    state: judged.state,
    reason: weight.isSuppressed ? 'suppressed' : null,
    contact: contact?.id ?? null,
    note,
    task: task && !weight.isSuppressed && !weight.isSuperseded,
    lead_status: weight.isLeading ? leadStatus : null,
    suppresses,
  };
}

/** What the reply may do beside its note, if it were processed now. */
async function foresee(
  ledger: Ledger,
  { classes }: ReplyPolicy,
  { contact, replier, reply }: { contact: CrmRecord | null; replier: Replier; reply: DatedReply },
): Promise<ReplyWeight & { readonly isLeading: boolean }> {
  if (contact === null) return { isSuppressed: false, isSuperseded: false, isLeading: true };
  const others = (await ledger.replies.ofContact(contact.id)).filter(({ webhookId }) => webhookId !== reply.webhookId);
  const isSuppressed =
    reply.classification === 'do_not_contact' || (await isReplierSuppressed(ledger, { contact, replier }));
  const { leading } = standingOf<DatedReply>([...others, reply], { isSuppressed, classes });
  return { ...weigh(reply, isSuppressed, leading), isLeading: leading?.webhookId === reply.webhookId };
}

export function toPreviewText(preview: ReplyPreview): string {
  const { classification, state, reason, contact, note, task, lead_status: leadStatus, suppresses } = preview;
  if (state !== 'processed' && suppresses.length === 0)
    return `${classification}: ${state}${reason === null ? '' : ` (${reason})`}, changes nothing`;
  const noContact = reason === null ? 'none found; created for the prospect of the order' : `none (${reason})`;
  return [
    `${classification}: ${state}`,
    `  contact      ${contact === null ? noContact : `record ${contact}`}`,
    `  note         ${note ? 'yes' : 'no'}`,
    `  task         ${task ? 'yes' : 'no'}`,
    `  lead status  ${leadStatus ?? 'unchanged'}`,
    `  suppresses   ${suppresses.map(toPrintable).join(', ') || 'none'}`,
  ].join('\n');
}
