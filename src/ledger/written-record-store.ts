/** The values that prospect-sync wrote last to each HubSpot record. */
import { createHash } from 'node:crypto';
import { valueDigest } from './property-values.ts';
import { namesForgotten } from './redaction/redact-slot.ts';
import { toStorableText } from '../base/text/storable.ts';
import { batchesOf, distinctBy } from './query-batches.ts';
import type { Keyring } from './keyring.ts';
import { keyPrefix, lockRecordKeys, type RecordObject } from './record-store.ts';
import type { Database, DatabaseKind } from './tables.ts';
import type { Tombstones } from './tombstones.ts';
import { removeValueChanges, saveValueChanges, type ChangedRecord } from './value-change-store.ts';

/** A value that was written, or is about to be. */
export interface WrittenValue {
  /** The text that was sent; null where only its digest is kept. */
  readonly value: string | null;
  /** Set where the value is not kept. */
  readonly digest: string | null;
  /** Digest of the previous value that prospect-sync wrote: values are stored before they are sent, and the request may fail. */
  readonly previous: string | null;
}

export type WrittenValues = ReadonlyMap<string, WrittenValue>;

export interface WrittenRecord {
  /** The record id, or `key <prospect-sync key>` until the id is known. */
  readonly recordId: string;
  /** The order that wrote last. */
  readonly orderId: string;
  readonly writtenAt: string;
  /** Values by property name. */
  readonly values: WrittenValues;
}

export interface WrittenRecordChanges {
  /** The values are merged with the stored ones, by property. */
  readonly merged?: readonly WrittenRecord[];
  readonly replaced?: readonly WrittenRecord[];
  readonly removed?: readonly string[];
  /** What the order changes in existing records, and what HubSpot has refused of it. */
  readonly changed?: OrderChanges;
  readonly refused?: OrderChanges;
}

export interface OrderChanges {
  readonly orderId: string;
  readonly records: readonly ChangedRecord[];
}

interface WrittenRecordDependencies {
  readonly kind: DatabaseKind;
  readonly keyring: Keyring;
  readonly tombstones: Tombstones;
}

/** Keys of contacts are stored under the secret of the ledger. */
export function createWrittenRecords(db: Database, { kind, keyring, tombstones }: WrittenRecordDependencies) {
  const toStoredId = (object: RecordObject, recordId: string) =>
    object === 'contacts' && recordId.startsWith(keyPrefix)
      ? `${keyPrefix}${keyring.contactKey(recordId.slice(keyPrefix.length))}`
      : recordId;
  async function put(transaction: Database, object: RecordObject, records: readonly WrittenRecord[]): Promise<void> {
    const test = await tombstones.test(transaction);
    const stored = records
      // A projection that has read the person before `forget` must not bring the values back.
      .filter(
        ({ values }) =>
          test === null ||
          !namesForgotten(
            [...values.values()].map(({ value }) => value),
            test,
          ),
      )
      .map((record) => ({ ...record, recordId: toStoredId(object, record.recordId) }));
    const known = await findKnownKeys(transaction, object, stored);
    const missing = stored.filter(({ recordId }) => !known.has(recordId));
    for (const chunk of batchesOf(distinctBy(missing, ({ recordId }) => recordId))) {
      await transaction
        .insertInto('writtenRecords')
        .values(chunk.map((record) => toRow(object, record)))
        .onConflict((conflict) =>
          conflict.columns(['object', 'recordId']).doUpdateSet((eb) => ({
            orderId: eb.ref('excluded.orderId'),
            writtenAt: eb.ref('excluded.writtenAt'),
            valuesJson: eb.ref('excluded.valuesJson'),
            seal: eb.ref('excluded.seal'),
          })),
        )
        .execute();
    }
  }

  /** With the values that are stored: the lock lets no other process write meanwhile, so that no property is lost. */
  async function mergeStored(
    transaction: Database,
    object: RecordObject,
    records: readonly WrittenRecord[],
  ): Promise<WrittenRecord[]> {
    const stored = await readRecords(
      transaction,
      object,
      records.map(({ recordId }) => recordId),
    );
    return records.map((record) => {
      const before = stored.get(record.recordId);
      return before === undefined ? record : { ...record, values: new Map([...before.values, ...record.values]) };
    });
  }

  async function readRecords(
    from: Database,
    object: RecordObject,
    recordIds: readonly string[],
  ): Promise<Map<string, WrittenRecord>> {
    const records = new Map<string, WrittenRecord>();
    for (const chunk of batchesOf([...new Set(recordIds)])) {
      const plainIds = new Map(chunk.map((id) => [toStoredId(object, id), id]));
      const rows = await from
        .selectFrom('writtenRecords')
        .select(['recordId', 'orderId', 'writtenAt', 'valuesJson', 'seal'])
        .where('object', '=', object)
        .where('recordId', 'in', [...plainIds.keys()])
        .execute();
      for (const { valuesJson, seal, ...row } of rows) {
        // Values that were changed in the ledger are left out: they do not show what HubSpot should have.
        if (seal !== sealOf(valuesJson)) continue;
        const recordId = plainIds.get(row.recordId) ?? row.recordId;
        records.set(recordId, { ...row, recordId, values: parseValues(valuesJson) });
      }
    }
    return records;
  }

  return {
    /** Written records by record id; other records, and those whose values were changed in the ledger, are absent. */
    read: (object: RecordObject, recordIds: readonly string[]): Promise<Map<string, WrittenRecord>> =>
      readRecords(db, object, recordIds),

    /** The order that wrote each record last, by record id; a record that was not written is absent. */
    async orderIds(object: RecordObject, recordIds: readonly string[]): Promise<Map<string, string>> {
      const orderIds = new Map<string, string>();
      for (const chunk of batchesOf([...new Set(recordIds)])) {
        const rows = await db
          .selectFrom('writtenRecords')
          .select(['recordId', 'orderId'])
          .where('object', '=', object)
          .where('recordId', 'in', [...chunk])
          .execute();
        for (const { recordId, orderId } of rows) orderIds.set(recordId, orderId);
      }
      return orderIds;
    },

    /**
     * All or nothing. Call before a write is sent, and after its answer if that changes what the record has. Values under a key whose
     * record the ledger knows are not stored: another attempt has stored those of the record.
     */
    save: (
      object: RecordObject,
      { merged = [], replaced = [], removed = [], changed, refused }: WrittenRecordChanges,
    ): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await lockRecordKeys(transaction, kind);
        await put(transaction, object, await mergeStored(transaction, object, merged));
        if (changed !== undefined) {
          const test = await tombstones.test(transaction);
          const kept = changed.records.filter(
            ({ changes }) => test === null || !namesForgotten(Object.values(changes), test),
          );
          await saveValueChanges(transaction, changed.orderId, kept);
        }
        if (refused !== undefined) await removeValueChanges(transaction, refused.orderId, refused.records);
        await put(transaction, object, replaced);
        for (const chunk of batchesOf([...new Set(removed.map((id) => toStoredId(object, id)))].sort())) {
          await transaction
            .deleteFrom('writtenRecords')
            .where('object', '=', object)
            .where('recordId', 'in', chunk)
            .execute();
        }
      }),
  };
}

/** The rows under `key <prospect-sync key>` whose record id is in the ledger. */
async function findKnownKeys(
  db: Database,
  object: RecordObject,
  rows: readonly Pick<WrittenRecord, 'recordId'>[],
): Promise<Set<string>> {
  const keys = rows.flatMap(({ recordId }) =>
    recordId.startsWith(keyPrefix) ? [recordId.slice(keyPrefix.length)] : [],
  );
  const known = new Set<string>();
  for (const chunk of batchesOf(keys)) {
    const records = db
      .selectFrom('records')
      .select('key')
      .where('object', '=', object)
      .where('key', 'in', [...chunk]);
    for (const { key } of await records.execute()) known.add(`${keyPrefix}${key}`);
  }
  return known;
}

/** The row of an expired order: digests instead of values. */
export function withoutValues(valuesJson: string): string {
  const entries = [...parseValues(valuesJson)].map(([property, { value, digest, previous }]) => [
    property,
    toJson({ value: null, digest: value === null ? digest : valueDigest(value), previous }),
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}

function toRow(object: RecordObject, { recordId, orderId, writtenAt, values }: WrittenRecord) {
  const entries = [...values].map(([property, written]) => [property, toJson(written)] as const);
  const valuesJson = JSON.stringify(Object.fromEntries(entries));
  return { object, recordId, orderId, writtenAt, valuesJson, seal: sealOf(valuesJson) };
}

/** Shows a change by anything but prospect-sync, such as a property that is gone. 128 bits. */
export function sealOf(valuesJson: string): string {
  return createHash('sha256').update(valuesJson).digest('base64url').slice(0, 22);
}

/** A plain string if there is no previous value, otherwise `[value, digest, previous]`. `json_patch` would merge objects. */
function toJson({ value, digest, previous }: WrittenValue) {
  const text = value === null ? null : toStorableText(value);
  return text !== null && digest === null && previous === null ? text : [text, digest, previous];
}

function parseValues(json: string): WrittenValues {
  const parsed: unknown = JSON.parse(json);
  return new Map(Object.entries(parsed ?? {}).map(([property, stored]) => [property, parseValue(stored)]));
}

function parseValue(stored: unknown): WrittenValue {
  if (typeof stored === 'string') return { value: stored, digest: null, previous: null };
  const [value, digest, previous] = Array.isArray(stored)
    ? stored.map((text: unknown) => (typeof text === 'string' ? text : null))
    : [];
  return { value: value ?? null, digest: digest ?? null, previous: previous ?? null };
}
