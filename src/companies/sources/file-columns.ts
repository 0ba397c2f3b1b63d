/** How a file is read: the columns that hold a field, the others, and the sheet. */
import type { FileReading } from '../../ledger/draft-source.ts';
import { boundWord, boundWords } from '../../base/text/bound-text.ts';
import type { FilePage } from './company-source.ts';

/** Bounded, because the report of a source is part of a Temporal payload. */
export function toFileReading({ columns, sheets }: Pick<FilePage<unknown>, 'columns' | 'sheets'>): FileReading {
  const fields = Object.entries(columns.used).map(([field, header]) => [field, boundWord(header)]);
  return {
    columns: { used: Object.fromEntries(fields), ignored: boundWords(columns.ignored) },
    ...(sheets && { sheets: { read: boundWord(sheets.read), others: boundWords(sheets.others) } }),
  };
}
