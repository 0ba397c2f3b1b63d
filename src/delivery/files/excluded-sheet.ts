/** The sheet of the rows that an exclusion has left out of an order. */
import type { Ledger } from '../../ledger/ledger.ts';
import type { Column, Row } from '../../base/spreadsheet/table.ts';
import type { MatchingTier } from '../../service/contract/index.ts';
import { getOwnProperty } from '../../base/json/own-property.ts';
import { sayIn, type SheetLanguage } from './sheet-language.ts';
import { sourceRowColumn } from './slot-columns.ts';

/** An erased row has neither name nor city nor external id. */
export const excludedColumns: readonly Column[] = [
  sourceRowColumn,
  { key: 'company_name', header: 'Company Name', kind: 'text', width: 32 },
  { key: 'city', header: 'City', kind: 'text' },
  { key: 'external_id', header: 'External Id', kind: 'text', width: 18 },
  { key: 'exclusion', header: 'Exclusion', kind: 'text' },
  { key: 'matched_by', header: 'Matched By', kind: 'text' },
  { key: 'reason', header: 'Reason', kind: 'text', width: 32 },
  { key: 'entry_id', header: 'Entry Id', kind: 'text', width: 38 },
];
export const excludedKeys = excludedColumns.map(({ key }) => key);

const tierWords: Readonly<Record<MatchingTier, string>> = {
  external_id: 'External id',
  website_domain: 'Domain',
  name_and_city: 'Name and city',
  name: 'Name',
};

export async function* readExcludedRows(
  { excludedRows }: Pick<Ledger, 'excludedRows'>,
  orderId: string,
  language: SheetLanguage | undefined,
): AsyncGenerator<Row[]> {
  const say = sayIn(language);
  for await (const page of excludedRows.list(orderId))
    yield page.map(({ sourceRow, companyName, city, externalId, exclusion, tier, entryId, reason }) => ({
      source_row: sourceRow,
      company_name: companyName,
      city,
      external_id: externalId,
      exclusion,
      matched_by: say(getOwnProperty(tierWords, tier) ?? tier),
      reason,
      entry_id: entryId,
    }));
}
