import type { FileReport } from '../delivery/files/order-spreadsheet.ts';
import { toPrintable } from '../base/text/printable-text.ts';

/** Label and text of a written file, and of the edited one that it replaced. */
export function toFileEntries({ path, rows, kept }: FileReport): [string, string][] {
  const file: [string, string] = ['file', `${toPrintable(path)} (${rows} rows)`];
  return kept === undefined ? [file] : [file, ['kept', `${toPrintable(kept)} (the file before, which was edited)`]];
}
