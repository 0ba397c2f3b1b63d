/** Decides whether the host of a website looks like that of a company with this name. */
import { domainToUnicode } from 'node:url';
import { toHeaderKey } from '../../base/text/header-key.ts';
import { withoutMarks } from '../../base/text/normalize-text.ts';
import { ownDomain } from '../../service/contract/website-domain.ts';
import { withoutLegalForm } from './legal-form.ts';

/** Shorter words are in many hosts by chance, and count only as a whole part of the host. */
export const significantLength = 4;

/** What is compared of a row. */
export interface NameAndHost {
  readonly nameWords: readonly string[];
  /** null: without an own website. */
  readonly host: string | null;
}

/** The values of a row, or a company. */
export interface NameAndWebsite {
  readonly company_name?: string | undefined;
  readonly website_url?: string | null | undefined;
}

export function toNameAndHost({ company_name: name = '', website_url: website }: NameAndWebsite): NameAndHost {
  return { nameWords: toNameWords(name), host: ownDomain(website) };
}

/** `['alpha', 'maschinenbau']` of `Alpha Maschinenbau GmbH` */
function toNameWords(name: string): string[] {
  return toComparableWords(withoutLegalForm(name));
}

/** The parts of a host without its ending: `['shop', 'alpha', 'bau']` of `shop.alpha-bau.de` */
export function toHostParts(host: string): string[] {
  const readable = host.includes('xn--') ? domainToUnicode(host) : host;
  return toComparableWords(readable.slice(0, readable.lastIndexOf('.')));
}

/** Whether the host has the name, its initials, or a word of it. `isIgnored`: words that say nothing, because many names have them. */
export function isNameInHost(
  nameWords: readonly string[],
  hostParts: readonly string[],
  isIgnored: (word: string) => boolean = () => false,
): boolean {
  const host = hostParts.join('');
  const initials = nameWords.map((word) => word.charAt(0)).join('');
  return [...nameWords.filter((word) => !isIgnored(word)), nameWords.join(''), initials].some((word) =>
    word.length < significantLength ? word.length > 1 && hostParts.includes(word) : host.includes(word),
  );
}

function toComparableWords(text: string): string[] {
  return withoutMarks(toHeaderKey(text))
    .split('_')
    .filter((word) => word !== '');
}
