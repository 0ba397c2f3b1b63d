import type { ObjectType } from '../object-types.ts';

export type PropertyValues = Readonly<Record<string, string>>;

/** One version of a record. A write replaces the whole version, so that an index may keep an old one. */
export interface StoredRecord {
  readonly id: string;
  /** Only properties that have a value. */
  readonly properties: PropertyValues;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt?: string;
}

export function newRecord(type: ObjectType, id: string, values: PropertyValues, now: string): StoredRecord {
  const system = { hs_object_id: id, [type.createdProperty]: now, [type.modifiedProperty]: now };
  return { id, properties: { ...withoutEmpty(values), ...system }, createdAt: now, updatedAt: now };
}

export function changedRecord(
  type: ObjectType,
  record: StoredRecord,
  change: PropertyValues,
  now: string,
): StoredRecord {
  const properties = withoutEmpty({ ...record.properties, ...change, [type.modifiedProperty]: now });
  return { ...record, properties, updatedAt: now };
}

export function changesNothing(record: StoredRecord, change: PropertyValues): boolean {
  return Object.entries(change).every(([name, value]) => (record.properties[name] ?? '') === value);
}

/** Every address of a record known by email: the primary one and the secondary ones. */
export function emailsOf(properties: PropertyValues): string[] {
  const additional = (properties['hs_additional_emails'] ?? '').split(';');
  return [properties['email'] ?? '', ...additional]
    .map((email) => email.trim().toLowerCase())
    .filter((email) => email !== '');
}

function withoutEmpty(values: PropertyValues): PropertyValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}
