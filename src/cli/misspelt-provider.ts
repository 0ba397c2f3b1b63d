import { distance } from 'fastest-levenshtein';
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
  return providers.find((provider) => provider !== domain && isNear(domain, provider)) ?? null;
}

function isNear(domain: string, provider: string): boolean {
  if (distance(domain, provider) === 1) return true;
  if (domain.length !== provider.length) return false;
  let at = 0;
  while (domain[at] === provider[at]) at += 1;
  const swapped = `${provider.slice(0, at)}${provider[at + 1] ?? ''}${provider[at] ?? ''}${provider.slice(at + 2)}`;
  return domain === swapped;
}
