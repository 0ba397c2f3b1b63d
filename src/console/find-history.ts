/** What the ledger knows of a company or a person that a user names. */
import { findSubject } from '../companies/sources/find-subject.ts';
import { readRecordLink } from '../hubspot/record-link.ts';
import type { HistoryEvent, HistoryQuery } from '../ledger/company-history.ts';
import { addressKey } from '../ledger/identity.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { TraceQuery } from '../ledger/outcome-queries.ts';
import { unwrapAddress } from '../ledger/redaction/identifiers.ts';
import { hostOf } from '../service/contract/website-domain.ts';

/** Names that a part of a name is completed to. */
export const mostNames = 10;

/** `what`: a domain or web address, an email address, a record of HubSpot or its address, an external id, or the name of a company. */
export async function findHistory(
  { companyHistory, companyIndex }: Pick<Ledger, 'companyHistory' | 'companyIndex'>,
  what: string,
): Promise<HistoryEvent[]> {
  if (what.trim() === '') return [];
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

/** Names of companies that begin with the text, where it is neither an address nor a domain; one more than are to be shown. */
export async function findNames({ companyIndex }: Pick<Ledger, 'companyIndex'>, what: string): Promise<string[]> {
  const { name } = toHistoryQuery(what);
  return name === null || name.trim() === '' ? [] : companyIndex.namesFrom(name, mostNames + 1);
}
