/** What a reader of a file does not see in its rows: hidden rows, rows with a name only, and ids that a number format shows differently. */
import type { CompanyRow } from '../contract/index.ts';
import type { RowNotes } from '../ledger/draft-source.ts';
import { toNamedRows } from '../text/named-rows.ts';
import { boundWord } from '../text/bound-text.ts';
import type { ExternalIdForm, FilePage } from './company-source.ts';

export function createRowNotes() {
  let hidden = 0;
  const nameOnly: number[] = [];
  let formattedIds: RowNotes['formattedIds'];
  return {
    add<Row>(
      { rows, columns }: FilePage<Row>,
      { read = 'shown', toCompany }: { read: ExternalIdForm | undefined; toCompany: (row: Row) => CompanyRow },
    ): void {
      const hasOtherColumns = Object.keys(columns.used).length > 1;
      for (const { row, source, idForms } of rows) {
        if (source.isHidden === true) hidden += 1;
        if (idForms !== null) {
          const example = { read, shown: boundWord(idForms.shown), stored: idForms.stored };
          formattedIds = { ...example, ...formattedIds, rows: (formattedIds?.rows ?? 0) + 1 };
        }
        const { website_url: website, city, country, external_id: id } = toCompany(row);
        if (!hasOtherColumns || website || city || country || id) continue;
        nameOnly.push(source.number);
      }
    },
    /** Only what was found. */
    notes: (): RowNotes => ({
      ...(hidden === 0 ? {} : { hidden }),
      ...(formattedIds && { formattedIds }),
      ...(nameOnly.length === 0 ? {} : { nameOnly: toNamedRows(nameOnly) }),
    }),
  };
}
