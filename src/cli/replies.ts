/** Shows what was received, and processes a reply again. */
import { describeMissingDay } from '../base/text/missing-day.ts';
import { restartAfterMs } from '../replies/start-replies.ts';
import { startReply } from '../worker/start-workflows.ts';
import type { handleReply } from '../../workflows/handle-reply.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { shortestIdPart } from '../ledger/named-orders.ts';
import { formatDateTime, formatTimestamp } from '../base/text/format-time.ts';
import { mostListed, type ReplyRow } from '../ledger/reply-store.ts';
import { replyStates } from '../ledger/inbox-rows.ts';
import { replyClassifications } from '../service/contract/index.ts';
import { findSparedSender } from '../replies/refusal.ts';
import {
  parseReply,
  readReply,
  readStoredReply,
  toReplyId,
  type QuarantineReason,
  type ReadReply,
} from '../replies/read-reply.ts';
import { toReplyWorkflowId } from '../temporal/workflow-ids.ts';
import { toPrintable, toPrintableLines } from '../base/text/printable-text.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { ambiguousBeginning, mostNamed, toKnownWord } from './known-word.ts';
import { withLedger } from './data-folder.ts';
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
    const found = await replies.list(filter);
    if (found.length === mostListed)
      terminal.say(
        `No more than the newest ${mostListed.toLocaleString('en')} replies are listed. Choose some with --state, --class or --since`,
        'warn',
      );
    return found;
  });
}

export interface ShownReply {
  readonly reply: ReplyRow;
  /** A sender whom the refusal does not suppress. */
  readonly spared: string | null;
}

export async function showReply(terminal: Terminal, options: GlobalOptions, what: string): Promise<ShownReply> {
  return withLedger(terminal, options, async (ledger, { replies }) => {
    const reply = await findReply(terminal, ledger, what);
    const data = readStoredReply(reply);
    return { reply, spared: data === null ? null : findSparedSender(data, replies.policy) };
  });
}

/** Processes a reply again, and waits for the result. */
export async function replayReply(terminal: Terminal, options: GlobalOptions, what: string) {
  const config = await readConfiguration(options.config, terminal.env);
  const { result } = await withRuntime(
    terminal,
    config,
    options,
    {
      needed: ['crm'],
      async prepare({ ledger }) {
        const reply = await findReply(terminal, ledger, what);
        return { reply, read: readAgain(reply) };
      },
    },
    async ({ client, queue, ledger }, { reply, read }) => {
      const { webhookId } = reply;
      const dueAt = new Date(Date.now() + restartAfterMs).toISOString();
      if (!(await ledger.replies.reopen(webhookId, read, dueAt)))
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
    formatTimestamp(receivedAt),
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
export function toShownDocument({ reply, spared }: ShownReply) {
  const body = parseReply(reply.body) ?? reply.body;
  return { ...toReplyDocument(reply), not_suppressed: spared, body };
}

export function toShownText({ reply, spared }: ShownReply): string {
  const parsed = parseReply(reply.body);
  const shown = parsed === null ? {} : { type: parsed.type, ...parsed.data };
  const lines = Object.entries(shown).map(([name, value]) => `  ${name.padEnd(22)} ${toPrintableLines(String(value))}`);
  // A person reads what the program cannot.
  const unread = ['  (unreadable)', `  ${toPrintableLines(reply.body ?? '')}`];
  const rest = reply.body === null ? ['  (erased)'] : lines.length > 0 ? lines : unread;
  const warning =
    spared === null
      ? []
      : [
          `${toPrintable(spared)} has sent this refusal from another domain than the prospect's, which can be forged, and is not suppressed by it. To suppress this address too, run: prospect-sync suppressions add ${toPrintable(spared)} --reason TEXT`,
        ];
  return [toReplyText(reply), ...rest, ...warning].join('\n');
}

function secondsToSuppression({ receivedAt, suppressedAt }: ListedReply): number | null {
  return suppressedAt === null ? null : (Date.parse(suppressedAt) - Date.parse(receivedAt)) / 1_000;
}

function toDay(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const missing = describeMissingDay(text);
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) && missing === '' ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw new CommandError(
    `--since must be a day such as 2026-11-20, found ${JSON.stringify(text)}${missing}`,
    exitCodes.usage,
  );
}

/**
 * Reads the stored text again: this version may understand what an earlier one did not.
 * @throws {CommandError} for a test sample, a reply whose text is not in the ledger, and one that is still quarantined
 */
function readAgain({ webhookId, receivedAt, state, reason, body }: ReplyRow): ReadReply {
  if (state === 'test')
    throw new CommandError(`Reply ${webhookId} is a test sample, which changes nothing`, exitCodes.usage);
  if (body !== null) {
    const read = readReply(webhookId, receivedAt, parseReply(body));
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

/** Of a webhook id, the beginning of one, or `last`: the newest reply. */
async function findReply(terminal: Terminal, { replies }: Pick<Ledger, 'replies'>, what: string): Promise<ReplyRow> {
  const named = await replies.get(toReplyId(what));
  if (named !== undefined) return named;
  const isPart = what === 'last' || what.length >= shortestIdPart;
  const found = isPart ? await replies.idsBeginning(what === 'last' ? '' : what, mostNamed) : { ids: [], total: 0 };
  const [id] = found.ids;
  const reply = id === undefined ? undefined : await replies.get(id);
  if (reply === undefined)
    throw new CommandError(
      `Reply ${JSON.stringify(what)} is not in the ledger. List the replies: prospect-sync replies list`,
    );
  if (found.total > 1 && what !== 'last') throw ambiguousBeginning(what, 'replies', found);
  terminal.say(
    `${toPrintable(what)} is reply ${reply.webhookId}, received ${formatDateTime(new Date(reply.receivedAt))}`,
  );
  return reply;
}
