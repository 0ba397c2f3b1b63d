/** Decides whether a text is the web address of a company. */
import { parse } from 'tldts';
import { domainOf } from '../../service/contract/index.ts';
import { isPlaceholderHost, ownDomain } from '../../service/contract/website-domain.ts';

/** Names for tests and examples (RFC 2606, RFC 6761), which no registry has. */
const reservedNames: ReadonlySet<string> = new Set(['example', 'test', 'invalid', 'localhost']);

/** `https://user:secret@acme.de`; the part in front of the `@` of an email address is no secret. */
const credentials = /^(?:[a-z][a-z0-9+.-]{0,20}:\/\/|www\.)[^/?#\\]*@/i;

/** What is wrong with an address, without the address; null for the address of one website. */
export function findWebsiteProblem(address: string): string | null {
  if ((address.match(/@/g)?.length ?? 0) > 1)
    return 'several email addresses; write the website of the company, or leave the cell empty';
  if (credentials.test(address.trim())) return 'a user name or a password is in the address; remove it';
  if (hasSeveralAddresses(address)) return 'several web addresses in one cell; keep one of them';
  const host = domainOf(address);
  if (host === null || !/^[a-z0-9._-]+$/.test(host))
    return 'not a valid web address, for example www.example.com; leave the cell empty if there is none';
  return hasKnownSuffix(host)
    ? null
    : 'not under a known ending such as .com or .de; correct the address, or leave the cell empty if there is none';
}

/** Whether an address belongs to a mailbox provider or a shared host. A text that is no address does not: it is a problem of the row. */
export function isSharedAddress(address: string | null | undefined): boolean {
  return Boolean(address) && findWebsiteProblem(address ?? '') === null && ownDomain(address) === null;
}

/** The sandbox fills its own results with `.example`, so that ending is missing here. */
const testDomain = /(?:^|\.)(?:example\.(?:com|net|org)|test|invalid|localhost)$/;

/** One `w` is the name of some hosts. */
const mistypedWww = /^(?:ww|w{4,})\.[^.]+\./;

/** Letters that look like those of another script, in one part of a host: a Cyrillic `а` in `аcme.de`. */
function hasMixedScripts(address: string): boolean {
  const [host = ''] = address.replace(/^[a-z]+:\/\//i, '').split(/[/?#]/, 1);
  return host
    .split('.')
    .some((part) => /\p{Script=Latin}/u.test(part) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(part));
}

/** The address of another site in an address, plain, encoded as `%3A` or `-3A`, or in Base64. */
const innerAddress = /[^a-z](?:https?(?::|%3a|-3a)|a1ahr0c)/i;

/** A link of a mail filter or a search engine, which leads to another site. */
function isRedirection(address: string): boolean {
  return innerAddress.test(address.slice(1));
}

/** Whether an address is valid, but hardly that of the company. */
export function isDoubtfulWebsite(address: string): boolean {
  const host = domainOf(address) ?? '';
  const isUnreal = testDomain.test(host) || isPlaceholderHost(host);
  return isUnreal || mistypedWww.test(host) || hasMixedScripts(address) || isRedirection(address);
}

export function hasKnownSuffix(host: string): boolean {
  if (reservedNames.has(host.slice(host.lastIndexOf('.') + 1))) return true;
  const { domain, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  return isPrivate === true || (isIcann === true && domain !== null);
}

function isAddress(text: string): boolean {
  const host = domainOf(text);
  return host !== null && hasKnownSuffix(host);
}

/** Enough to find a second address. A cell can have thousands of parts. */
const mostParts = 20;

/** A comma in the path of an address is no separator, unless an address with a prefix follows. */
function hasSeveralAddresses(text: string): boolean {
  const parts = text.split(/[\s,;|]+/, mostParts);
  const [first = '', ...others] = parts;
  if (others.length === 0 || !isAddress(first)) return false;
  const hasPath = /[^/]\/[^/]/.test(first) && !/\s/.test(text);
  return others.some((part) => (hasPath ? /^(?:https?:\/\/|www\.)/i.test(part) : true) && isAddress(part));
}
