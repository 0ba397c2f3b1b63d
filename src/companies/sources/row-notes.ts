/** Notes about rows that a user cannot see in the file: hidden rows, doubtful names, and values that are read in another form. */
import type { RowNotes } from '../../ledger/draft-source.ts';
import { isMisspeltCountry } from './country-problem.ts';
import { isDoubtfulName } from './name-problem.ts';
import { isSharedAddress } from './website-problem.ts';
import { noRows, withRow } from '../../base/text/named-rows.ts';
import { boundWord } from '../../base/text/bound-text.ts';
import { isEmailAddress } from './blacklist-entry.ts';
import type { ExternalIdForm, FilePage } from './company-source.ts';

export function createRowNotes() {
  let hidden = 0;
  let nameOnly = noRows;
  let doubtfulNames = noRows;
  let emailWebsites = noRows;
  let doubtfulCountries = noRows;
  let shortRows = noRows;
  let roundedIds = noRows;
  let formattedIds: RowNotes['formattedIds'];
  return {
    add({ rows, columns }: FilePage<unknown>, read: ExternalIdForm = 'shown'): void {
      const hasOtherColumns = Object.keys(columns.used).length > 1;
      for (const { values, source, idForms, isIdRounded } of rows) {
        if (source.isHidden === true) hidden += 1;
        if (source.isShort === true) shortRows = withRow(shortRows, source.number);
        if (isIdRounded) roundedIds = withRow(roundedIds, source.number);
        if (idForms !== null) {
          const example = { read, shown: boundWord(idForms.shown), stored: idForms.stored };
          formattedIds = { ...example, ...formattedIds, rows: (formattedIds?.rows ?? 0) + 1 };
        }
        const { company_name: name = '', website_url: website, city, country, external_id: id } = values;
        if (isDoubtfulName(name, website)) doubtfulNames = withRow(doubtfulNames, source.number);
        if (country && isMisspeltCountry(country)) doubtfulCountries = withRow(doubtfulCountries, source.number);
        if (isEmailAddress(website) && !isSharedAddress(website)) emailWebsites = withRow(emailWebsites, source.number);
        if (hasOtherColumns && !website && !city && !country && !id) nameOnly = withRow(nameOnly, source.number);
      }
    },
    /** Only what was found. */
    notes: (): RowNotes => ({
      ...(hidden === 0 ? {} : { hidden }),
      ...(formattedIds && { formattedIds }),
      ...(shortRows.rows === 0 ? {} : { shortRows }),
      ...(roundedIds.rows === 0 ? {} : { roundedIds }),
      ...(nameOnly.rows === 0 ? {} : { nameOnly }),
      ...(doubtfulNames.rows === 0 ? {} : { doubtfulNames }),
      ...(doubtfulCountries.rows === 0 ? {} : { doubtfulCountries }),
      ...(emailWebsites.rows === 0 ? {} : { emailWebsites }),
    }),
  };
}
