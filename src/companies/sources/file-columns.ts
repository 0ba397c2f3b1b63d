/** How a file is read: the columns that hold a field, the others, and the sheet. */
import type { FileReading } from '../../ledger/draft-source.ts';
import { boundWord, boundWords } from '../../base/text/bound-text.ts';
import type { FilePage } from './company-source.ts';

/** Bounded, because the report of a source is part of a Temporal payload. */
export function toFileReading({
  columns,
  sheets,
  hiddenHeaders = [],
}: Pick<FilePage<unknown>, 'columns' | 'sheets' | 'hiddenHeaders'>): FileReading {
  const fields = Object.entries(columns.used).map(([field, header]) => [field, boundWord(header)]);
  const used = Object.values(columns.used);
  const hidden = boundWords(hiddenHeaders.filter((header) => used.includes(header)));
  return {
    columns: {
      used: Object.fromEntries(fields),
      ignored: boundWords(columns.ignored),
      ...(hidden.length === 0 ? {} : { hidden }),
    },
    ...(sheets && { sheets: { read: boundWord(sheets.read), others: boundWords(sheets.others) } }),
  };
}
