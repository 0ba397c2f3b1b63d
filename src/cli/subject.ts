/** The person or company that a command is about. */
import { readRecordLink } from '../hubspot/record-link.ts';
import { toIdentifier, type Identifier } from '../ledger/redaction/identifiers.ts';
import { CommandError, exitCodes } from './terminal.ts';

/** null for anything but one email address or domain. The domain in the address of a HubSpot record is that of HubSpot. */
export function findSubject(text: string): Identifier | null {
  return readRecordLink(text) === null ? toIdentifier(text) : null;
}

/** `*@acme.example`, `%@acme.example`, `@acme.example` and `*.acme.example` are meant for everybody at a company. */
export function isPattern(text: string): boolean {
  return /^\s*[*%@]/.test(text);
}

export const domainRemedy = 'Write the domain alone, such as firm.example: it stands for everybody there';

/** @throws {CommandError} for anything but one email address or the domain of one company */
export function toSubject(text: string): Identifier {
  const identifier = findSubject(text);
  if (identifier !== null) return identifier;
  throw new CommandError(
    `The argument must be one email address, or the domain of one company (not of a mailbox provider). ${isPattern(text) ? domainRemedy : 'Run the command once for each'}`,
    exitCodes.usage,
  );
}
