/** Rows that a column which is not read marks as not to be contacted. */
import { toCellText } from '../../base/spreadsheet/table.ts';
import { boundWords } from '../../base/text/bound-text.ts';
import { toNamedRows } from '../../base/text/named-rows.ts';
import type { SourceReport } from '../../ledger/draft-source.ts';
import type { FilePage } from './company-source.ts';
import { isDoNotContact } from './do-not-contact.ts';

export function createMarkedRows() {
  const numbers: number[] = [];
  const columns = new Set<string>();
  return {
    add({ headers, columns: { used }, rows }: Pick<FilePage<unknown>, 'headers' | 'columns' | 'rows'>): void {
      const read = new Set(Object.values(used));
      const others = [...headers.entries()].filter(([, header]) => !read.has(header));
      for (const { source } of rows) {
        const marks = others.filter(([index, header]) => isDoNotContact(header, toCellText(source.cells[index] ?? '')));
        if (marks.length > 0) numbers.push(source.number);
        for (const [, header] of marks) columns.add(header);
      }
    },
    numbers: (): readonly number[] => numbers,
    /** Only what was found. */
    notes(): Pick<SourceReport, 'doNotContact'> {
      return numbers.length === 0
        ? {}
        : { doNotContact: { ...toNamedRows(numbers), columns: boundWords([...columns]) } };
    },
  };
}
