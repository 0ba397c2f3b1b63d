/** What is odd about the rows of exclusion files: as of an enrichment, and ids that several companies share. */
import { noRows, withRow } from '../../base/text/named-rows.ts';
import type { RowNotes } from '../../ledger/draft-source.ts';
import type { FilePage, TableSource } from '../sources/company-source.ts';
import { createRowNotes } from '../sources/row-notes.ts';
import { toComparableCompany } from '../sources/same-company.ts';
import { createSharedIds } from '../sources/shared-ids.ts';

export function createExclusionNotes() {
  const [rowNotes, ids] = [createRowNotes(), createSharedIds()];
  let [sharedIds, withId] = [noRows, 0];
  return {
    add(page: FilePage<unknown>, file: TableSource): void {
      rowNotes.add(page, file);
      for (const { values, source } of page.rows) {
        const { company_name = '', external_id: id } = values;
        if (!id) continue;
        withId += 1;
        if (ids.isShared(toComparableCompany({ ...values, company_name })))
          sharedIds = withRow(sharedIds, source.number);
      }
    },
    /** Nine of ten rows have the id of another company: another column stands in place of the ids. */
    areIdsUseless: (): boolean => sharedIds.rows * 10 >= withId * 9 && withId > 2,
    /** Only what was found. */
    notes: (): RowNotes => ({ ...rowNotes.notes(), ...(sharedIds.rows > 0 && { sharedIds }) }),
  };
}
