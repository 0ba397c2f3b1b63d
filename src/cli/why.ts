/** `why`: everything that the ledger knows of a company or a person, in the order of time. */
import type { HistoryEvent, HistoryQuery, KnownEntry } from '../ledger/company-history.ts';
import { addressKey } from '../ledger/identity.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { TraceQuery } from '../ledger/outcome-queries.ts';
import { unwrapAddress } from '../ledger/redaction/identifiers.ts';
import { readRecordLink } from '../hubspot/record-link.ts';
import { hostOf } from '../service/contract/website-domain.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import type { GlobalOptions } from './configuration.ts';
import { withLedger } from './data-folder.ts';
import { excludedRule, toExcludedRowDocument } from './documents/blacklists-document.ts';
import { toRowDocument } from './documents/order-document.ts';
import { toRowText } from './order-rows.ts';
import { findSubject } from './subject.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** Names that a part of a name is completed to. */
const mostNames = 10;

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

/** `what`: a domain or web address, an email address, a record of HubSpot or its address, an external id, or the name of a company. */
async function findHistory(
  { companyHistory, companyIndex }: Pick<Ledger, 'companyHistory' | 'companyIndex'>,
  what: string,
): Promise<HistoryEvent[]> {
  const query = toHistoryQuery(what);
  const events = (await companyHistory(query)).filter(isOfRecord(what));
  if (events.length > 0 || query.name === null) return events;
  const names = await companyIndex.namesFrom(query.name, 2);
  return names.length === 1 ? companyHistory({ ...query, name: names[0] ?? null }) : [];
}

/** A company and a contact may have the same record id, and the contacts of a row have its external id. */
function isOfRecord(what: string): (event: HistoryEvent) => boolean {
  const link = readRecordLink(what);
  return (event) =>
    link === null || event.kind !== 'outcome' || (event.row.item === 'company') === (link.object === 'companies');
}

function toHistoryQuery(what: string): HistoryQuery {
  const link = readRecordLink(what);
  if (link !== null) return { traces: [{ recordId: link.id }], subject: null, name: null };
  const word = unwrapAddress(what);
  // A web address may contain an @ in its path.
  const isEmail = /^[^/]+@/.test(word);
  const domain = isEmail ? null : hostOf(word);
  const traces: TraceQuery[] = [
    ...(isEmail ? [{ contactKey: addressKey(word) }] : []),
    ...(domain === null ? [] : [{ matchKey: domain }]),
    ...(/^\d+$/.test(word) ? [{ recordId: word }] : []),
    { externalId: what.trim() },
  ];
  return { traces, subject: findSubject(what), name: isEmail || domain !== null ? null : what };
}

async function describeUnknown({ companyIndex }: Ledger, what: string): Promise<string> {
  const { name } = toHistoryQuery(what);
  const names = name === null ? [] : await companyIndex.namesFrom(name, mostNames + 1);
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
      const at = (event.at ?? '').slice(0, 16).replace('T', ' ').padEnd(16);
      return `${at}  ${words[event.kind].padEnd(13)} ${toPrintable(toEventText(event))}`.trimEnd();
    })
    .join('\n');
}

const words: Readonly<Record<HistoryEvent['kind'], string>> = {
  excluded: 'excluded',
  not_ordered: 'not ordered',
  returned: 'returned',
  outcome: 'HubSpot',
  replied: 'replied',
  suppressed: 'suppressed',
  suppression_removed: 'allowed again',
  forgotten: 'forgotten',
};

function toEventText(event: HistoryEvent): string {
  switch (event.kind) {
    case 'excluded':
      return toEntryText(event.entry);
    case 'not_ordered': {
      const { orderId, runName, sourceRow, exclusion, tier, entryId } = event.row;
      const row = sourceRow === null ? 'a company' : `row ${sourceRow} of the source`;
      return `${row}, left out of order ${orderId}${ofRun(runName)}: ${excludedRule}:${exclusion}, by ${tier} of entry ${entryId}`;
    }
    case 'returned': {
      const { orderId, runName, position, status, reasonCodes } = event.row;
      const codes = reasonCodes.length === 0 ? '' : ` (${reasonCodes.join(', ')})`;
      return `row ${position} of order ${orderId}${ofRun(runName)}: ${status}${codes}`;
    }
    case 'outcome':
      return `pass ${event.row.pass} of order ${event.row.orderId}: ${toRowText(event.row).trimStart()}`;
    case 'replied': {
      const { webhookId, classification, state } = event.reply;
      return `${classification ?? 'unknown class'}, ${state}: prospect-sync replies show ${webhookId}`;
    }
    case 'suppressed':
    case 'suppression_removed':
      return `by ${event.by}: ${event.reason}`;
    case 'forgotten':
    default:
      return '';
  }
}

function toEntryText({ entryId, exclusion, blacklistId, lastSeenAt, ...entry }: KnownEntry): string {
  const of = exclusion === null ? `blacklist ${blacklistId}` : `exclusion ${exclusion}`;
  const { company_name: name, website_url: website, city, external_id: externalId, reason } = entry;
  const facts = [
    JSON.stringify(name),
    website,
    city,
    externalId === null ? null : `external id ${externalId}`,
    reason === null ? null : `reason ${JSON.stringify(reason)}`,
  ];
  const known = facts.filter((fact) => fact !== null && fact !== '').join(', ');
  return `by ${of}, entry ${entryId}: ${known}; last seen ${lastSeenAt.slice(0, 10)}`;
}

function ofRun(runName: string | null): string {
  return runName === null ? '' : ` of ${runName}`;
}
