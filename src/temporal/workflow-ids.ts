/** Task queue, workflow ids and search attributes. Temporal never runs two workflows with the same id at the same time. */
import { SearchAttributeType, defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';

/** Used unless TEMPORAL_TASK_QUEUE is set. A demo has its own queue, so that no worker with real keys takes its tasks. */
export const taskQueue = 'prospect-sync';

/** The ids of a label read `run/dach-weekly/2026-11-23`, `run/dach-weekly/2026-11-23/2`, and so on. */
export function toRunWorkflowId(runName: string, label: string, number: number): string {
  return `run/${runName}/${label}${number === 1 ? '' : `/${number}`}`;
}

/** Runs of one name place their orders one after another. */
export function toOrderingWorkflowId(queue: string, runName: string): string {
  return `ordering/${queue}/${runName}`;
}

export function toIngestWorkflowId(orderId: string): string {
  return `order/${orderId}`;
}

export function toReconcileWorkflowId(orderId: string): string {
  return `reconcile/${orderId}`;
}

export function toRetryWorkflowId(orderId: string): string {
  return `retry/${orderId}`;
}

/** One sync of an exclusion runs at a time. The task queue separates demos and installations that share a namespace. */
export function toSyncWorkflowId(queue: string, exclusionName: string): string {
  return `exclusions/${queue}/${exclusionName}`;
}

// The SQLite visibility store has few columns a type; keep this list short. Values are ids and codes, never personal data.
export const orderAttribute = defineSearchAttributeKey('ProspectSyncOrder', SearchAttributeType.KEYWORD);
export const runAttribute = defineSearchAttributeKey('ProspectSyncRun', SearchAttributeType.KEYWORD);
export const kindAttribute = defineSearchAttributeKey('ProspectSyncKind', SearchAttributeType.KEYWORD);
/** `reconciled`, `findings`, `failed` or `cancelled`; not set while the workflow runs. */
export const outcomeAttribute = defineSearchAttributeKey('ProspectSyncOutcome', SearchAttributeType.KEYWORD);
/** Failure type of a failed workflow, see src/failures. */
export const failureAttribute = defineSearchAttributeKey('ProspectSyncFailure', SearchAttributeType.KEYWORD);
/** Number of different finding codes. */
export const findingsAttribute = defineSearchAttributeKey('ProspectSyncFindings', SearchAttributeType.INT);

export const searchAttributes = [
  orderAttribute,
  runAttribute,
  kindAttribute,
  outcomeAttribute,
  failureAttribute,
  findingsAttribute,
] as const;

/** Attributes that a run has from its start. */
export function toRunAttributes({
  runName,
  kind,
}: {
  readonly runName: string;
  readonly kind: string;
}): SearchAttributePair[] {
  return [
    { key: runAttribute, value: runName },
    { key: kindAttribute, value: kind },
  ];
}

/** @param runName null for an order that no run placed */
export function runAttributePairs(runName: string | null) {
  return runName === null ? [] : [{ key: runAttribute, value: runName }];
}
