/** Reads a file of people and companies to suppress. */
import { resolve } from 'node:path';
import { identifierText, type Identifier } from '../ledger/redaction/identifiers.ts';
import { assertNotCutOff, readCsvRecords } from '../base/spreadsheet/csv-records.ts';
import { SpreadsheetError } from '../base/spreadsheet/spreadsheet-error.ts';
import { assertRegularFile } from '../base/spreadsheet/whole-file.ts';
import { toHeaderKey } from '../base/text/header-key.ts';
import { createRefusal } from '../base/spreadsheet/table.ts';
import { cleanText } from '../base/text/clean-text.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { findMisspeltProvider } from './misspelt-provider.ts';
import { findSubject } from '../companies/sources/find-subject.ts';
import { findSubjectProblem, subjectRemedies } from './subject.ts';
import { withSentence } from '../base/text/normalize-text.ts';
import { CommandError, exitCodes } from './terminal.ts';
import { createUnreadColumns, type ColumnProblem } from '../companies/sources/unread-columns.ts';

/** Headers of the column to read. A first row without one is a row of the list: its first text may have a typing error. */
const knownHeaders = [
  'value',
  'email',
  'e_mail',
  'mail',
  'email_address',
  'e_mail_adresse',
  'address',
  'domain',
  'website',
];

/**
 * The column that the header names, without a header the first one, in the order of the rows.
 * @throws {CommandError} for a header that names several such columns, and for a row that holds anything but one address or domain of
 * one company there, or another one in a column without a header
 */
export async function readSuppressionList(file: string): Promise<SuppressionList> {
  const path = resolve(file);
  const identifiers = new Map<string, Identifier>();
  const repeatedRows: number[] = [];
  const equalsRows: number[] = [];
  let columns: Columns | null = null;
  let names: readonly string[] = [];
  const misspeltRows: number[] = [];
  const unreadColumns = createUnreadColumns();
  try {
    await assertRegularFile(path);
    const refuse = createRefusal(path);
    for await (const records of readCsvRecords(path, { refuse, excelRemedy: 'save it as "CSV UTF-8"' })) {
      for (const record of records) {
        const { number, values } = record;
        if (columns === null) {
          columns = toColumns(file, values);
          names = values.map(cleanText);
          if (columns.headers.length > 0) continue;
        }
        const { read, headers } = columns;
        assertNotCutOff(record, { width: headers.length, refuse });
        const identifier = findSubject(values[read] ?? '');
        if (identifier === null) throw refusedRow(file, number, values[read] ?? '');
        if (identifier.value.startsWith("'")) throw markedRow(file, number);
        if (identifier.value.startsWith('=')) equalsRows.push(number);
        if (values.some((value, index) => index !== read && !headers[index] && mayBeSubject(value)))
          throw severalInRow(file, number);
        if (findMisspeltProvider(identifier) !== null) misspeltRows.push(number);
        for (const [index, value] of values.entries())
          if (index !== read) unreadColumns.add({ index, header: headers[index] ?? '' }, number, value);
        const key = identifierText(identifier);
        if (identifiers.has(key)) repeatedRows.push(number);
        else identifiers.set(key, identifier);
      }
    }
  } catch (error) {
    if (!(error instanceof SpreadsheetError)) throw error;
    throw new CommandError(
      withSentence(error.message, 'Correct the file or its path; nothing was imported'),
      exitCodes.usage,
    );
  }
  const hasHeader = (columns?.headers.length ?? 0) > 0;
  const read = columns?.read ?? 0;
  const problem = unreadColumns.problem();
  if (problem !== null)
    throw refusedColumn(file, problem, {
      header: hasHeader ? (names[problem.index] ?? '') : '',
      read: names[read] ?? '',
    });
  if (identifiers.size === 0)
    throw new CommandError(
      `The file has no address and no domain: ${file}. Check that it is the right one; nothing was imported`,
      exitCodes.usage,
    );
  const notRead = hasHeader ? names.filter((name, index) => index !== read && name !== '') : [];
  const found = { identifiers: [...identifiers.values()], repeatedRows };
  return { ...found, equalsRows, misspeltRows, columns: { read: names[read] ?? '', notRead } };
}

interface SuppressionList {
  /** Each once. */
  readonly identifiers: readonly Identifier[];
  /** Rows with the address or domain of an earlier row. */
  readonly repeatedRows: readonly number[];
  /** Rows whose address begins with =, which is valid, and by which Excel marks a formula. */
  readonly equalsRows: readonly number[];
  /** Rows whose domain is probably a misspelt mailbox provider. */
  readonly misspeltRows: readonly number[];
  /** Headers of the file; `notRead` is empty without a header. */
  readonly columns: { readonly read: string; readonly notRead: readonly string[] };
}

interface Columns {
  /** Index of the column to read. */
  readonly read: number;
  /** Empty for a file without a header. */
  readonly headers: readonly string[];
}

/** A row with an address or a domain is no header, whatever its other texts are. */
function toColumns(file: string, values: readonly string[]): Columns {
  const headers = values.map((value) => toHeaderKey(cleanText(value)));
  const known = headers.flatMap((header, index) => (knownHeaders.includes(header) ? [index] : []));
  const [read] = known;
  if (read === undefined || values.some(mayBeSubject)) return { read: 0, headers: [] };
  if (known.length === 1) return { read, headers };
  const names = known.map((index) => headers[index]).join(', ');
  throw new CommandError(
    `The header of ${file} names ${known.length} columns of addresses or domains: ${names}. Only one column is read: remove or rename the others; nothing was imported`,
    exitCodes.usage,
  );
}

function mayBeSubject(value: string): boolean {
  return value.includes('@') || findSubject(value) !== null;
}

function refusedColumn(
  file: string,
  { kind, row, word }: ColumnProblem,
  names: { header: string; read: string },
): CommandError {
  const column = names.header === '' ? 'a column' : `the column ${toPrintable(names.header)}`;
  const place = `${file}, row ${row}`;
  const texts = {
    address: `The file has an address in ${column}, which is not read: ${place}. Only the column ${toPrintable(names.read)} is read: write a row for each address, or remove the other column`,
    subscribed: `The file has a row that says ${word} in ${column}, and its person would be suppressed: ${place}. Remove the rows of people who are not to be suppressed, and this column`,
    gap: `The file has a row without a value in ${column}, which other rows have, and its person would be suppressed: ${place}. Remove the rows of people who are not to be suppressed, or this column`,
  };
  return new CommandError(`${texts[kind]}; nothing was imported`, exitCodes.usage);
}

/** What a row that is refused most often holds, and what to write instead. Names no value. */
function hintOf(value: string): string {
  if (value.includes('<') && value.trimEnd().endsWith('>'))
    return '. Only the bare address is read, without the name and the angle brackets';
  const problem = findSubjectProblem(value);
  if (problem === 'several') return '. It names several: write a row for each';
  return problem === 'none' ? '' : `. ${subjectRemedies[problem]}`;
}

function refusedRow(file: string, number: number, value: string): CommandError {
  if (number > 1 && knownHeaders.includes(toHeaderKey(cleanText(value))))
    return new CommandError(
      `The file has a row that looks like a header, but is not the first row: ${file}, row ${number}. Move it to the top, or remove it; nothing was imported`,
      exitCodes.usage,
    );
  const header = number === 1 ? `, and no header that is known (${knownHeaders.join(', ')})` : '';
  return new CommandError(
    `The file has a row that is neither one email address nor the domain of one company${header}: ${file}, row ${number}${hintOf(value)}. Correct the row; nothing was imported`,
    exitCodes.usage,
  );
}

function markedRow(file: string, number: number): CommandError {
  return new CommandError(
    `The file has a row that begins with an apostrophe, by which Excel marks a text: ${file}, row ${number}. Remove the apostrophe; nothing was imported`,
    exitCodes.usage,
  );
}

function severalInRow(file: string, number: number): CommandError {
  return new CommandError(
    `The file has a row with several addresses or domains: ${file}, row ${number}. Only one column is read, the first or the one with the header email: write a row for each address, or a header above each column; nothing was imported`,
    exitCodes.usage,
  );
}
