/** The sources of enrichments and exclusions in the documents that `--json` prints. */
import type { RowNotes, SourceReport } from '../../ledger/draft-source.ts';

export function toRowNotesDocument({
  hidden,
  shortRows,
  roundedIds,
  nameOnly,
  doubtfulNames,
  doubtfulCountries,
  emailWebsites,
  formattedIds,
}: { readonly [K in keyof RowNotes]: RowNotes[K] | undefined }) {
  return {
    ...(hidden && { hidden }),
    ...(shortRows && { short_rows: shortRows }),
    ...(roundedIds && { rounded_ids: roundedIds }),
    ...(nameOnly && { name_only: nameOnly }),
    ...(doubtfulNames && { doubtful_names: doubtfulNames }),
    ...(doubtfulCountries && { doubtful_countries: doubtfulCountries }),
    ...(emailWebsites && { email_websites: emailWebsites }),
    ...(formattedIds && { formatted_ids: formattedIds }),
  };
}

export function toSourceDocument({
  columns,
  hidden,
  shortRows,
  roundedIds,
  nameOnly,
  doubtfulNames,
  doubtfulCountries,
  emailWebsites,
  formattedIds,
  invalidWebsites,
  otherRecords,
  sharedIds,
  sharedWebsites,
  ...source
}: SourceReport) {
  return {
    ...source,
    ...(invalidWebsites && { invalid_websites: invalidWebsites }),
    ...(otherRecords && { other_records: otherRecords }),
    ...(sharedIds && { shared_ids: sharedIds }),
    ...(sharedWebsites && { shared_websites: sharedWebsites }),
    ...toRowNotesDocument({
      hidden,
      shortRows,
      roundedIds,
      nameOnly,
      doubtfulNames,
      doubtfulCountries,
      emailWebsites,
      formattedIds,
    }),
    columns_used: columns?.used ?? null,
    columns_ignored: columns?.ignored ?? null,
  };
}
