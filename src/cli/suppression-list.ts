/** Reads a file of people and companies to suppress. */
import { resolve } from 'node:path';
import type { Identifier } from '../ledger/redaction/identifiers.ts';
import { assertNotCutOff, readCsvRecords } from '../base/spreadsheet/csv-records.ts';
import { SpreadsheetError } from '../base/spreadsheet/spreadsheet-error.ts';
import { assertRegularFile } from '../base/spreadsheet/whole-file.ts';
import { createRefusal, toHeaderKey } from '../base/spreadsheet/table.ts';
import { cleanText } from '../base/text/clean-text.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { findSubject } from './subject.ts';
import { CommandError, exitCodes } from './terminal.ts';

const negativeWords: readonly string[] = ['no', 'n', 'false', '0', 'nein'];
const positiveWords: readonly string[] = ['yes', 'y', 'true', '1', 'ja'];

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
  const identifiers: Identifier[] = [];
  const equalsRows: number[] = [];
  let columns: Columns | null = null;
  let names: readonly string[] = [];
  const answers = createAnswers();
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
        for (const [index, value] of values.entries()) if (index !== read) answers.add(index, number, value);
        identifiers.push(identifier);
      }
    }
  } catch (error) {
    if (!(error instanceof SpreadsheetError)) throw error;
    throw new CommandError(`${error.message}. Correct the file or its path; nothing was imported`, exitCodes.usage);
  }
  const hasHeader = (columns?.headers.length ?? 0) > 0;
  const negated = answers.negated();
  if (negated !== null) throw negatedRow(file, negated.row, hasHeader ? (names[negated.index] ?? '') : '');
  if (identifiers.length === 0)
    throw new CommandError(
      `The file has no address and no domain: ${file}. Check that it is the right one; nothing was imported`,
      exitCodes.usage,
    );
  const read = columns?.read ?? 0;
  const notRead = hasHeader ? names.filter((name, index) => index !== read && name !== '') : [];
  return { identifiers, equalsRows, columns: { read: names[read] ?? '', notRead } };
}

interface SuppressionList {
  readonly identifiers: readonly Identifier[];
  /** Rows whose address begins with =, which is valid, and by which Excel marks a formula. */
  readonly equalsRows: readonly number[];
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

/** Finds columns that hold nothing but yes and no, for example below `opt_out`: the person of a row with no is not to be suppressed. */
function createAnswers() {
  const columns = new Map<number, { firstNo: number | null; isAnswer: boolean }>();
  return {
    add(index: number, row: number, value: string): void {
      const word = cleanText(value).toLowerCase();
      if (word === '') return;
      const { firstNo, isAnswer } = columns.get(index) ?? { firstNo: null, isAnswer: true };
      const isNo = negativeWords.includes(word);
      columns.set(index, {
        firstNo: firstNo ?? (isNo ? row : null),
        isAnswer: isAnswer && (isNo || positiveWords.includes(word)),
      });
    },
    /** The first column of answers with a no; null if there is none. */
    negated(): { readonly index: number; readonly row: number } | null {
      for (const [index, { firstNo, isAnswer }] of columns)
        if (isAnswer && firstNo !== null) return { index, row: firstNo };
      return null;
    },
  };
}

function negatedRow(file: string, row: number, header: string): CommandError {
  const column = header === '' ? '' : ` in the column ${toPrintable(header)}`;
  return new CommandError(
    `The file has a row that says no${column}, and its person would be suppressed: ${file}, row ${row}. Remove the rows that say no and this column; nothing was imported`,
    exitCodes.usage,
  );
}

/** What a row that is refused most often holds, and what to write instead. Names no value. */
function hintOf(value: string): string {
  if (value.includes('<') && value.trimEnd().endsWith('>'))
    return '. Only the bare address is read, without the name and the angle brackets';
  return value.trim().startsWith('*.') ? '. Write the domain without *. to suppress it with its subdomains' : '';
}

function refusedRow(file: string, number: number, value: string): CommandError {
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
