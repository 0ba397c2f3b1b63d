/** Notes that say of rows that they are ordered: they follow the rows that an enrichment leaves out. */
import type { SourceReport } from '../../ledger/draft-source.ts';
import type { DraftRow } from '../../ledger/draft-store.ts';
import { toNamedRows } from '../../base/text/named-rows.ts';

const namingNotes = ['repeated', 'otherRecords', 'sharedIds', 'sharedWebsites', 'doNotContactComments'] as const;

/** The numbers of the rows that a note is about, whether they are ordered or not. */
export type NotedNumbers = Partial<
  Readonly<Record<(typeof namingNotes)[number] | 'hidden' | 'doNotContact', readonly number[]>>
>;

export function withOrderedNotes(report: SourceReport, noted: NotedNumbers, rows: readonly DraftRow[]): SourceReport {
  const {
    repeated: _1,
    otherRecords: _2,
    sharedIds: _3,
    sharedWebsites: _4,
    doNotContactComments: _5,
    hidden: _6,
    doNotContact,
    ...rest
  } = report;
  const ordered = new Set(rows.map(({ sourceRow }) => sourceRow));
  const find = (numbers: readonly number[] = []) => toNamedRows(numbers.filter((number) => ordered.has(number)));
  const named = namingNotes.map((note) => [note, find(noted[note])] as const).filter(([, found]) => found.rows > 0);
  const hidden = find(noted.hidden).rows;
  const marked = find(noted.doNotContact);
  return {
    ...rest,
    ...Object.fromEntries(named),
    ...(hidden === 0 ? {} : { hidden }),
    ...(doNotContact === undefined || marked.rows === 0 ? {} : { doNotContact: { ...doNotContact, ...marked } }),
  };
}
