// What changed the properties of a record, and when.
import { valueOf, type ChangeSource, type RecordChange } from './crm-record.ts';

export interface HistoryEntry extends ChangeSource {
  readonly value: string;
  readonly timestamp: string;
}

/** Each token of a portal belongs to an app of its own. */
export function appSource(token: number): ChangeSource {
  return { sourceType: 'INTEGRATION', sourceId: String(5_104_522 + token) };
}

export function userSource(userId: number): ChangeSource {
  return { sourceType: 'CRM_UI', sourceId: `userId:${userId}`, updatedByUserId: userId };
}

/** Documented for other objects than contacts, which have 45. */
const historyLength = 20;

/** Newest first. A write of the same value adds no entry. */
export function historyOf(changes: readonly RecordChange[], property: string): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  for (const { values, at, source } of changes) {
    const value = valueOf(values, property);
    if (value === undefined || value === (entries.at(-1)?.value ?? '')) continue;
    entries.push({ value, timestamp: at, ...source });
  }
  return entries.slice(-historyLength).toReversed();
}
