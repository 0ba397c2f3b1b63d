import { inlineLink, writeInlineLink } from '../associations/inline-associations.ts';
import { ApiError, type BatchError } from '../api-error.ts';
import type { Portal } from '../portal/portal.ts';
import { shuffled } from '../seeded-values.ts';
import { answerBatch } from '../batch-response.ts';
import type { ObjectStore } from '../portal/object-store.ts';
import type { StoredRecord } from '../portal/crm-record.ts';
import { viewWritten, type UpsertView } from './record-view.ts';
import type { PlannedWrite, RowFailure, RowPlan } from './row-plan.ts';

export interface BatchRow {
  /** undefined: the row is ignored, and the answer does not contain it. */
  readonly plan: RowPlan | undefined;
  readonly traceId: string | undefined;
}

/**
 * Writes the valid rows and reports the others. Unless every input has its own trace id, one bad
 * row refuses the batch; so does, with trace ids too, a failure that reaches the whole batch. Then nothing is written.
 */
export function writeBatch(
  portal: Portal,
  store: ObjectStore,
  rows: readonly BatchRow[],
  answer: { status: number; showsNew: boolean },
): Response {
  const startedAt = portal.clock().toISOString();
  const traced = new Set(rows.map(({ traceId }) => traceId).filter((id) => id !== undefined)).size === rows.length;
  for (const { plan } of rows) {
    if (plan && 'failure' in plan && refusesBatch(plan.failure, traced)) {
      throw new ApiError(plan.failure.status, plan.failure.body);
    }
  }

  const results: (Omit<UpsertView, 'new'> & { new?: boolean })[] = [];
  const errors: BatchError[] = [];
  for (const { plan, traceId } of rows) {
    if (!plan) continue;
    if ('failure' in plan) {
      errors.push(batchError(plan.failure, traceId));
      continue;
    }
    const view = viewWritten(store, commit(portal, store, plan.write), Object.keys(plan.write.values));
    results.push({
      ...view,
      ...(answer.showsNew && { new: plan.write.record === undefined }),
      ...(portal.assumed.echoTraceIds && traceId !== undefined && { objectWriteTraceId: traceId }),
    });
  }
  const mixed = shuffled(results, portal.seed, ({ id }) => id);
  return answerBatch(answer.status, mixed, errors, startedAt, portal.clock().toISOString());
}

export function commit(portal: Portal, store: ObjectStore, write: PlannedWrite, source = portal.source): StoredRecord {
  if (write.record) return store.update(write.record.id, write.values, source);
  const record = store.create(write.values, source);
  for (const association of write.associations) {
    const link = inlineLink(portal, store.type, association);
    if (link) writeInlineLink(portal, record.id, link);
  }
  return record;
}

function refusesBatch({ reach }: RowFailure, traced: boolean): boolean {
  return reach === 'batch' || (reach === 'untraced-batch' && !traced);
}

function batchError({ body }: RowFailure, traceId: string | undefined): BatchError {
  const context = { ...body.context, ...(traceId !== undefined && { objectWriteTraceId: [traceId] }) };
  return { status: 'error', category: body.category ?? 'VALIDATION_ERROR', message: body.message, context };
}
