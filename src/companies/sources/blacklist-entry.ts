/** CRM companies and rows of files as blacklist entries. */
import {
  describeViolation,
  domainOf,
  entryInputSchema,
  violations,
  type EntryInput,
} from '../../service/contract/index.ts';
import { ADDITIONAL_DOMAINS, additionalDomains } from '../../hubspot/hubspot-record.ts';
import { trimEndOf } from '../../base/text/normalize-text.ts';
import { findWebsiteProblem } from './website-problem.ts';
import { ownDomain } from '../../service/contract/website-domain.ts';
import type { FieldValues } from '../../base/spreadsheet/source-columns.ts';

/** CRM properties from which an entry is built. */
export const exclusionProperties = ['name', 'domain', 'website', 'city', 'country', ADDITIONAL_DOMAINS] as const;

interface CrmCompany {
  readonly id: string;
  readonly properties: Readonly<Record<string, string | null>>;
}

/** null for a company without name and domain: no prospect could match it. The record id becomes the external id. */
export function toEntryFromCrm({ id, properties }: CrmCompany, reason: string | null): EntryInput | null {
  // A website can be a page of a social network, which would exclude every company with a page there.
  const website = [properties['domain'], properties['website'], ...additionalDomains({ properties })].find(
    (address) => ownDomain(address) !== null,
  );
  const name = properties['name']?.trim() || domainOf(website);
  if (!name) return null;
  return {
    company_name: name,
    ...withoutEmptyTexts({
      website_url: toWebsiteUrl(website),
      city: properties['city'],
      country: properties['country'],
      reason,
    }),
    external_id: id,
  };
}

/**
 * The entries that exclude a company: the first has its domain or website, and there is one more for each other domain, because an entry
 * holds one address. Empty for a company without name and domain.
 */
export function toEntriesFromCrm(company: CrmCompany, reason: string | null): EntryInput[] {
  const entry = toEntryFromCrm(company, reason);
  if (entry === null) return [];
  const domains = additionalDomains(company).flatMap((address) => ownDomain(address) ?? []);
  const further = new Set(domains);
  further.delete(ownDomain(entry.website_url) ?? '');
  return [entry, ...[...further].map((domain) => ({ ...entry, website_url: `https://${domain}` }))];
}

/** `row`: the cells of a file by field name. */
export function toEntryFromFile(row: FieldValues, reason: string | null): EntryInput {
  return {
    company_name: row.company_name?.trim() ?? '',
    ...withoutEmptyTexts({
      website_url: toWebsiteUrl(row.website_url),
      city: row.city,
      country: row.country,
      external_id: row.external_id,
      reason: row.reason || reason,
    }),
  };
}

/** Whether the address gets the prefix that the service requires (`https://`, `http://` or `www.`, in lower case). */
export function isUrlCompleted(address: string | null | undefined): boolean {
  const text = address?.trim();
  return Boolean(text) && toWebsiteUrl(text) !== text;
}

/** Whether the address is that of a mailbox, of which only the domain is kept. */
export function isEmailAddress(address: string | null | undefined): boolean {
  const text = address?.trim() ?? '';
  return isWithoutPrefix(text) && localPart.test(text);
}

/** Violations of the contract, without values; empty for a valid entry. */
export function entryProblems(entry: EntryInput): string[] {
  return [...violations(entryInputSchema, entry).map(describeViolation), ...websiteProblems(entry)];
}

/** A website that is no address would leave a match by the name alone. */
export function websiteProblems({ website_url: website }: Pick<EntryInput, 'website_url'>): string[] {
  const problem = website ? findWebsiteProblem(website) : null;
  return problem === null ? [] : [`website_url: ${problem}`];
}

/** A bare domain gets `https://`, an email address is cut to its domain; another scheme stays, and the contract rejects it. */
function toWebsiteUrl(text: string | null | undefined): string | null {
  const address = withoutHostDots(text?.trim() ?? '');
  if (!address) return null;
  if (isWithoutPrefix(address)) return `https://${address.replace(localPart, '')}`;
  return address.replace(knownPrefix, (prefix) => prefix.toLowerCase());
}

function isWithoutPrefix(address: string): boolean {
  return !knownPrefix.test(address) && !address.includes('://');
}

/** `acme.example./shop` is `acme.example/shop`: the dot stands for the root of the names (RFC 1034, 3.1). */
function withoutHostDots(address: string): string {
  const scheme = address.indexOf('://');
  const start = scheme === -1 ? 0 : scheme + 3;
  const length = address.slice(start).search(/[/?#]/);
  const end = length === -1 ? address.length : start + length;
  return address.slice(0, start) + trimEndOf(address.slice(start, end), '.') + address.slice(end);
}

/** `websiteUrlPattern` in any case; the service accepts lower case only (A46). */
const knownPrefix = /^(?:https?:\/\/|www\.)/i;

/** The part of an email address up to `@`; an `@` in a path does not count. */
const localPart = /^[^/@]*@/;

function withoutEmptyTexts<K extends string>(fields: Record<K, string | null | undefined>): Partial<Record<K, string>> {
  const result: Partial<Record<K, string>> = {};
  for (const key in fields) {
    const value = fields[key]?.trim();
    if (value) result[key] = value;
  }
  return result;
}
