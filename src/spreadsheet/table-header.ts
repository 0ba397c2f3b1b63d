/** The header row of a file that is read: which columns it has, and which of them are kept. */
import { overLimit, SpreadsheetError, type SpreadsheetFacts } from './spreadsheet-error.ts';
import { fileLimits, formatLimit } from './file-limits.ts';
import { findRepeatedHeader, type SelectColumns, type SourceCell, type SourceHeader } from './table.ts';

/** An error for a row of the file, or for all of it. */
export type Refuse = (problem: string, facts?: Pick<SpreadsheetFacts, 'line' | 'code'>) => SpreadsheetError;

export function createRefusal(path: string): Refuse {
  return (problem, facts) => new SpreadsheetError({ path, action: 'reading', problem, ...facts });
}

export interface KeptColumns {
  /** With the columns that are kept alone. */
  readonly header: SourceHeader;
  /** Their indexes in a row. */
  readonly indexes: readonly number[];
}

interface HeaderRow {
  /** '' for a column without a header. */
  readonly texts: readonly string[];
  readonly number: number;
  readonly place?: string | undefined;
}

export async function readHeader(row: HeaderRow, select: SelectColumns, refuse: Refuse): Promise<KeptColumns> {
  const texts = withoutLastBlanks(row.texts.map((text) => text.trim()));
  assertWithinLimits(texts, (problem) => refuse(problem, { line: row.number, code: overLimit }));
  const repeated = findRepeatedHeader(texts);
  if (repeated !== null)
    throw refuse(`columns ${repeated[0]} and ${repeated[1]} have the same header`, { line: row.number });
  const { number: headerNumber, place } = row;
  const where = { headerNumber, ...(place === undefined ? {} : { place }) };
  const headers = await select({ headers: texts.filter((text) => text !== ''), ...where });
  return { header: { headers, ...where }, indexes: headers.map((header) => texts.indexOf(header)) };
}

function assertWithinLimits(headers: readonly string[], refuse: (problem: string) => Error): void {
  const [columns, characters] = [headers.length, headers.join('').length];
  if (columns > fileLimits.columns)
    throw refuse(
      `it has ${formatLimit(columns)} columns, and at most ${formatLimit(fileLimits.columns)} are read; take out columns that are not needed`,
    );
  if (characters > fileLimits.headerCharacters)
    throw refuse(
      `the headers have ${formatLimit(characters)} characters together, and at most ${formatLimit(fileLimits.headerCharacters)} are read; shorten them`,
    );
}

/** The cells up to the last one that is not blank. */
export function withoutLastBlanks<T extends SourceCell>(cells: readonly T[]): readonly T[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
}
