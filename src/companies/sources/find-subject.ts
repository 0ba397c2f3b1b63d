/** The person or company that a text names. */
import { readRecordLink } from '../../hubspot/record-link.ts';
import { toIdentifier, type Identifier } from '../../ledger/redaction/identifiers.ts';
import { hasKnownSuffix } from './website-problem.ts';

/**
 * null for anything but one email address or domain. The domain in the address of a HubSpot record is that of HubSpot, and `Jane.Doe` is the
 * name of a person: no domain ends in `.doe`.
 */
export function findSubject(text: string): Identifier | null {
  const identifier = readRecordLink(text) === null ? toIdentifier(text) : null;
  return identifier !== null && isUnknownDomain(identifier) ? null : identifier;
}

export function isUnknownDomain({ kind, value }: Identifier): boolean {
  return kind === 'domain' && !hasKnownSuffix(value);
}
