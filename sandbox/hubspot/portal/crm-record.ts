import type { ObjectType } from '../object-types.ts';

export type PropertyValues = Readonly<Record<string, string>>;

/** Whether the values of a record match a filter. */
export type RecordPredicate = (values: PropertyValues) => boolean;

/** Who changed a value, in the words of HubSpot's property history. */
export interface ChangeSource {
  readonly sourceType: string;
  readonly sourceId?: string;
  readonly updatedByUserId?: number;
}

export interface RecordChange {
  readonly values: PropertyValues;
  readonly at: string;
  readonly source: ChangeSource;
}

/** One version of a record. A write replaces the whole version, so that an index may keep an old one. */
export interface StoredRecord {
  readonly id: string;
  /** Only properties that have a value. */
  readonly properties: PropertyValues;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt?: string;
  /** Number of merges. */
  readonly merges?: number;
  /** Oldest first. */
  readonly changes: readonly RecordChange[];
}

/** Own properties only: a property may be called `constructor`. */
export function valueOf(values: PropertyValues, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

export function newRecord(
  type: ObjectType,
  id: string,
  values: PropertyValues,
  { at: now, source }: { readonly at: string; readonly source: ChangeSource },
): StoredRecord {
  const system = { hs_object_id: id, [type.createdProperty]: now, [type.modifiedProperty]: now };
  const changes = [{ values, at: now, source }];
  return { id, properties: { ...withoutEmpty(values), ...system }, createdAt: now, updatedAt: now, changes };
}

export function changedRecord(
  type: ObjectType,
  record: StoredRecord,
  change: PropertyValues,
  { at: now, source }: { readonly at: string; readonly source: ChangeSource },
): StoredRecord {
  const properties = withoutEmpty({ ...record.properties, ...change, [type.modifiedProperty]: now });
  const changes = [...record.changes.slice(-keptChanges), { values: change, at: now, source }];
  return { ...record, properties, updatedAt: now, changes };
}

const keptChanges = 200;

/** The merged record: values of the primary record, and values of the other where the primary has none. */
export function mergedRecord(
  type: ObjectType,
  id: string,
  [primary, other]: readonly [StoredRecord, StoredRecord],
  now: string,
): StoredRecord {
  const createdAt = primary.createdAt < other.createdAt ? primary.createdAt : other.createdAt;
  const gone = [primary, other].filter((record) => record.id !== id);
  const formerIds = [primary, other].flatMap(({ properties }) => listOf(properties['hs_merged_object_ids']));
  const properties = {
    ...other.properties,
    ...primary.properties,
    ...additionalValues(type, primary, other),
    hs_merged_object_ids: [...formerIds, ...gone.map((record) => record.id)].join(';'),
    hs_object_id: id,
    [type.createdProperty]: createdAt,
    [type.modifiedProperty]: now,
  };
  const changes = [...other.changes, ...primary.changes].toSorted((a, b) => (a.at < b.at ? -1 : 1));
  const merges = (primary.merges ?? 0) + (other.merges ?? 0) + 1;
  return { id, properties, createdAt, updatedAt: now, merges, changes };
}

/** The same version with other values. */
export function withValues(record: StoredRecord, values: PropertyValues): StoredRecord {
  return { ...record, properties: withoutEmpty({ ...record.properties, ...values }) };
}

export function changesNothing(record: StoredRecord, change: PropertyValues): boolean {
  return Object.entries(change).every(([name, value]) => (valueOf(record.properties, name) ?? '') === value);
}

/** Every address of a record known by email: the primary one and the secondary ones. */
export function emailsOf(properties: PropertyValues): string[] {
  return [...listOf(properties['email']), ...listOf(properties['hs_additional_emails'])].map((email) =>
    email.toLowerCase(),
  );
}

/** Keeps the other record's email or domain as an additional one. */
function additionalValues(
  { additional }: ObjectType,
  { properties: primary }: StoredRecord,
  { properties: other }: StoredRecord,
): PropertyValues {
  if (!additional) return {};
  const { of, into } = additional;
  const kept = primary[of] ?? other[of];
  const values = [primary[into], other[of], other[into]].flatMap(listOf).filter((value) => value !== kept);
  return values.length > 0 ? { [into]: [...new Set(values)].join(';') } : {};
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(';')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

function withoutEmpty(values: PropertyValues): PropertyValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}
