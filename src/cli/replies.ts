/** Shows what was received, and processes a reply again. */
import { createConfiguredHubSpot } from '../worker/configured-clients.ts';
import { startReply } from '../worker/start-workflows.ts';
import type { handleReply } from '../../workflows/handle-reply.ts';
import type { ReplyRow } from '../ledger/reply-store.ts';
import { replyStates } from '../ledger/inbox-rows.ts';
import { replyClassifications } from '../service/contract/index.ts';
import { isReplyClass, standingOf, type DatedReply, type ReplyPolicy } from '../config/reply-policy.ts';
import { isReplierSuppressed, weigh, type ReplyWeight } from '../replies/contact-state.ts';
import { judgeReply, toRefusing } from '../replies/judge-reply.ts';
import type { Replier } from '../replies/reply-content.ts';
import type { CrmRecord } from '../hubspot/hubspot-record.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { parseReply, readReply, type QuarantineReason, type ReadReply } from '../replies/read-reply.ts';
import { toSuppressed } from '../replies/refusal.ts';
import { toReplyWorkflowId } from '../temporal/workflow-ids.ts';
import { toPrintable, toPrintableLines } from '../base/text/printable-text.ts';
import { readConfiguration, reasonOf, type GlobalOptions } from './configuration.ts';
import { toKnownWord } from './known-word.ts';
import { openAnnouncedLedger, withLedger } from './data-folder.ts';
import { readTextFile } from '../base/host/read-text-file.ts';
import { awaitResult } from './await-workflow.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';
import { withRuntime } from './with-runtime.ts';

export interface ReplyListFlags {
  readonly state?: string;
  readonly class?: string;
  readonly since?: string;
}

type ListedReply = Omit<ReplyRow, 'body'>;

export async function listReplies(
  terminal: Terminal,
  options: GlobalOptions,
  { state, class: classification, since }: ReplyListFlags,
): Promise<ListedReply[]> {
  const filter = {
    state: state === undefined ? undefined : toKnownWord('--state', replyStates, state),
    classification,
    since: toDay(since),
  };
  return withLedger(terminal, options, async ({ replies }) => {
    if (classification !== undefined)
      toKnownWord(
        '--class',
        [...new Set([...replyClassifications, ...(await replies.classifications())])],
        classification,
      );
    return replies.list(filter);
  });
}

export async function showReply(terminal: Terminal, options: GlobalOptions, webhookId: string): Promise<ReplyRow> {
  const reply = await withLedger(terminal, options, ({ replies }) => replies.get(webhookId));
  if (reply === undefined) throw unknownReply(webhookId);
  return reply;
}

/** Processes a reply again, and waits for the result. */
export async function replayReply(terminal: Terminal, options: GlobalOptions, webhookId: string) {
  const config = await readConfiguration(options.config, terminal.env);
  const { result } = await withRuntime(
    terminal,
    config,
    options,
    {
      needed: ['crm'],
      async prepare({ ledger }) {
        const reply = await ledger.replies.get(webhookId);
        if (reply === undefined) throw unknownReply(webhookId);
        return { reply, read: readAgain(reply) };
      },
    },
    async ({ client, queue, ledger }, { reply, read }) => {
      if (!(await ledger.replies.reopen(webhookId, read)))
        throw new CommandError(
          `Reply ${webhookId} was erased meanwhile, so it cannot be processed again. Nothing was changed`,
        );
      await startReply(client, { ...reply, ...read }, queue);
      const handle = client.workflow.getHandle<typeof handleReply>(toReplyWorkflowId(webhookId));
      return awaitResult(terminal, client, webhookId, handle);
    },
  );
  const { state, reason, contact, note, task, stayRemoved } = result;
  const words = [
    state,
    reason ?? '',
    `contact ${contact ?? 'none'}`,
    `note ${note ?? 'none'}`,
    `task ${task ?? 'none'}`,
  ];
  const lines = [
    words.filter((word) => word !== '').join(', '),
    ...(stayRemoved > 0
      ? [
          'Not suppressed again: the suppression by this reply was removed later, and stays removed. To suppress again, run: prospect-sync suppressions add EMAIL-OR-DOMAIN --reason TEXT',
        ]
      : []),
  ];
  return { report: result, text: lines.join('\n') };
}

export type ReplyPreview = Awaited<ReturnType<typeof previewReply>>;

/** Previews the effects of a reply body in a file, by the current configuration and the contacts of HubSpot. */
export async function previewReply(terminal: Terminal, options: GlobalOptions, file: string) {
  const config = await readConfiguration(options.config, terminal.env);
  const text = await readTextFile(file).catch((error: unknown) => {
    throw new CommandError(`The file cannot be read: ${file}: ${reasonOf(error)}. Correct the path`, exitCodes.usage);
  });
  const reply = parseReply(text);
  if (reply === null)
    throw new CommandError(
      `${toPrintable(file)} is not the body of a reply webhook: it must be one JSON object with id, type, timestamp, test and data, as the service sends it. Save the body of a delivery; the receiver would quarantine this one as unreadable`,
    );
  const read = readReply(reply.id, new Date().toISOString(), text);
  const { policy } = config.replies;
  const { classification, state, reason } = read;
  const common = { classification, state, reason, reply_at: read.replyAt };
  if (state !== 'received' || !isReplyClass(classification))
    return { ...common, contact: null, note: false, task: false, lead_status: null, suppresses: [] };
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openAnnouncedLedger(terminal, config, options), (opened) => opened.close());
  const hubspot = createConfiguredHubSpot(config.hubspot);
  const dependencies = { hubspot, ledger, now: () => new Date(), signal: new AbortController().signal };
  const judged = await judgeReply(dependencies, reply.data, classification);
  const contact = judged.reason === null ? judged.contact : null;
  const isRefusal = classification === 'do_not_contact';
  const refusing = isRefusal ? toRefusing(reply.data, contact) : [];
  const suppressed = isRefusal ? toSuppressed(reply.data, policy) : [];
  const suppresses = [...new Set([...suppressed.map(({ value }) => value), ...refusing])];
  if (judged.reason !== null)
    return { ...common, ...judged, contact: null, note: false, task: false, lead_status: null, suppresses };
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

/** Codes, times and ids of HubSpot: no personal data. */
export function toReplyDocument(reply: ListedReply) {
  const { webhookId, receivedAt, state, reason, classification, replyAt, campaignId, deliveries } = reply;
  return {
    webhook_id: webhookId,
    received_at: receivedAt,
    state,
    reason,
    classification,
    reply_at: replyAt,
    campaign_id: campaignId,
    deliveries,
    contact_id: reply.contactId,
    note_id: reply.noteId,
    task_id: reply.taskId,
    suppressed_at: reply.suppressedAt,
    suppression_seconds: secondsToSuppression(reply),
    finished_at: reply.finishedAt,
  };
}

export function toReplyText(reply: ListedReply): string {
  const { webhookId, receivedAt, state, reason, classification, deliveries, contactId } = reply;
  const seconds = secondsToSuppression(reply);
  const words = [
    receivedAt.slice(0, 19),
    (classification ?? 'unreadable').padEnd(15),
    state.padEnd(11),
    reason ?? '',
    contactId === null ? '' : `contact ${contactId}`,
    seconds === null ? '' : `suppressed after ${seconds} s`,
    deliveries === 1 ? '' : `${deliveries} deliveries`,
    webhookId,
  ];
  return words
    .filter((word) => word !== '')
    .map(toPrintable)
    .join('  ');
}

/** Includes the personal data of the reply. */
export function toShownDocument(reply: ReplyRow) {
  return { ...toReplyDocument(reply), body: reply.body === null ? null : (parseReply(reply.body) ?? reply.body) };
}

export function toShownText(reply: ReplyRow): string {
  const parsed = reply.body === null ? null : parseReply(reply.body);
  const lines = Object.entries(parsed?.data ?? {}).map(
    ([name, value]) => `  ${name.padEnd(22)} ${toPrintableLines(String(value))}`,
  );
  // A person reads what the program cannot.
  const unread = ['  (unreadable)', `  ${toPrintableLines(reply.body ?? '')}`];
  const rest = reply.body === null ? ['  (erased)'] : lines.length > 0 ? lines : unread;
  return [toReplyText(reply), ...rest].join('\n');
}

function secondsToSuppression({ receivedAt, suppressedAt }: ListedReply): number | null {
  return suppressedAt === null ? null : (Date.parse(suppressedAt) - Date.parse(receivedAt)) / 1_000;
}

function toDay(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw new CommandError(`--since must be a day such as 2026-11-20, found ${JSON.stringify(text)}`, exitCodes.usage);
}

/**
 * Reads the stored text again: this version may understand what an earlier one did not.
 * @throws {CommandError} for a test sample, a reply whose text is not in the ledger, and one that is still quarantined
 */
function readAgain({ webhookId, receivedAt, state, reason, body }: ReplyRow): ReadReply {
  if (state === 'test')
    throw new CommandError(`Reply ${webhookId} is a test sample, which changes nothing`, exitCodes.usage);
  if (body !== null) {
    const read = readReply(webhookId, receivedAt, body);
    if (read.state === 'received') return read;
    throw new CommandError(
      `Reply ${webhookId} cannot be processed: it is still ${read.state} (${read.reason}). Nothing was changed. To see its text, run: prospect-sync replies show ${webhookId}`,
    );
  }
  const why = missingBodies.get(reason) ?? 'its text was erased, by `forget` or after the retention period';
  throw new CommandError(`Reply ${webhookId} cannot be processed again: ${why}. Nothing was changed`);
}

const missingBodies: ReadonlyMap<string | null, string> = new Map([
  ['forgotten', 'it names a person or company that was forgotten, so its text was erased'],
  ['too_large' satisfies QuarantineReason, 'its text is larger than 1 MiB and was not stored'],
]);

function unknownReply(webhookId: string): CommandError {
  return new CommandError(
    `Reply ${JSON.stringify(webhookId)} is not in the ledger. List the replies: prospect-sync replies list`,
  );
}
