/** Stores the values of each write in the ledger: for the policy `only-if-ours`, and to compare them with the CRM later. */
import type { CrmRecord, ObjectType } from '../../hubspot/hubspot-record.ts';
import { getOwnProperty } from '../../base/json/own-property.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { keyPrefix } from '../../ledger/record-store.ts';
import type { WrittenRecord, WrittenValue } from '../../ledger/written-record-store.ts';
import type { ChangedRecord } from '../../ledger/value-change-store.ts';
import {
  isManagedProperty,
  omitProperties,
  type Properties,
  type PropertiesByPolicy,
} from '../mapping/crm-properties.ts';
import { isSame, valueDigest } from '../../ledger/property-values.ts';
import { carriesAnotherKey, keyProperties } from './record-match.ts';
import type { Projection, ProjectionDependencies } from './slot-batch.ts';
import type { RecordWrite, WriteOutcome } from './record-write.ts';

/** The stored values of the records of a batch. */
export interface StoredRecords {
  readonly get: (recordId: string) => WrittenRecord | undefined;
  /** Values stored under the record id take precedence over those stored under the key. */
  readonly valueOf: (write: RecordWrite, property: string) => WrittenValue | undefined;
}

/** Records to create have no row yet. */
export async function readStoredRecords(
  { writtenRecords }: Ledger,
  type: ObjectType,
  writes: readonly RecordWrite[],
): Promise<StoredRecords> {
  const ids = writes.flatMap((write) => (write.match.record === null ? [] : rowIdsOf(write)));
  const records = await writtenRecords.read(type, ids);
  return {
    get: (recordId) => records.get(recordId),
    valueOf(write, property) {
      const values = rowIdsOf(write).map((recordId) => records.get(recordId)?.values.get(property));
      return values.find((value) => value !== undefined);
    },
  };
}

/** True when the value may be the one that prospect-sync wrote last: a write whose answer was lost may have failed. */
export function isOurs(written: WrittenValue | undefined, current: string): boolean {
  return written !== undefined && (isWrittenValue(written, current) || written.previous === valueDigest(current));
}

/** True when the value in the CRM is the one that was written, in any of the forms in which HubSpot returns it. */
export function isWrittenValue({ value, digest }: WrittenValue, current: string): boolean {
  return value === null ? digest === valueDigest(current) : isSame(value, current);
}

/** An existing record keeps its key. Unique values that another record has are not sent. */
export function toAllowedProperties(
  type: ObjectType,
  { key, match, properties }: RecordWrite,
  record: CrmRecord,
): PropertiesByPolicy {
  const { rule, conflictingProperties } = match;
  const keepsKey = rule !== 'external_id' && carriesAnotherKey(type, record, key);
  return omitProperties(properties, keepsKey ? [...conflictingProperties, keyProperties[type]] : conflictingProperties);
}

interface PlannedValues {
  readonly write: RecordWrite;
  /** The properties to send. */
  readonly properties: Properties;
}

export function createWrittenMemory(
  { ledger, now }: ProjectionDependencies,
  { orderId }: Projection,
  type: ObjectType,
  stored: StoredRecords,
) {
  const writtenAt = now().toISOString();
  const toRecord = (recordId: string, values: WrittenRecord['values']) => ({ recordId, orderId, writtenAt, values });

  /** A row under the key contains the values of a write whose answer was lost; the record with the key has them. */
  function toMerged({ write, properties }: PlannedValues): { merged: WrittenRecord[]; removed: string[] } {
    const { match, key } = write;
    const values = toWrittenValues(type, write, properties);
    for (const [property, value] of findValuesAlreadyWritten(type, write, stored))
      if (!values.has(property)) values.set(property, value);
    // A record to create has no id yet, and its answer may be lost: its values are stored under its key.
    if (match.record === null) return { merged: key === null ? [] : [toRecord(toKeyId(key), values)], removed: [] };
    const { id } = match.record;
    const underKey = key === null || match.rule !== 'key' ? undefined : stored.get(toKeyId(key));
    if (underKey !== undefined) {
      const known = new Map([...underKey.values, ...(stored.get(id)?.values ?? []), ...values]);
      return { merged: [toRecord(id, known)], removed: [underKey.recordId] };
    }
    return { merged: isStored(stored.get(id), values) ? [] : [toRecord(id, values)], removed: [] };
  }

  function isStored(record: WrittenRecord | undefined, values: WrittenRecord['values']): boolean {
    if (record?.orderId !== orderId) return false;
    return [...values].every(([property, { value, digest }]) => {
      const known = record.values.get(property);
      return known !== undefined && known.value === value && known.digest === digest;
    });
  }

  /** Empty for a new record, and where only properties of prospect-sync are sent. */
  function toChangedRecord({ write: { match }, properties }: PlannedValues): ChangedRecord[] {
    const { record } = match;
    if (record === null) return [];
    const changes = Object.entries(properties).flatMap(([property, after]) => {
      const before = getOwnProperty(record.properties, property) ?? '';
      return isManagedProperty(property) || before === after ? [] : [[property, { before, after }] as const];
    });
    if (changes.length === 0) return [];
    return [{ object: type, recordId: record.id, at: writtenAt, changes: Object.fromEntries(changes) }];
  }

  return {
    /** A process may die between a write and its answer, so values are stored first. */
    async beforeSending(writes: readonly PlannedValues[]): Promise<void> {
      const changes = writes.map(toMerged);
      await ledger.writtenRecords.save(type, {
        merged: changes.flatMap(({ merged }) => merged),
        removed: changes.flatMap(({ removed }) => removed),
        changed: { orderId, records: writes.flatMap(toChangedRecord) },
      });
    },

    /** Moves values of new records from the key to the record id, and deletes rejected values. */
    async afterAnswers(writes: readonly (PlannedValues & { outcome: WriteOutcome | undefined })[]): Promise<void> {
      const merged: WrittenRecord[] = [];
      const replaced: WrittenRecord[] = [];
      const removed: string[] = [];
      const refused: ChangedRecord[] = [];
      for (const { write, properties, outcome } of writes) {
        const { match, key } = write;
        if (outcome === undefined) continue;
        const rowId = match.record?.id ?? toKeyId(key ?? '');
        if (outcome.kind === 'rejected') {
          // Without an answer for the row, HubSpot may have written it.
          if (outcome.error.code === 'ROW_NOT_ANSWERED') continue;
          refused.push(...toChangedRecord({ write, properties }));
          const before = stored.get(rowId);
          if (before === undefined) removed.push(rowId);
          else replaced.push(before);
        } else if (match.record === null && outcome.id !== null) {
          merged.push(toRecord(outcome.id, toWrittenValues(type, write, properties)));
          removed.push(rowId);
        }
      }
      if (merged.length + replaced.length + removed.length > 0) {
        await ledger.writtenRecords.save(type, { merged, replaced, removed, refused: { orderId, records: refused } });
      }
    },
  };
}

/** The values that the record has after the write: those that are sent, and those with the policy `always`, which it may have already. */
export function toWrittenValues(type: ObjectType, write: RecordWrite, sent: Properties): Map<string, WrittenValue> {
  const { match, properties } = write;
  const allowed = match.record === null ? properties : toAllowedProperties(type, write, match.record);
  const values = new Map<string, WrittenValue>();
  const add = (property: string, value: string, previous: string | null) => {
    // The ledger holds the keys of contacts only under its secret.
    const isContactKey = type === 'contacts' && property === keyProperties.contacts;
    values.set(
      property,
      isContactKey ? { value: null, digest: valueDigest(value), previous } : { value, digest: null, previous },
    );
  };
  for (const [property, value] of Object.entries(allowed.always)) if (value !== '') add(property, value, null);
  for (const [property, value] of Object.entries(sent)) {
    const current = getOwnProperty(match.record?.properties ?? {}, property) ?? '';
    const isReplacement = current !== '' && Object.hasOwn(properties.onlyIfOurs, property);
    add(property, value, isReplacement ? valueDigest(current) : null);
  }
  return values;
}

/**
 * Planned values that the record already has, for properties with a stored value. Another order may have stored its values before this
 * order's request arrived, so the ledger and the record can name different orders.
 */
function findValuesAlreadyWritten(
  type: ObjectType,
  write: RecordWrite,
  stored: StoredRecords,
): [string, WrittenValue][] {
  const { record } = write.match;
  if (record === null) return [];
  const known = stored.get(record.id)?.values;
  const { fillEmpty, onlyIfOurs, stamp } = toAllowedProperties(type, write, record);
  return [fillEmpty, onlyIfOurs, stamp].flatMap((part) =>
    Object.entries(part).flatMap(([property, value]): [string, WrittenValue][] => {
      const current = getOwnProperty(record.properties, property) ?? '';
      const isArrived = known?.has(property) === true && value !== '' && isSame(value, current.trim());
      return isArrived ? [[property, { value, digest: null, previous: null }]] : [];
    }),
  );
}

function rowIdsOf({ match: { record }, key }: RecordWrite): string[] {
  return [...(record === null ? [] : [record.id]), ...(key === null ? [] : [toKeyId(key)])];
}

export function toKeyId(key: string): string {
  return `${keyPrefix}${key}`;
}
