/** The person or company that a command is about. */
import { findSubject, isUnknownDomain } from '../companies/sources/find-subject.ts';
import { readRecordLink } from '../hubspot/record-link.ts';
import { toIdentifier, type Identifier } from '../ledger/redaction/identifiers.ts';
import { kindWithoutOwner } from '../service/contract/website-domain.ts';
import { CommandError, exitCodes } from './terminal.ts';

/** `*@acme.example`, `%@acme.example`, `@acme.example` and `*.acme.example` are meant for everybody at a company. */
function isPattern(text: string): boolean {
  return /^\s*[*%@]/.test(text);
}

/** @throws {CommandError} for anything but one email address or the domain of one company */
export function toSubject(text: string): Identifier {
  const identifier = findSubject(text);
  if (identifier !== null) return identifier;
  throw new CommandError(
    `The argument must be one email address, or the domain of one company. ${subjectRemedies[findSubjectProblem(text)]}`,
    exitCodes.usage,
  );
}

/** What is wrong with a text that is no subject. */
export function findSubjectProblem(text: string): keyof typeof subjectRemedies {
  if (isPattern(text)) return 'pattern';
  if (readRecordLink(text) !== null) return 'link';
  const subjects = text.split(/[\s,;]+/).filter((word) => findSubject(word) !== null);
  if (subjects.length > 1) return 'several';
  if (text.includes('@')) return 'address';
  const identifier = toIdentifier(text);
  if (identifier !== null && isUnknownDomain(identifier)) return 'unknown';
  return /\s/.test(text.trim()) ? 'none' : kindWithoutOwner(text);
}

/** What to write instead. None quotes the text, which may be a person. */
export const subjectRemedies = {
  pattern: 'Write the domain alone, such as firm.example: it stands for everybody there',
  link: 'This is a link to a record of HubSpot: write the address or the domain that the record has',
  several: 'This names several: run the command once for each',
  address: 'Write the whole address and nothing else, such as jane@firm.example, without a name beside it',
  unknown:
    'No domain has this ending. For a person, write the email address, such as jane@firm.example; for a company, its domain',
  ending: 'Many domains have this ending: write the whole domain, such as firm.example',
  shared:
    'This domain is that of a mailbox provider, or of a site that many companies share: write the whole address of the person, or the domain of the company itself',
  none: 'This is neither an address nor a domain: write the email address of the person, such as jane@firm.example, or the domain of the company',
};
