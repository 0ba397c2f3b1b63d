/** Which domain stands for a company, and which stands only for those who host its page or its mailbox. */
import { parse } from 'tldts';
import { domainOf } from '../contract/index.ts';
import { hostDomains, mailboxDomains } from './shared-domains.ts';

/** The host of an address as the contract reads a domain, however many times `www.` stands before it; null where there is none. */
export function hostOf(address: string | null | undefined): string | null {
  const host = domainOf(address);
  return host?.startsWith('www.') ? hostOf(host) : host;
}

/** The domain of an address, or null when it is that of a mailbox provider or of a host that many companies share. */
export function ownDomain(address: string | null | undefined): string | null {
  const host = hostOf(address);
  return host === null || ownerOf(host) === null ? null : host;
}

/** The domain that somebody registered, or was given by a host: `acme.co.uk`, `acme.github.io`; null when it is nobody's own. */
export function ownerOf(host: string): string | null {
  // A name that is itself a public suffix (co.uk, github.io), or a number, has no domain.
  const { domain } = parse(host, { allowPrivateDomains: true });
  return domain === null || mailboxDomains.has(domain) || hostDomains.has(domain) ? null : domain;
}
