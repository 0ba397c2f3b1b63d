/** Identity of companies and persons across orders and runs: one key, one CRM record. */
import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { trimEndOf } from '../base/text/normalize-text.ts';
import { comparableName, type Company, type Prospect } from '../service/contract/index.ts';
import { ownDomain, ownerOf } from '../service/contract/website-domain.ts';

/** The company's domain, or null when its website belongs to a mailbox provider or a shared site. */
export function companyDomain(company: Pick<Company, 'domain' | 'website_url'>): string | null {
  return ownDomain(company.domain) ?? ownDomain(company.website_url);
}

/** Domains to search for in the CRM, best first: the exact host, then the registered domain, so that shop.acme.de finds acme.de. */
export function adoptionDomains(company: Pick<Company, 'domain' | 'website_url'>): string[] {
  const host = companyDomain(company);
  if (host === null) return [];
  const owner = ownerOf(host);
  return owner === null || owner === host ? [host] : [host, owner];
}

/**
 * `prospect_sync_company_key`: the company's domain; without one the service's id; without that its name, city and country
 * as a digest. null when all of these are missing.
 */
export function companyKey(company: Company): string | null {
  const domain = companyDomain(company);
  if (domain !== null) return domain;
  if (company.id) return `id:${company.id}`;
  const [name = '', ...place] = [company.name, company.city, company.country].map((text) => comparableName(text ?? ''));
  return name === '' ? null : `name:${keyDigest([name, ...place].join('\n'))}`;
}

/**
 * `prospect_sync_contact_key`: a digest of the email address, so that the key is not personal data; without an address, a digest of the
 * company's key and the service's id of the person. null when both are missing.
 */
export function contactKey(prospect: Pick<Prospect, 'email' | 'id'>, company: Company): string | null {
  const email = contactEmail(prospect);
  if (email !== null) return addressKey(email);
  return prospect.id ? keyDigest(`${companyKey(company)}\n${prospect.id}`) : null;
}

/** The address as HubSpot stores it: trimmed and in lower case. */
export function contactEmail({ email }: Pick<Prospect, 'email'>): string | null {
  const address = email?.trim().toLowerCase();
  return address ? address : null;
}

/** The key of a person with this address, in any spelling. */
export function addressKey(email: string): string {
  return keyDigest(withAsciiHost(trimEndOf(email.trim().toLowerCase(), '.')));
}

const longestHost = 253;

/** `jane@xn--mnchen-3ya.example` of `jane@münchen.example`. */
export function withAsciiHost(address: string): string {
  const at = address.lastIndexOf('@');
  const host = address.slice(at + 1);
  // The conversion needs quadratic time for a long host.
  const ascii = host.length > longestHost || /^[\0-\x7f]*$/.test(host) ? '' : domainToASCII(host);
  return ascii === '' ? address : `${address.slice(0, at)}@${ascii}`;
}

function keyDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

const listingPrefix = 'legacy:';

/**
 * Stands for an order id in records that come from the legacy listing of a profile, which belongs to no order: `legacy:<prospect_search_id>`.
 */
export function toListingId(prospectSearchId: string): string {
  return `${listingPrefix}${prospectSearchId}`;
}

export function isListingId(orderId: string): boolean {
  return orderId.startsWith(listingPrefix);
}
