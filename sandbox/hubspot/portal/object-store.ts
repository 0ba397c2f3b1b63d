import type { HubSpotAssumptions } from '../hubspot-assumptions.ts';
import type { ObjectType } from '../object-types.ts';
import type { PropertyRegistry } from './property-registry.ts';
import { createSearchIndex, type SearchIndex } from './search-index.ts';
import type { CalculateValues } from './calculated-values.ts';
import {
  changedRecord,
  changesNothing,
  mergedRecord,
  newRecord,
  withValues,
  type ChangeSource,
  type PropertyValues,
  type StoredRecord,
} from './crm-record.ts';
import { createUniqueIndex, type UniqueIndex } from './unique-index.ts';

/** The records of one type in one portal. */
export interface ObjectStore {
  readonly type: ObjectType;
  readonly properties: PropertyRegistry;
  readonly unique: UniqueIndex;
  readonly search: SearchIndex;
  /** The record that is not archived. */
  get(id: string): StoredRecord | undefined;
  getArchived(id: string): StoredRecord | undefined;
  /** By record id, or by a unique property. */
  find(id: string, idProperty?: string): StoredRecord | undefined;
  /** `source` of the history: the app of the key. */
  create(values: PropertyValues, source: ChangeSource): StoredRecord;
  update(id: string, change: PropertyValues, source: ChangeSource): StoredRecord;
  archive(id: string): void;
  /** @returns the remaining record. The assumption `mergedIds` decides whether the earlier ids are still found. */
  merge(primary: StoredRecord, other: StoredRecord): StoredRecord;
  /** A page of records by id; begins after the id `after`. */
  page(after: string | undefined, limit: number, archived: boolean): { records: StoredRecord[]; more: boolean };
}

export interface ObjectStoreOptions {
  readonly type: ObjectType;
  readonly properties: PropertyRegistry;
  readonly clock: () => Date;
  readonly assumed: HubSpotAssumptions;
  readonly searchLagMs: () => number;
  /** Returns increasing ids; paging relies on that. */
  readonly newId: () => number;
  readonly calculateValues: CalculateValues;
}

export function createObjectStore(options: ObjectStoreOptions): ObjectStore {
  const { type, properties, clock, assumed, newId, calculateValues } = options;
  const records = new Map<string, StoredRecord>();
  const ids: number[] = [];
  const unique = createUniqueIndex(type, () => properties.uniqueNames(), assumed.uniqueIgnoresCase);
  const search = createSearchIndex(clock, options.searchLagMs);
  // Id of the remaining record by the id of each merged record.
  const became = new Map<string, string>();
  const nowOf = (id: string): string => {
    const next = became.get(id);
    return next === undefined || assumed.mergedIds === 'gone' ? id : nowOf(next);
  };
  const get = (id: string) => live(records.get(nowOf(id)));
  const newRecordId = () => {
    const id = newId();
    ids.push(id);
    return String(id);
  };
  const write = (record: StoredRecord) => {
    unique.replace(get(record.id), assumed.archivedHoldUniqueValues ? record : live(record));
    records.set(record.id, record);
    search.add(record);
    return record;
  };

  return {
    type,
    properties,
    unique,
    search,
    get,
    getArchived(id) {
      const record = records.get(id);
      return record?.archivedAt === undefined ? undefined : record;
    },
    find: (id, idProperty) => get(idProperty === undefined ? id : (unique.owner(idProperty, id) ?? '')),
    create(values, source) {
      const at = clock().toISOString();
      const all = { ...calculateValues({}, values, at), ...values };
      return write(newRecord(type, newRecordId(), all, { at, source }));
    },
    update(id, change, source) {
      const record = get(id);
      if (!record) throw new Error(`no ${type.singular} to update`);
      if (!assumed.unchangedWriteMovesModifiedDate && changesNothing(record, change)) return record;
      const at = clock().toISOString();
      const all = { ...calculateValues(record.properties, change, at), ...change };
      return write(changedRecord(type, record, all, { at, source }));
    },
    archive(id) {
      const record = get(id);
      if (record) write({ ...record, archivedAt: clock().toISOString() });
    },
    merge(primary, other) {
      const now = clock().toISOString();
      const id = assumed.mergeKeepsPrimaryId ? primary.id : newRecordId();
      for (const record of [primary, other].filter((record) => record.id !== id)) {
        unique.replace(record, undefined);
        records.delete(record.id);
        became.set(record.id, id);
        search.add({ ...record, archivedAt: now });
      }
      const merged = mergedRecord(type, id, [primary, other], now);
      return write(withValues(merged, calculateValues(merged.properties, merged.properties, now)));
    },
    page(after, limit, archived) {
      const found: StoredRecord[] = [];
      for (let i = after === undefined ? 0 : firstAbove(ids, Number(after)); i < ids.length; i++) {
        const record = records.get(String(ids[i]));
        if (!record || (record.archivedAt !== undefined) !== archived) continue;
        if (found.length === limit) return { records: found, more: true };
        found.push(record);
      }
      return { records: found, more: false };
    },
  };
}

function live(record: StoredRecord | undefined): StoredRecord | undefined {
  return record?.archivedAt === undefined ? record : undefined;
}

function firstAbove(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
