// Says which row of a batch each part of the answer is about: results come in any order and need not echo the trace id.
import { z } from 'zod';

import { toErrorFacts } from './error-facts.ts';
import { HubSpotError } from './hubspot-error.ts';
import type { FailedRow } from './bisect.ts';
import { recordSchema, toComparable } from './hubspot-record.ts';
import type { Answered } from './call-sdk.ts';
import { ownValue } from '../json/own-value.ts';

export type WriteResult =
  | {
      readonly ok: true;
      readonly id: string;
      readonly created: boolean;
      /** The call was sent twice: what it met may be what its first sending made. */
      readonly isResent: boolean;
    }
  | FailedRow;

export interface SentRow {
  readonly traceId: string;
  /** Record id or key value as given; empty in a row to create. */
  readonly id: string;
  /** The same, comparable. */
  readonly key: string | undefined;
  readonly properties: Readonly<Record<string, string>>;
}

export const batchAnswerSchema = z.object({
  results: z.array(
    recordSchema
      .extend({ objectWriteTraceId: z.string().nullish(), _new: z.boolean().optional() })
      // The SDK's name for `new`.
      .transform(({ _new: isNew, ...record }) => ({ ...record, isNew })),
  ),
  errors: z.array(z.unknown()).optional(),
});

type BatchAnswer = z.infer<typeof batchAnswerSchema>;
type WrittenRecord = BatchAnswer['results'][number];

/**
 * @param keyOf the key of the row that a written record answers, where the operation has one
 * @param created what a success means where the answer does not say (`new` is in answers to upserts only)
 * @returns an outcome for each row; one of which the answer tells nothing has failed with ROW_NOT_ANSWERED, though it may be written
 */
export function toRowOutcomes(
  rows: readonly SentRow[],
  { value: { results, errors = [] }, request, isResent }: Answered<BatchAnswer>,
  keyOf: (record: WrittenRecord) => string | null | undefined,
  created: boolean,
): Map<SentRow, WriteResult> {
  const outcomes = new Map<SentRow, WriteResult>();
  const openRows = (): SentRow[] => rows.filter((row) => !outcomes.has(row));

  const unnamed: HubSpotError[] = [];
  for (const error of errors) {
    const { ids, ...facts } = toErrorFacts(error);
    const failure = new HubSpotError({ ...facts, ...request, kind: 'http' });
    const named = openRows().filter((row) => isNamed(row, failure.traceIds, ids));
    if (named.length === 0) unnamed.push(failure);
    for (const row of named) outcomes.set(row, { ok: false, error: failure });
  }

  const unmatched = new Set(results);
  const match = (isAbout: (row: SentRow, record: WrittenRecord) => boolean): void => {
    for (const record of unmatched) {
      const row = openRows().find((candidate) => isAbout(candidate, record));
      if (row === undefined) continue;
      outcomes.set(row, { ok: true, id: record.id, created: record.isNew ?? created, isResent });
      unmatched.delete(record);
    }
  };
  match((row, record) => row.traceId === record.objectWriteTraceId);
  match((row, record) => row.key !== undefined && row.key === toComparable(keyOf(record) ?? ''));
  match((row, record) => row.key === undefined && holds(record, row.properties));
  // One of each left: the portal changed the value that would have told (a merged record's id, a formatted number).
  if (unnamed.length === 0 && unmatched.size === 1 && openRows().length === 1) match(() => true);

  const error = unnamed[0] ?? new HubSpotError({ ...request, kind: 'answer', code: 'ROW_NOT_ANSWERED' });
  for (const row of openRows()) outcomes.set(row, { ok: false, error });
  return outcomes;
}

function isNamed(row: SentRow, traceIds: readonly string[], ids: readonly string[]): boolean {
  if (traceIds.length > 0) return traceIds.includes(row.traceId);
  return row.key !== undefined && ids.some((id) => toComparable(id) === row.key);
}

function holds(record: WrittenRecord, properties: SentRow['properties']): boolean {
  return Object.entries(properties).every(
    ([name, value]) => toComparable(ownValue(record.properties, name) ?? '') === toComparable(value),
  );
}
