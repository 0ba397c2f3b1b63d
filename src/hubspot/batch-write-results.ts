// Assigns the parts of a batch answer to the rows that were sent: results come in any order and may lack the trace id.
import { z } from 'zod';

import { toErrorFacts } from './error-facts.ts';
import { HubSpotError } from './hubspot-error.ts';
import type { FailedRow } from './batch-requests.ts';
import { recordSchema, toComparable } from './hubspot-record.ts';
import type { Answered } from './call-sdk.ts';
import { getOwnProperty } from '../base/json/own-property.ts';

export type WriteResult =
  | {
      readonly ok: true;
      readonly id: string;
      readonly created: boolean;
      /** The call was sent twice: a record that existed may come from its first sending. */
      readonly isResent: boolean;
    }
  | FailedRow;

export interface SentRow {
  readonly traceId: string;
  /** Record id or key value as given; empty for creates. */
  readonly id: string;
  /** `id` normalized for comparison. */
  readonly key: string | undefined;
  readonly properties: Readonly<Record<string, string>>;
  /** Of a record to create. */
  readonly associations?: readonly NewAssociation[] | undefined;
}

/** An association that is created with its record, by HubSpot's id of its type. */
export interface NewAssociation {
  readonly toId: string;
  readonly typeId: number;
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
 * @param keyOf the value of a written record that equals the key of its row, if the operation has keys
 * @param created value for records without `new`, which only answers to upserts have
 * @returns an outcome for each row. A row that the answer does not mention fails with ROW_NOT_ANSWERED, though it may be written
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
  // One row and one record are left: the portal changed the value to compare (id of a merged record, a formatted number).
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
    ([name, value]) => toComparable(getOwnProperty(record.properties, name) ?? '') === toComparable(value),
  );
}
