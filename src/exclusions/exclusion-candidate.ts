/** Companies of the CRM and rows of files on their way to a blacklist: mended where that is safe, told where not. */
import { domainOf, type EntryInput } from '../contract/index.ts';
import { entryProblems, isMended, toEntryFromCrm, toEntryFromFile } from '../companies/blacklist-entry.ts';
import { ownDomain } from '../mapping/own-domain.ts';
import type { FieldValues } from '../mapping/source-columns.ts';

export interface Candidate {
  readonly entry: EntryInput;
  /** The address got the beginning that the service wants. */
  readonly mended: boolean;
  /** An address at a mailbox provider or shared host was left out: it would exclude all who have one there. */
  readonly sharedDomain: boolean;
  /** Its time is over: it is not wanted any more. */
  readonly expired: boolean;
  /** What speaks against it, in words without its values. */
  readonly problems: readonly string[];
}

type CrmCompany = Parameters<typeof toEntryFromCrm>[0];

/** null for a company that nothing could match. */
export function toCandidateFromCrm(company: CrmCompany, reason: string): Candidate | null {
  const entry = toEntryFromCrm(company, reason);
  if (entry === null) return null;
  const { domain, website } = company.properties;
  return {
    entry,
    // The CRM keeps bare domains; only an address that somebody typed can lack its beginning.
    mended: entry.website_url !== undefined && ownDomain(domain) === null && isMended(website),
    sharedDomain: entry.website_url === undefined && [domain, website].some((address) => domainOf(address) !== null),
    expired: false,
    problems: entryProblems(entry),
  };
}

export function toCandidateFromRow(row: FieldValues, { reason, now }: { reason: string; now: Date }): Candidate {
  const { website_url: address, ...rest } = row;
  const sharedDomain = domainOf(address) !== null && ownDomain(address) === null;
  const entry = toEntryFromFile(sharedDomain || address === undefined ? rest : row, reason);
  const expiry = expiryOf(row.expires_at);
  return {
    entry,
    mended: !sharedDomain && isMended(address),
    sharedDomain,
    expired: expiry !== null && expiry <= now.getTime(),
    problems: [
      ...entryProblems(entry),
      ...(Number.isNaN(expiry) ? ['expires_at: must be a date such as 2027-03-31, or a time with its zone'] : []),
    ],
  };
}

const date = /^\d{4}-\d{2}-\d{2}$/;
const timeWithZone = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;
const dayMilliseconds = 24 * 3_600_000;

/** A date counts to its end, in UTC; null without one, NaN for what is no date. */
function expiryOf(text: string | undefined): number | null {
  const value = text?.trim();
  if (!value) return null;
  if (timeWithZone.test(value)) return Date.parse(value);
  const start = date.test(value) ? Date.parse(value) : Number.NaN;
  // 2027-02-31 is read as a day of March by Date, and refused here.
  return Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== value
    ? Number.NaN
    : start + dayMilliseconds;
}
