/** Which domain stands for a company, and which stands only for those who host its page or its mailbox. */
import { parse } from 'tldts';
import { domainOf } from '../contract/index.ts';
import { builderDomains, builderNames, hostDomains, mailboxDomains, sharedNames } from './shared-domains.ts';

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
  const { domain, domainWithoutSuffix, isPrivate } = parse(host, { allowPrivateDomains: true });
  // A name that is itself a public suffix (co.uk, github.io), or a number, has no domain.
  if (domain === null) return null;
  const name = isPrivate === true ? '' : (domainWithoutSuffix ?? '');
  if (mailboxDomains.has(domain) || hostDomains.has(domain) || sharedNames.has(name)) return null;
  return builderDomains.has(domain) || builderNames.has(name) ? tenantOf(host, domain) : domain;
}

/** `acme.jimdofree.com` of `shop.acme.jimdofree.com`; null for the builder itself. */
function tenantOf(host: string, domain: string): string | null {
  const tenant = host.slice(0, -domain.length).split('.').at(-2);
  return tenant === undefined || tenant === '' ? null : `${tenant}.${domain}`;
}
