/** Lists and changes suppressions. */
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { previewForget } from '../delivery/erasure/forget.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Identifier } from '../ledger/redaction/identifiers.ts';
import type { SuppressionRow } from '../ledger/suppression-lists.ts';
import { ownDomain } from '../service/contract/website-domain.ts';
import { writeCsv } from '../base/spreadsheet/csv-writer.ts';
import { formatTimestamp } from '../base/text/format-time.ts';
import { describeRows, toNamedRows } from '../base/text/named-rows.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import type { GlobalOptions } from './configuration.ts';
import { withLedger } from './data-folder.ts';
import { findMisspeltProvider } from './misspelt-provider.ts';
import { toSubject } from './subject.ts';
import { readSuppressionList } from './suppression-list.ts';
import { assertFreeTarget, type OverwriteFlags } from './target-file.ts';
import { CommandError, exitCodes, isConfirmed, type ConfirmationFlags, type Terminal } from './terminal.ts';

export interface SuppressionFlags {
  readonly reason: string;
  readonly by?: string;
}

type Options = GlobalOptions & SuppressionFlags;

const longestText = 500;
const toUnknownText = (kind: Identifier['kind']) =>
  `Nothing in the ledger has this ${kind === 'email' ? 'address' : 'domain'}; it is suppressed nevertheless. Check the spelling`;

export function listSuppressions(
  terminal: Terminal,
  options: GlobalOptions,
  filter: { readonly withRemoved: boolean },
): Promise<SuppressionRow[]> {
  return withLedger(terminal, options, ({ suppressions }) => suppressions.list(filter));
}

/**
 * @throws {CommandError} for anything but an address or the domain of one company, if it is not confirmed, and for the removal of a
 * suppression that there is not: the one that was meant continues
 */
export async function changeSuppression(
  terminal: Terminal,
  options: Options & ConfirmationFlags,
  { verb, who }: { readonly verb: 'add' | 'remove'; readonly who: string },
) {
  const identifier = toSubject(who);
  const change = toChange(options);
  return withLedger(terminal, options, async (ledger) => {
    const { suppressions } = ledger;
    const scope = await describeScope(ledger, identifier);
    const provider = verb === 'add' ? findMisspeltProvider(identifier) : null;
    if (provider !== null)
      terminal.say(`The domain looks like ${provider}; it is suppressed as it is written. Check the spelling`, 'warn');
    const question =
      verb === 'add'
        ? `Suppress ${toPrintable(identifier.value)}? ${effects[identifier.kind === 'email' ? 'email' : 'domain']}${scope === null ? '' : `. It is ${scope}`}.`
        : `End the suppression of ${toPrintable(identifier.value)}? It may be bought and written to again.`;
    if (verb === 'remove' && !(await suppressions.isSuppressed(identifier))) throw await notSuppressed(ledger, who);
    if (!(await isConfirmed(terminal, options, question)))
      throw notConfirmed(
        `${verb === 'add' ? 'The suppression' : 'The end of the suppression'} of ${toWhom(identifier)}`,
      );
    const changed = await suppressions[verb]({ identifier, ...change });
    if (verb === 'add') {
      if (provider === null && !(await isKnown(ledger, identifier)))
        terminal.say(toUnknownText(identifier.kind), 'warn');
      return {
        changed,
        text: `${changed ? 'suppressed' : 'it was suppressed already'}${scope === null ? '' : `: ${scope}`}`,
      };
    }
    if (!changed) throw await notSuppressed(ledger, who);
    const rest = await describeRest(ledger, identifier);
    return { changed, text: rest === null ? 'no longer suppressed' : `its own suppression has ended, but ${rest}` };
  });
}

const effects = {
  email: 'HubSpot leaves out this address from now on, and its replies add a note only',
  domain: 'Orders, HubSpot and replies leave out this company with everybody there from now on',
};

/** What an address does not suppress; null for a company, and for an address whose company is suppressed. */
async function describeScope({ suppressions }: Ledger, identifier: Identifier): Promise<string | null> {
  const { kind, value } = identifier;
  if (kind !== 'email' || (await suppressions.around(identifier)).companies.length > 0) return null;
  // The domain of a misspelt mailbox provider belongs to another company.
  const domain = findMisspeltProvider(identifier) === null ? ownDomain(value.slice(value.lastIndexOf('@') + 1)) : null;
  const whole =
    domain === null ? '' : `. For the whole company, run: prospect-sync suppressions add ${domain} --reason TEXT`;
  return `this address only; its company is ordered as before${whole}`;
}

/** False for what only the suppressions have. */
async function isKnown(ledger: Ledger, identifier: Identifier): Promise<boolean> {
  const { tables, records, forgottenAt } = await previewForget(ledger, identifier);
  return (
    forgottenAt !== null ||
    records.length > 0 ||
    tables.some(({ place, rows }) => rows > 0 && !place.startsWith('suppressions.'))
  );
}

/** A domain may be read from a longer address. A person is not named, since the message may end in a log. */
function toWhom({ kind, value }: Identifier): string {
  return kind === 'email' ? 'this address' : `the company ${toPrintable(value)} with everybody there`;
}

function notConfirmed(change: string): CommandError {
  return new CommandError(`${change} was not confirmed: nothing was changed. To do it without confirmation, add --yes`);
}

/** Repeats what the user has typed, since the error may be in it. */
async function notSuppressed(ledger: Ledger, who: string): Promise<CommandError> {
  const rest = await describeRest(ledger, toSubject(who));
  if (rest !== null)
    return new CommandError(`${toPrintable(who)} is not in the list, but ${rest}. Nothing was changed`);
  return new CommandError(
    `${toPrintable(who)} is not suppressed: nothing was changed. Check the spelling; to see the list, run: prospect-sync suppressions list`,
  );
}

/** What else keeps a person or a company from being bought and written to; null if there is nothing. */
async function describeRest({ suppressions }: Ledger, identifier: Identifier): Promise<string | null> {
  const { companies, people } = await suppressions.around(identifier);
  const [company] = companies;
  if (company !== undefined)
    return `the company ${company} is suppressed, with everybody there. To end that, run: prospect-sync suppressions remove ${company} --reason TEXT`;
  const others = people === 0 ? await suppressions.bySameReply(identifier) : 0;
  if (others > 0)
    return `the same reply has suppressed ${others === 1 ? 'one other address or company' : `${others} other addresses or companies`}, which may be those of the same person. To see them, run: prospect-sync suppressions list`;
  if (people === 0) return null;
  return `${people === 1 ? 'one address' : `${people} addresses`} at ${identifier.value} ${people === 1 ? 'is' : 'are'} suppressed. To see them, run: prospect-sync suppressions list`;
}

/**
 * All or nothing: a row that is neither an address nor a domain is reported before anything is stored.
 * @throws {CommandError} if it is not confirmed
 */
export async function importSuppressions(terminal: Terminal, options: Options & ConfirmationFlags, file: string) {
  const change = toChange(options);
  const { identifiers, repeatedRows, equalsRows, misspeltRows, columns } = await readSuppressionList(file);
  if (columns.notRead.length > 0)
    terminal.say(`Columns read: ${columns.read}; not read: ${columns.notRead.map(toPrintable).join(', ')}`);
  if (equalsRows.length > 0)
    terminal.say(
      `Addresses that begin with =: ${describeRows(toNamedRows(equalsRows))}. They are suppressed as they are written; if a spreadsheet program put the sign there, remove it and import the file again`,
    );
  if (misspeltRows.length > 0)
    terminal.say(
      `Domains that look like a misspelt mailbox provider: ${describeRows(toNamedRows(misspeltRows))}. They are suppressed as they are written; if they are misspelt, correct them and import the file again`,
      'warn',
    );
  if (repeatedRows.length > 0)
    terminal.say(`Rows that repeat an earlier row, and count once: ${describeRows(toNamedRows(repeatedRows))}`);
  const domains = identifiers.filter(({ kind }) => kind === 'domain').length;
  const whom = `${identifiers.length - domains} addresses, and ${domains} companies with everybody there`;
  const question = `Suppress ${whom}? HubSpot and replies leave them out from now on, and orders the companies only; to end that, each must be removed by itself.`;
  return withLedger(terminal, options, async ({ suppressions }) => {
    if (!(await isConfirmed(terminal, options, question))) throw notConfirmed(`The suppression of ${whom}`);
    let added = 0;
    for (const identifier of identifiers) if (await suppressions.add({ identifier, ...change })) added += 1;
    return { added, known: identifiers.length - added, repeated: repeatedRows.length };
  });
}

export async function exportSuppressions(
  terminal: Terminal,
  options: GlobalOptions,
  file: string,
  flags: OverwriteFlags,
) {
  await assertFreeTarget(file, { ...flags, format: 'csv' }, options);
  const all = await listSuppressions(terminal, options, { withRemoved: false });
  const rows = all.filter(({ value }) => value !== null);
  const digests = all.length - rows.length;
  if (digests > 0)
    terminal.say(
      `${digests} suppressions of forgotten people are kept as digests and cannot be exported. They are in this ledger only: keep a backup of it`,
    );
  const columns = ['value', 'kind', 'added_at', 'added_by', 'reason'].map((name) => ({
    key: name,
    header: name,
    kind: 'text' as const,
  }));
  const written = rows.map((row) => ({
    value: row.value,
    kind: row.kind,
    added_at: row.addedAt,
    added_by: row.addedBy,
    reason: row.reason,
  }));
  const exported = await writeCsv({ path: resolve(file), columns, rows: pageOf(written) });
  return { ...exported, digests };
}

export function toSuppressionDocument(row: SuppressionRow) {
  return {
    kind: row.kind,
    value: row.value,
    added_at: row.addedAt,
    added_by: row.addedBy,
    reason: row.reason,
    removed_at: row.removedAt,
    removed_by: row.removedBy,
    removed_reason: row.removedReason,
  };
}

export function toSuppressionText(row: SuppressionRow): string {
  const { kind, value, addedAt, addedBy, reason, removedAt, removedBy, removedReason } = row;
  const removed = removedAt === null ? [] : [`removed ${formatTimestamp(removedAt)} by ${removedBy}: ${removedReason}`];
  return [kind.padEnd(8), value ?? '(forgotten)', formatTimestamp(addedAt), `by ${addedBy}: ${reason}`, ...removed]
    .map(toPrintable)
    .join('  ');
}

function toChange({ reason, by }: SuppressionFlags) {
  const author = by ?? userInfo().username;
  for (const [option, text] of [
    ['--reason', reason],
    ['--by', author],
  ] as const)
    if (text.trim() === '' || text.length > longestText)
      throw new CommandError(
        `${option} must have 1 to ${longestText} characters, found ${text.trim().length}`,
        exitCodes.usage,
      );
  return { at: new Date().toISOString(), by: author, reason };
}

async function* pageOf<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}
