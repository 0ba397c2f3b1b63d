/** The search attributes of all workflows. Temporal UI and CLI filter by them. */
import { SearchAttributeType, defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';

// The SQLite visibility store has few columns a type; keep this list short. Values are ids and codes, never personal data.
export const orderAttribute = defineSearchAttributeKey('ProspectSyncOrder', SearchAttributeType.KEYWORD);
export const runAttribute = defineSearchAttributeKey('ProspectSyncRun', SearchAttributeType.KEYWORD);
export const kindAttribute = defineSearchAttributeKey('ProspectSyncKind', SearchAttributeType.KEYWORD);
/** `reconciled`, `findings`, `failed` or `cancelled`; not set while the workflow runs. */
export const outcomeAttribute = defineSearchAttributeKey('ProspectSyncOutcome', SearchAttributeType.KEYWORD);
/** Failure type of a failed workflow, see src/base/failures. */
export const failureAttribute = defineSearchAttributeKey('ProspectSyncFailure', SearchAttributeType.KEYWORD);
/** Number of different finding codes. */
export const findingsAttribute = defineSearchAttributeKey('ProspectSyncFindings', SearchAttributeType.INT);

/** Number of companies of a collected order that were delivered, as `expect.min_delivered` counts them. */
export const deliveredAttribute = defineSearchAttributeKey('ProspectSyncDelivered', SearchAttributeType.INT);

export const searchAttributes = [
  orderAttribute,
  runAttribute,
  kindAttribute,
  outcomeAttribute,
  failureAttribute,
  findingsAttribute,
  deliveredAttribute,
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
