import type { FileReport } from '../delivery/files/order-spreadsheet.ts';
import { toPrintable } from '../base/text/printable-text.ts';

/** Label and text of a written file, and of the other one that it replaced. */
export function toFileEntries({ path, rows, kept, edited }: FileReport): [string, string][] {
  const file: [string, string] = ['file', `${toPrintable(path)} (${rows} rows)`];
  if (kept === undefined) return [file];
  const why = edited === false ? 'which the ledger does not know' : 'which was edited';
  return [file, ['kept', `${toPrintable(kept)} (the file before, ${why})`]];
}
