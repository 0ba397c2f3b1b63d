import { distance } from 'fastest-levenshtein';
import { isSwapped } from '../base/text/suggestions.ts';
import { mailboxDomains } from '../service/contract/website-domain.ts';
import type { Identifier } from '../ledger/redaction/identifiers.ts';

/** Providers that people use most. A short name such as gmx.de is near to the domains of companies. */
const providers = [
  'gmail.com',
  'googlemail.com',
  'hotmail.com',
  'hotmail.de',
  'outlook.com',
  'outlook.de',
  'yahoo.com',
  'yahoo.de',
  'icloud.com',
  'freenet.de',
  't-online.de',
  'protonmail.com',
];

/** The mailbox provider that a domain, or the domain of an address, differs from by one letter or by two that are swapped. */
export function findMisspeltProvider({ kind, value }: Identifier): string | null {
  if (kind !== 'email' && kind !== 'domain') return null;
  const domain = value.slice(value.lastIndexOf('@') + 1);
  if (mailboxDomains.has(domain)) return null;
  return providers.find((provider) => distance(domain, provider) === 1 || isSwapped(provider, domain)) ?? null;
}
