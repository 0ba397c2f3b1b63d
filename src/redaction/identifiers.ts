/** Identifiers of people and companies: by these a forgotten person is recognised, in whatever field they are sent. */
import { trimEndOf } from '../text/normalize-text.ts';
import { cleanText } from '../text/clean-text.ts';
import { ownDomain } from '../mapping/website-domain.ts';

/**
 * `email` and `domain` in lower case; `linkedin`: the path of a profile; `name`: a full name in lower case, `@`, and the domain of the
 * company.
 */
export interface Identifier {
  readonly kind: 'email' | 'domain' | 'linkedin' | 'name';
  readonly value: string;
}

export type IdentifierTest = (identifier: Identifier) => boolean;

/** The same for equal identifiers only. */
export function identifierText({ kind, value }: Identifier): string {
  return `${kind} ${value}`;
}

/** Passes these identifiers. */
export function toIdentifierTest(identifiers: readonly Identifier[]): IdentifierTest {
  const texts = new Set(identifiers.map(identifierText));
  return (identifier) => texts.has(identifierText(identifier));
}

/** DNS and RFC 5321 know no longer ones. */
const longestAddress = 320;
const longestUrl = 2_000;

/** An email address or a domain, as a user gives it. @returns null for anything else, and for the domain of a mailbox provider */
export function toIdentifier(text: string): Identifier | null {
  const word = cleanText(text);
  if (word.includes('@')) {
    const email = toEmail(word);
    return email === null ? null : { kind: 'email', value: email };
  }
  const domain = word.length > longestUrl || /\s/.test(word) ? null : ownDomain(word);
  return domain === null ? null : { kind: 'domain', value: domain };
}

/** Email addresses and LinkedIn profiles in a text. Texts without any are passed quickly. */
export function personIdentifiersIn(text: string): Identifier[] {
  const hasProfile = text.includes('inkedin.') || text.includes('INKEDIN.');
  if (!text.includes('@') && !hasProfile) return [];
  return text.split(/[\s,;<>()[\]{}"'|]/).flatMap((word): Identifier[] => {
    const email = word.includes('@') ? toEmail(word.replace(/^mailto:/i, '')) : null;
    const profile = hasProfile ? toProfile(word) : null;
    return [
      ...(email === null ? [] : [{ kind: 'email', value: email } as const]),
      ...(profile === null ? [] : [{ kind: 'linkedin', value: profile } as const]),
    ];
  });
}

/** The domains that `acme.de` and `shop.acme.de` belong to, the host itself first. */
export function domainsOf(text: string): string[] {
  if (text.length > longestUrl || /\s/.test(text.trim())) return [];
  const host = ownDomain(text.slice(text.lastIndexOf('@') + 1));
  if (host === null) return [];
  const labels = host.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}

/** True when the identifier, or the domain of its address, passes the test. */
export function passes({ kind, value }: Identifier, test: IdentifierTest): boolean {
  if (test({ kind, value })) return true;
  return kind === 'email' && hasDomain(value, test);
}

/** True when the text is an address or a website at a domain that passes the test. */
export function hasDomain(text: string, test: IdentifierTest): boolean {
  return domainsOf(text).some((value) => test({ kind: 'domain', value }));
}

export function toNameIdentifier(name: string, domain: string): Identifier {
  return { kind: 'name', value: `${comparableText(name)}@${domain}` };
}

export function comparableText(text: string): string {
  return text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
}

function toEmail(word: string): string | null {
  const address = trimEndOf(word.trim().toLowerCase(), '.');
  if (address.length > longestAddress) return null;
  const parts = address.split('@');
  const [name = '', host = ''] = parts;
  const isAddress = parts.length === 2 && name !== '' && !/\s/.test(address) && /^[^.].*\.[^.]+$/.test(host);
  return isAddress ? address : null;
}

/** `in/jane-doe` of any spelling of the address; null for pages of companies. */
function toProfile(word: string): string | null {
  if (word.length > longestUrl) return null;
  const text = word.toLowerCase();
  const at = text.indexOf('linkedin.com/');
  if (at < 0) return null;
  const [path = ''] = text.slice(at + 'linkedin.com/'.length).split(/[?#]/, 1);
  const [section = '', name = ''] = path.split('/').filter((part) => part !== '');
  return (section === 'in' || section === 'pub') && name !== '' ? `${section}/${name}` : null;
}
