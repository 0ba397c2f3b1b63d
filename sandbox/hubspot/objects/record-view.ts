import type { SimplePublicObject } from '@hubspot/api-client/lib/codegen/crm/companies/models/SimplePublicObject.js';
import type { SimplePublicUpsertObject } from '@hubspot/api-client/lib/codegen/crm/companies/models/SimplePublicUpsertObject.js';
import type { JsonOf } from '../json-model.ts';
import type { ObjectStore } from '../portal/object-store.ts';
import { valueOf, type StoredRecord } from '../portal/crm-record.ts';
import { historyOf, type HistoryEntry } from '../portal/property-history.ts';

export type RecordView = JsonOf<SimplePublicObject>;
type History = Record<string, HistoryEntry[]>;
export type UpsertView = JsonOf<SimplePublicUpsertObject>;

/**
 * A record in the answer to a read: the requested properties, null where empty, or the default ones. System
 * properties are always there; names that do not exist are left out.
 */
export function viewRecord(
  store: ObjectStore,
  record: StoredRecord,
  requested: readonly string[],
  withHistory: readonly string[] = [],
): RecordView & { propertiesWithHistory?: History } {
  const names = requested.length > 0 ? requested : store.type.defaultProperties;
  const properties: Record<string, string | null> = {};
  for (const name of names) {
    if (store.properties.get(name)) properties[name] = valueOf(record.properties, name) ?? null;
  }
  const view = { ...facts(record), properties: { ...properties, ...systemProperties(store, record) } };
  const known = withHistory.filter((name) => store.properties.get(name));
  if (known.length === 0) return view;
  const histories = known.map((name) => [name, historyOf(record.changes, name)] as const);
  return { ...view, propertiesWithHistory: Object.fromEntries(histories) };
}

/** A record in the answer to a write: the written values and the system properties. */
export function viewWritten(
  store: ObjectStore,
  record: StoredRecord,
  names: Iterable<string>,
): RecordView & Pick<UpsertView, 'properties'> {
  const properties: Record<string, string> = {};
  for (const name of names) properties[name] = valueOf(record.properties, name) ?? '';
  return { ...facts(record), properties: { ...properties, ...systemProperties(store, record) } };
}

function facts({ id, createdAt, updatedAt, archivedAt }: StoredRecord) {
  return {
    id,
    createdAt,
    updatedAt,
    archived: archivedAt !== undefined,
    ...(archivedAt !== undefined && { archivedAt }),
  };
}

function systemProperties({ type }: ObjectStore, record: StoredRecord): Record<string, string> {
  return {
    hs_object_id: record.id,
    [type.createdProperty]: record.createdAt,
    [type.modifiedProperty]: record.updatedAt,
  };
}
