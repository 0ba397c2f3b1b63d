/** Compares CRM records that were read back with the values that the ledger says were written. */
import type { HistoryEntry, PropertyHistories } from '../hubspot/object-reads.ts';
import type { WrittenRecord, WrittenValue } from '../ledger/written-record-store.ts';
import type { PropertyCounts, ReadBackFigures, RecordState } from '../report/read-back-figures.ts';

/** The stamp of prospect-sync whose history shows which source is ours. */
export const orderProperty = 'prospect_sync_order_id';

/** What was found for one record. */
export interface RecordComparison {
  readonly state: RecordState;
  readonly isMerged: boolean;
  readonly edited: readonly string[];
  readonly wrong: readonly string[];
}

export type CurrentValues = Readonly<Record<string, string | null>>;

/** Properties whose value in the CRM is not the written one. */
export function differingProperties(
  { values }: WrittenRecord,
  current: CurrentValues,
  isWritten: (written: WrittenValue, value: string) => boolean,
): string[] {
  return [...values].flatMap(([property, written]) => {
    const value = Object.hasOwn(current, property) ? (current[property] ?? '') : '';
    return isWritten(written, value.trim()) ? [] : [property];
  });
}

/**
 * Whether each differing value was edited since the write, or is ours and wrong: because the write was lost, was ignored, or another
 * process with the same key replaced it. The entries with the order id show which source is ours.
 */
export function compareRecord(
  written: WrittenRecord,
  { differing, histories, isMerged }: { differing: readonly string[]; histories: PropertyHistories; isMerged: boolean },
): RecordComparison {
  if (differing.length === 0) return { state: 'equal', isMerged, edited: [], wrong: [] };
  const orderId = written.values.get(orderProperty)?.value ?? null;
  const ours = entriesOf(histories, orderProperty).find(({ value }) => value === orderId);
  const latestOf = (property: string) => entriesOf(histories, property)[0];
  // A merge chooses among the values of two records, as the person who merged them wanted.
  const edited = differing.filter((property) => isMerged || isEdited(latestOf(property), ours));
  const wrong = differing.filter((property) => {
    if (edited.includes(property)) return false;
    const latest = latestOf(property);
    return (
      latest === undefined || latest.source !== ours?.source || !isReformatted(written.values.get(property), latest)
    );
  });
  const state = wrong.length > 0 ? 'wrong' : edited.length > 0 ? 'edited' : 'equal';
  return { state, isMerged, edited, wrong };
}

/** An older entry than our write was there before it: the write did not arrive. Without an entry of ours, nothing may be rewritten. */
function isEdited(latest: HistoryEntry | undefined, ours: HistoryEntry | undefined): boolean {
  if (latest === undefined) return false;
  return ours === undefined || (latest.source !== ours.source && latest.at >= ours.at);
}

/** HubSpot writes some values in a form of its own, such as telephone numbers. */
function isReformatted(written: WrittenValue | undefined, latest: HistoryEntry): boolean {
  const text = toLettersAndDigits(written?.value ?? '');
  return text !== '' && text === toLettersAndDigits(latest.value);
}

function toLettersAndDigits(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function entriesOf(histories: PropertyHistories, property: string): readonly HistoryEntry[] {
  return Object.hasOwn(histories, property) ? (histories[property] ?? []) : [];
}

export function toFigures(comparisons: readonly RecordComparison[], sampled: number | null): ReadBackFigures {
  const count = (matches: (comparison: RecordComparison) => boolean) => comparisons.filter(matches).length;
  const inState = (state: RecordState) => count((comparison) => comparison.state === state);
  return {
    records: comparisons.length,
    equal: inState('equal'),
    edited: inState('edited'),
    missing: inState('missing'),
    merged: count(({ isMerged }) => isMerged),
    archived: inState('archived'),
    wrong: inState('wrong'),
    unknown: inState('unknown'),
    properties: {
      edited: countWords(comparisons.flatMap(({ edited }) => edited)),
      wrong: countWords(comparisons.flatMap(({ wrong }) => wrong)),
    },
    sampled,
  };
}

function countWords(words: readonly string[]): PropertyCounts {
  return Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]));
}
