/** `why`: everything that the ledger knows of a company or a person, in the order of time. */
import type { HistoryEvent, KnownEntry } from '../ledger/company-history.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { eventWords, toEventText } from '../console/event-text.ts';
import { findHistory, findNames, mostNames } from '../console/find-history.ts';
import { formatTimestamp } from '../base/text/format-time.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import type { GlobalOptions } from './configuration.ts';
import { withLedger } from './data-folder.ts';
import { toExcludedRowDocument } from './documents/blacklists-document.ts';
import { toRowDocument } from './documents/order-document.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** @throws {CommandError} when the ledger knows nothing of it, or when several names begin with the text */
export async function why(terminal: Terminal, options: GlobalOptions, what: string): Promise<HistoryEvent[]> {
  return withLedger(terminal, options, async (ledger) => {
    const events = await findHistory(ledger, what);
    if (events.length === 0) throw new CommandError(await describeUnknown(ledger, what));
    if (events.some(({ kind }) => kind === 'forgotten'))
      terminal.say('It was forgotten: its rows have no key any more, and are not listed', 'warn');
    return events;
  });
}

async function describeUnknown(ledger: Ledger, what: string): Promise<string> {
  const names = await findNames(ledger, what);
  if (names.length === 0)
    return 'Not found in the ledger. why takes the domain or web address of a company, its name or the beginning of it, an email address, a HubSpot record id or the address of a record in HubSpot, or an external id. Check the spelling';
  const shown = names.slice(0, mostNames).map((found) => JSON.stringify(found));
  const more = names.length > mostNames ? ', and more' : '';
  return `Several companies have a name that begins so: ${shown.join(', ')}${more}. Write the whole name, or the domain`;
}

/** One event of `why --json`. */
export function toHistoryDocument(event: HistoryEvent) {
  const { kind, at } = event;
  switch (event.kind) {
    case 'excluded':
      return { kind, at, ...toEntryDocument(event.entry) };
    case 'not_ordered':
      return { kind, at, ...toExcludedRowDocument(event.row) };
    case 'returned': {
      const { orderId, runName, position, sourceRow, status, reasonCodes, externalId } = event.row;
      const row = { order_id: orderId, run: runName, position, source_row: sourceRow, external_id: externalId };
      return { kind, ...row, status, reason_codes: reasonCodes, at };
    }
    case 'outcome':
      return { kind, ...toRowDocument(event.row) };
    case 'replied': {
      const { webhookId, classification, state, contactId } = event.reply;
      return { kind, at, webhook_id: webhookId, classification, state, contact_id: contactId };
    }
    case 'suppressed':
    case 'suppression_removed':
      return { kind, at, by: event.by, reason: event.reason };
    case 'forgotten':
    default:
      return { kind, at };
  }
}

function toEntryDocument({ entryId, exclusion, blacklistId, lastSeenAt, ...entry }: KnownEntry) {
  const { company_name, website_url, city, external_id, reason } = entry;
  const place = { exclusion, blacklist_id: blacklistId, entry_id: entryId, last_seen_at: lastSeenAt };
  return { ...place, company_name, website_url, city, external_id, reason };
}

export function toHistoryText(events: readonly HistoryEvent[]): string {
  return events
    .map((event) => {
      const at = event.at === null ? '' : formatTimestamp(event.at);
      return `${at.padEnd('2026-11-23 09:15:30 UTC'.length)}  ${eventWords[event.kind].padEnd(13)} ${toPrintable(toEventText(event))}`.trimEnd();
    })
    .join('\n');
}
