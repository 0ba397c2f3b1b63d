/** Identifiers of people and companies: by these a forgotten person is recognised, in whatever field they are sent. */
import { ownDomain } from '../../service/contract/website-domain.ts';
import { cleanText } from '../../base/text/clean-text.ts';
import { trimEndOf } from '../../base/text/normalize-text.ts';
import { addressesIn, hostsIn } from './find-addresses.ts';
import { toPlainText } from './plain-text.ts';
import { withAsciiHost } from '../identity.ts';

/**
 * `email` and `domain` in lower case; `linkedin`: the path of a profile; `name`: a full name in lower case, `@`, and the domain of the
 * company.
 */
export interface Identifier {
  readonly kind: 'email' | 'domain' | 'linkedin' | 'name';
  readonly value: string;
}

export type IdentifierTest = (identifier: Identifier) => boolean;

/** The same for equal identifiers only: `jane@münchen.example` and `jane@xn--mnchen-3ya.example` are equal. */
export function identifierText({ kind, value }: Identifier): string {
  return `${kind} ${kind === 'email' ? withAsciiHost(value) : value}`;
}

/** Returns a test that matches these identifiers. */
export function toIdentifierTest(identifiers: readonly Identifier[]): IdentifierTest {
  const texts = new Set(identifiers.map(identifierText));
  return (identifier) => texts.has(identifierText(identifier));
}

/** Maximum length (RFC 5321). */
const longestAddress = 320;
const longestUrl = 2_000;
/** Of one host: a host of hundreds of labels must not cost hundreds of digests. */
const mostDomains = 9;

/**
 * One email address or domain, as a user gives it; the address may be a link or stand in angle brackets.
 * @returns null for anything else, also for several addresses, and for the domain of a mailbox provider
 */
export function toIdentifier(text: string): Identifier | null {
  const word = unwrapAddress(toPlainText(cleanText(text)));
  if (word.includes('@')) {
    const email = oneAddress.test(word) ? toEmail(word) : null;
    return email === null ? null : { kind: 'email', value: email };
  }
  const domain = word.length > longestUrl || /\s/.test(word) ? null : ownDomain(word);
  return domain === null ? null : { kind: 'domain', value: domain };
}

/** `jane@acme.example` of `<jane@acme.example>` and of `mailto:jane@acme.example?subject=x`; any other text is only trimmed. */
export function unwrapAddress(text: string): string {
  const word = text.trim().replace(/^<([^<>]*)>$/, '$1');
  return /^mailto:/i.test(word) ? word.slice('mailto:'.length).replace(/\?.*$/s, '') : word;
}

/** Only a quoted local part may contain separators (RFC 5321, 4.1.2). `*` and a local part without a letter or digit, such as `%`, are patterns and no addresses. */
const oneAddress = /^(?:"[^"]*"|(?=[^@]*[\p{L}\p{N}])[^\s"(),:;<>[\]\\*]+)@[\p{L}\p{N}\p{M}.-]+$/u;

/** Email addresses and LinkedIn profiles in a running text, each in its most likely reading. Linear time. */
export function personIdentifiersIn(text: string): Identifier[] {
  const plain = toPlainText(text);
  const mostLikely = Array.from(addressesIn(plain), ([first]) => first);
  return [...toEmails(mostLikely), ...profilesIn(plain)];
}

/** True when an address or profile in the running text, in any reading, or the domain of an address, passes the test. Linear time. */
export function namesPerson(text: string, test: IdentifierTest): boolean {
  const plain = toPlainText(text);
  for (const readings of addressesIn(plain))
    if (toEmails(readings).some((identifier) => passes(identifier, test))) return true;
  return profilesIn(plain).some((identifier) => passes(identifier, test));
}

/** The same, and for the domains in the text. */
export function namesAnyone(text: string, test: IdentifierTest): boolean {
  return namesPerson(text, test) || namesDomain(text, test);
}

/** True when a host in the running text, in any reading, belongs to a domain that passes the test. Linear time. */
function namesDomain(text: string, test: IdentifierTest): boolean {
  for (const readings of hostsIn(toPlainText(text))) if (readings.some((host) => hasDomain(host, test))) return true;
  return false;
}

/** The domains that `acme.de` and `shop.acme.de` belong to, the host itself first. */
export function domainsOf(text: string): string[] {
  if (text.length > longestUrl || /\s/.test(text.trim())) return [];
  const host = ownDomain(text.slice(text.lastIndexOf('@') + 1));
  if (host === null) return [];
  const labels = host.split('.');
  const domains = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
  return domains.length <= mostDomains ? domains : [host, ...domains.slice(-mostDomains + 1)];
}

/** True when the identifier, or the domain of its address, passes the test. */
export function passes({ kind, value }: Identifier, test: IdentifierTest): boolean {
  if (test({ kind, value })) return true;
  return kind === 'email' && hasDomain(value, test);
}

/** True when the text is an address or a website at a domain that passes the test. */
function hasDomain(text: string, test: IdentifierTest): boolean {
  return domainsOf(text).some((value) => test({ kind: 'domain', value }));
}

export function toNameIdentifier(name: string, domain: string): Identifier {
  return { kind: 'name', value: `${comparableIdentifier(name)}@${domain}` };
}

export function comparableIdentifier(text: string): string {
  return toPlainText(text).trim().replaceAll(/\s+/g, ' ');
}

function toEmail(word: string): string | null {
  const address = trimEndOf(word.trim().toLowerCase(), '.');
  if (address.length > longestAddress) return null;
  const parts = address.split('@');
  const [name = '', host = ''] = parts;
  const isAddress = parts.length === 2 && name !== '' && !/\s/.test(address) && /^[^.].*\.[^.]+$/.test(host);
  return isAddress ? address : null;
}

function toEmails(readings: readonly string[]): Identifier[] {
  return readings.flatMap((reading): Identifier[] => {
    const email = toEmail(reading);
    return email === null ? [] : [{ kind: 'email', value: email }];
  });
}

const profileHost = 'linkedin.com/';
const longestProfile = 300;

/** `in/jane-doe` of any spelling of the address; not the pages of companies. */
function profilesIn(plain: string): Identifier[] {
  const found: Identifier[] = [];
  for (let at = plain.indexOf(profileHost); at >= 0; at = plain.indexOf(profileHost, at + 1)) {
    const rest = plain.slice(at + profileHost.length, at + profileHost.length + longestProfile);
    const [path = ''] = rest.split(/[\s,;<>()[\]{}"'|?#*`\\]/, 1);
    const [section = '', name = ''] = path.split('/').filter((part) => part !== '');
    const profile = trimEndOf(name, '._~:!');
    if ((section === 'in' || section === 'pub') && profile !== '')
      found.push({ kind: 'linkedin', value: `${section}/${profile}` });
  }
  return found;
}
