import { SearchAttributeType, defineSearchAttributeKey } from '@temporalio/common';

// The SQLite visibility store has few columns a type; keep this list short. Values are ids and codes, never personal data.
export const orderAttribute = defineSearchAttributeKey('ProspectSyncOrder', SearchAttributeType.KEYWORD);
export const runAttribute = defineSearchAttributeKey('ProspectSyncRun', SearchAttributeType.KEYWORD);
export const kindAttribute = defineSearchAttributeKey('ProspectSyncKind', SearchAttributeType.KEYWORD);
export const outcomeAttribute = defineSearchAttributeKey('ProspectSyncOutcome', SearchAttributeType.KEYWORD);

export const searchAttributes = [orderAttribute, runAttribute, kindAttribute, outcomeAttribute] as const;
