/** Identity of companies and persons across orders and runs: one key, one CRM record. */
import { createHash } from 'node:crypto';
import { parse } from 'tldts';
import { domainOf, type Company, type Prospect } from '../contract/index.ts';

/** Mailbox providers: an address there says nothing about the company. */
const mailboxDomains = new Set([
  'aol.com',
  'gmail.com',
  'gmx.at',
  'gmx.ch',
  'gmx.de',
  'gmx.net',
  'googlemail.com',
  'hotmail.com',
  'icloud.com',
  'live.com',
  'mail.com',
  'me.com',
  'msn.com',
  'outlook.com',
  'proton.me',
  'protonmail.com',
  't-online.de',
  'web.de',
  'yahoo.com',
  'yahoo.de',
  'yandex.com',
  'zoho.com',
]);

/** Sites where many companies have a page each: the domain is the host's, not the company's. */
const hostDomains = new Set([
  'facebook.com',
  'github.com',
  'google.com',
  'instagram.com',
  'linkedin.com',
  'linktr.ee',
  'twitter.com',
  'x.com',
  'xing.com',
  'youtube.com',
]);

/** The domain that stands for the company, or null when its website belongs to a mailbox provider or a shared host. */
export function companyDomain(company: Pick<Company, 'domain' | 'website_url'>): string | null {
  return ownDomain(company.domain) ?? ownDomain(company.website_url);
}

/** The domain of an address, or null when it is that of a mailbox provider or of a host that many companies share. */
export function ownDomain(address: string | null | undefined): string | null {
  const host = domainOf(address);
  if (host === null) return null;
  const { domain } = parse(host, { allowPrivateDomains: true });
  const owner = domain ?? host;
  return mailboxDomains.has(owner) || hostDomains.has(owner) ? null : host;
}

/** `prospect_sync_company_key`: the company's domain; the service's id for a company that has none of its own. */
export function companyKey(company: Company): string {
  return companyDomain(company) ?? `id:${company.id}`;
}

/** `prospect_sync_contact_key`: a digest of the address, so that the key itself is no personal data. */
export function contactKey(prospect: Pick<Prospect, 'email'>): string | null {
  const email = contactEmail(prospect);
  return email === null ? null : createHash('sha256').update(email).digest('hex').slice(0, 32);
}

/** The address as HubSpot stores it: trimmed and in lower case. */
export function contactEmail({ email }: Pick<Prospect, 'email'>): string | null {
  const address = email?.trim().toLowerCase();
  return address ? address : null;
}
