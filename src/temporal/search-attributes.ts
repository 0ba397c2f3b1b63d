import { SearchAttributeType, defineSearchAttributeKey } from '@temporalio/common';

// The SQLite visibility store has few columns a type; keep this list short. Values are ids and codes, never personal data.
export const orderAttribute = defineSearchAttributeKey('ProspectSyncOrder', SearchAttributeType.KEYWORD);
export const runAttribute = defineSearchAttributeKey('ProspectSyncRun', SearchAttributeType.KEYWORD);
export const kindAttribute = defineSearchAttributeKey('ProspectSyncKind', SearchAttributeType.KEYWORD);
/** `reconciled`, `findings`, `failed` or `cancelled`; nothing while it goes on. */
export const outcomeAttribute = defineSearchAttributeKey('ProspectSyncOutcome', SearchAttributeType.KEYWORD);
/** The type of the failure that ended it, see src/failures. */
export const failureAttribute = defineSearchAttributeKey('ProspectSyncFailure', SearchAttributeType.KEYWORD);
/** How many kinds of findings there are. */
export const findingsAttribute = defineSearchAttributeKey('ProspectSyncFindings', SearchAttributeType.INT);

export const searchAttributes = [
  orderAttribute,
  runAttribute,
  kindAttribute,
  outcomeAttribute,
  failureAttribute,
  findingsAttribute,
] as const;

/** Of an order that no run placed, nothing. */
export function runAttributePairs(runName: string | null) {
  return runName === null ? [] : [{ key: runAttribute, value: runName }];
}
