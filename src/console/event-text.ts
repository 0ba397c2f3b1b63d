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

export function toEventText(event: HistoryEvent): string {
  switch (event.kind) {
    case 'excluded':
      return toEntryText(event.entry);
    case 'not_ordered': {
      const { orderId, runName, sourceRow, exclusion, tier, entryId } = event.row;
      const row = sourceRow === null ? 'a company' : `row ${sourceRow} of the source`;
      return `${row}, left out of order ${orderId}${ofRun(runName)}: excluded:${exclusion}, by ${tier} of entry ${entryId}`;
    }
    case 'returned': {
      const { orderId, runName, position, status, reasonCodes } = event.row;
      const codes = reasonCodes.length === 0 ? '' : ` (${reasonCodes.join(', ')})`;
      return `row ${position} of order ${orderId}${ofRun(runName)}: ${status}${codes}`;
    }
    case 'outcome': {
      const { orderId, runName, position, item, pass, outcome, rule, recordId, matchedBy } = event.row;
      const place = `row ${position} of order ${orderId}${ofRun(runName)}, pass ${pass}`;
      const facts = [rule, recordId === null ? null : `record ${recordId}`, toMatchText(matchedBy)];
      return [`${item} ${outcome ?? 'open'}`, place, ...facts.filter((fact) => fact !== null && fact !== '')].join(
        ', ',
      );
    }
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
