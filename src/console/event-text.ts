/** The words of an event in the history of a company or a person. */
import type { HistoryEvent, KnownEntry } from '../ledger/company-history.ts';

export const eventWords: Readonly<Record<HistoryEvent['kind'], string>> = {
  excluded: 'excluded',
  not_ordered: 'not ordered',
  returned: 'returned',
  outcome: 'HubSpot',
  replied: 'replied',
  suppressed: 'suppressed',
  suppression_removed: 'allowed again',
  forgotten: 'forgotten',
};

/** By what a record was found; empty where none was searched. */
export function toMatchText(matchedBy: string | null): string {
  if (matchedBy === null) return '';
  return matchedBy === 'none' ? 'no record matched' : `by ${matchedBy}`;
}

/** `quoted`: a text of a user, a file or a system, which may name a person. */
export type EventPart = string | { readonly quoted: string };

export function toEventText(event: HistoryEvent): string {
  return toEventParts(event)
    .map((part) => (typeof part === 'string' ? part : part.quoted))
    .join('');
}

export function toEventParts(event: HistoryEvent): EventPart[] {
  switch (event.kind) {
    case 'excluded':
      return toEntryParts(event.entry);
    case 'not_ordered': {
      const { orderId, runName, sourceRow, exclusion, tier, entryId } = event.row;
      const row = sourceRow === null ? 'a company' : `row ${sourceRow} of the source`;
      return [
        `${row}, left out of order ${orderId}${ofRun(runName)}: excluded:${exclusion}, by ${tier} of entry ${entryId}`,
      ];
    }
    case 'returned': {
      const { orderId, runName, position, status, reasonCodes } = event.row;
      const codes = reasonCodes.length === 0 ? '' : ` (${reasonCodes.join(', ')})`;
      return [`row ${position} of order ${orderId}${ofRun(runName)}: ${status}${codes}`];
    }
    case 'outcome': {
      const { orderId, runName, position, item, pass, outcome, rule, recordId, matchedBy } = event.row;
      const place = `row ${position} of order ${orderId}${ofRun(runName)}, pass ${pass}`;
      const facts = [rule, recordId === null ? null : `record ${recordId}`, toMatchText(matchedBy)];
      const known = facts.filter((fact) => fact !== null && fact !== '');
      return [[`${item} ${outcome ?? 'open'}`, place, ...known].join(', ')];
    }
    case 'replied': {
      const { webhookId, classification, state } = event.reply;
      return [`${classification ?? 'unknown class'}, ${state}: prospect-sync replies show ${webhookId}`];
    }
    case 'suppressed':
    case 'suppression_removed':
      return [`by ${event.by}: `, { quoted: event.reason }];
    case 'forgotten':
    default:
      return [];
  }
}

function toEntryParts({ entryId, exclusion, blacklistId, lastSeenAt, ...entry }: KnownEntry): EventPart[] {
  const of = exclusion === null ? `blacklist ${blacklistId}` : `exclusion ${exclusion}`;
  const { company_name: name, website_url: website, city, external_id: externalId, reason } = entry;
  const company = [JSON.stringify(name), website, city].filter((fact) => fact !== null && fact !== '').join(', ');
  return [
    `by ${of}, entry ${entryId}: ${company}`,
    ...(externalId === null ? [] : [', external id ', { quoted: externalId }]),
    ...(reason === null ? [] : [', reason ', { quoted: JSON.stringify(reason) }]),
    `; last seen ${lastSeenAt.slice(0, 10)}`,
  ];
}

function ofRun(runName: string | null): string {
  return runName === null ? '' : ` of ${runName}`;
}
