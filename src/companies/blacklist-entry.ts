/** CRM companies and rows of files as blacklist entries. */
import { describeViolation, domainOf, entryInputSchema, violations, type EntryInput } from '../contract/index.ts';
import { ownDomain } from '../mapping/own-domain.ts';
import type { FieldValues } from '../mapping/source-columns.ts';

/** CRM properties that an entry is made of. */
export const exclusionProperties = ['name', 'domain', 'website', 'city', 'country'] as const;

interface CrmCompany {
  readonly id: string;
  readonly properties: Readonly<Record<string, string | null>>;
}

/** null for a company that has neither name nor domain: nothing could match it. The record id is the external id. */
export function toEntryFromCrm({ id, properties }: CrmCompany, reason: string | null): EntryInput | null {
  // HubSpot keeps the domain clean; a website may be a page at a network, which would exclude all who have one there.
  const website = [properties['domain'], properties['website']].find((address) => ownDomain(address) !== null);
  const name = properties['name']?.trim() || domainOf(website);
  if (!name) return null;
  return {
    company_name: name,
    ...given({ website_url: toWebsiteUrl(website), city: properties['city'], country: properties['country'], reason }),
    external_id: id,
  };
}

/** A row of a file, by field. */
export function toEntryFromFile(row: FieldValues, reason: string | null): EntryInput {
  return {
    company_name: row.company_name?.trim() ?? '',
    ...given({
      website_url: toWebsiteUrl(row.website_url),
      city: row.city,
      country: row.country,
      external_id: row.external_id,
      reason: row.reason || reason,
    }),
  };
}

/** True where the address only lacks the beginning that the service wants, or spells it in capitals. */
export function isMended(address: string | null | undefined): boolean {
  const text = address?.trim();
  return Boolean(text) && toWebsiteUrl(text) !== text;
}

/** What the contract has against an entry, in words without its values; empty when nothing. */
export function entryProblems(entry: EntryInput): string[] {
  return violations(entryInputSchema, entry).map(describeViolation);
}

/** A bare domain gets a scheme, a mailbox gives its domain alone; what has a foreign scheme stays, and is refused by the contract. */
function toWebsiteUrl(text: string | null | undefined): string | null {
  const address = text?.trim();
  if (!address) return null;
  if (!knownBeginning.test(address) && !address.includes('://')) return `https://${address.replace(mailbox, '')}`;
  return address.replace(knownBeginning, (beginning) => beginning.toLowerCase());
}

/** `websiteUrlPattern` as people and a CRM write it; the service takes lower case only (A46). */
const knownBeginning = /^(?:https?:\/\/|www\.)/i;

/** Before the domain; an `@` in a path is none. */
const mailbox = /^[^/@]*@/;

function given<K extends string>(fields: Record<K, string | null | undefined>): Partial<Record<K, string>> {
  const result: Partial<Record<K, string>> = {};
  for (const key in fields) {
    const value = fields[key]?.trim();
    if (value) result[key] = value;
  }
  return result;
}
