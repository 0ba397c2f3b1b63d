/** Compares CRM records that were read back with the written values in the ledger. */
import { isManagedProperty } from '../../delivery/mapping/crm-properties.ts';
import type { HistoryEntry, PropertyHistories } from '../../hubspot/object-reads.ts';
import type { WrittenRecord, WrittenValue } from '../../ledger/written-record-store.ts';
import type { PropertyCounts, ReadBackFigures, RecordState } from '../report/read-back-figures.ts';

/** The prospect_sync property whose history shows the source id of prospect-sync in HubSpot. */
export const orderProperty = 'prospect_sync_order_id';

/** The result of the comparison for one record. */
export interface RecordComparison {
  readonly state: RecordState;
  readonly isMerged: boolean;
  readonly edited: readonly string[];
  readonly wrong: readonly string[];
  /** Another installation wrote the record later: its order is not in this ledger. Its values count as edited. */
  readonly isOfOtherInstallation?: boolean;
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

interface DifferingRecord {
  readonly differing: readonly string[];
  readonly histories: PropertyHistories;
  readonly isMerged: boolean;
  readonly isWritten: (written: WrittenValue, value: string) => boolean;
  /** A person archived the property in HubSpot, so that no record has a value of it. */
  readonly isRemoved: (property: string) => boolean;
}

/**
 * Classifies each differing value: edited after the last write of prospect-sync, or wrong because the write was lost or ignored, or
 * because another process with the same key replaced it. The properties of prospect-sync belong to no person: an edit of them is wrong.
 * The history entries with the order id identify the source of prospect-sync.
 */
export function compareRecord(
  written: WrittenRecord,
  { differing, histories, isMerged, isWritten, isRemoved }: DifferingRecord,
): RecordComparison {
  if (differing.length === 0) return { state: 'equal', isMerged, edited: [], wrong: [] };
  const orderId = written.values.get(orderProperty)?.value ?? null;
  const lastWrite = entriesOf(histories, orderProperty).find(({ value }) => value === orderId);
  const latestOf = (property: string) => entriesOf(histories, property)[0];
  // In a merge, the user chooses between the values of two records.
  const edited = differing.filter((property) => {
    const value = written.values.get(property);
    return (
      isMerged ||
      (!isManagedProperty(property) &&
        (isRemoved(property) ||
          isEdited(entriesOf(histories, property), lastWrite, (text) => value !== undefined && isWritten(value, text))))
    );
  });
  const wrong = differing.filter((property) => {
    if (edited.includes(property)) return false;
    const latest = latestOf(property);
    return (
      latest === undefined ||
      latest.source !== lastWrite?.source ||
      !isReformatted(written.values.get(property), latest)
    );
  });
  const state = wrong.length > 0 ? 'wrong' : edited.length > 0 ? 'edited' : 'equal';
  return { state, isMerged, edited, wrong };
}

/** Values that another installation with the same HubSpot key wrote are kept, otherwise both would replace each other's in turn. */
export function toOtherInstallation({ isMerged, edited, wrong }: RecordComparison): RecordComparison {
  return { state: 'edited', isMerged, edited: [...edited, ...wrong], wrong: [], isOfOtherInstallation: true };
}

/**
 * `lastWrite`: the entry of the order that wrote the record last. That order may have kept an edit of an earlier value, so the history of
 * the property decides: an entry after the written value is an edit. If the written value never arrived, an entry older than the order
 * existed before it. Without `lastWrite` every difference counts as an edit, so that nothing is overwritten.
 */
function isEdited(
  [latest, ...earlier]: readonly HistoryEntry[],
  lastWrite: HistoryEntry | undefined,
  isOurValue: (text: string) => boolean,
): boolean {
  if (latest === undefined) return false;
  if (lastWrite === undefined) return true;
  if (latest.source === lastWrite.source) return false;
  const hasArrived = earlier.some(({ source, value }) => source === lastWrite.source && isOurValue(value.trim()));
  return hasArrived || latest.at >= lastWrite.at;
}

/** HubSpot reformats some values, such as telephone numbers. */
function isReformatted(written: WrittenValue | undefined, latest: HistoryEntry): boolean {
  const text = toLettersAndDigits(written?.value ?? '');
  return text !== '' && text === toLettersAndDigits(latest.value);
}

function toLettersAndDigits(text: string): string {
  return text.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, '');
}

export function entriesOf(histories: PropertyHistories, property: string): readonly HistoryEntry[] {
  return Object.hasOwn(histories, property) ? (histories[property] ?? []) : [];
}

export function toFigures(
  comparisons: readonly RecordComparison[],
  { sampled, items }: Pick<ReadBackFigures, 'sampled' | 'items'>,
): ReadBackFigures {
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
    items,
    sampled,
  };
}

function countWords(words: readonly string[]): PropertyCounts {
  return Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]));
}
