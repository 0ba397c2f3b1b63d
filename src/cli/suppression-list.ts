/** Reads a file of people and companies to suppress. */
import { resolve } from 'node:path';
import { toIdentifier, type Identifier } from '../redaction/identifiers.ts';
import { readCsvRecords } from '../spreadsheet/csv-records.ts';
import { SpreadsheetError } from '../spreadsheet/spreadsheet-error.ts';
import { assertRegularFile } from '../spreadsheet/whole-file.ts';
import { createRefusal, toHeaderKey } from '../spreadsheet/table.ts';
import { cleanText } from '../text/clean-text.ts';
import { CommandError, exitCodes } from './terminal.ts';

/** Headers of the first column. A first row with another text is an address with a typing error, not a header. */
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
 * The first column of a CSV file, in the order of its rows.
 * @throws {CommandError} for a file with a row that is neither an address nor the domain of one company
 */
export async function readSuppressionList(file: string): Promise<Identifier[]> {
  const path = resolve(file);
  const identifiers: Identifier[] = [];
  let isFirst = true;
  try {
    await assertRegularFile(path);
    for await (const records of readCsvRecords(path, { refuse: createRefusal(path) })) {
      for (const { number, values } of records) {
        const text = cleanText(values[0] ?? '');
        const identifier = toIdentifier(text);
        const isHeader = isFirst && knownHeaders.includes(toHeaderKey(text));
        isFirst = false;
        if (identifier !== null) identifiers.push(identifier);
        else if (!isHeader) throw refusedRow(file, number);
      }
    }
  } catch (error) {
    if (!(error instanceof SpreadsheetError)) throw error;
    throw new CommandError(`${error.message}. Correct the file or its path; nothing was imported`, exitCodes.usage);
  }
  return identifiers;
}

function refusedRow(file: string, number: number): CommandError {
  const header = number === 1 ? `, and no header that is known (${knownHeaders.join(', ')})` : '';
  return new CommandError(
    `The file has a row that is neither an email address nor the domain of one company${header}: ${file}, row ${number}. Correct the row; nothing was imported`,
    exitCodes.usage,
  );
}
