/** Sends planned writes to HubSpot, with only the properties that differ. A rejected record does not block others. */
import { createHash } from 'node:crypto';
import type { HubSpotError } from '../hubspot/hubspot-error.ts';
import type { CrmRecord, ObjectType } from '../hubspot/hubspot-record.ts';
import type { WriteResult } from '../hubspot/batch-write-results.ts';
import { getOwnProperty } from '../json/own-property.ts';
import type { Item } from '../ledger/outcome-store.ts';
import { keyPrefix, toValueKey, type WrittenValue } from '../ledger/record-store.ts';
import { omitProperties, toChanges, type Properties, type PropertiesByPolicy } from '../mapping/crm-properties.ts';
import { comparableText } from '../mapping/transforms.ts';
import { carriesAnotherKey, keyProperties, type Match } from './record-match.ts';
import {
  outcomeWithoutChange,
  planWrites,
  type BatchSlot,
  type Projection,
  type ProjectionDependencies,
} from './slot-batch.ts';

/** The planned values of one record. */
export interface RecordWrite {
  readonly slot: BatchSlot;
  readonly item: Item;
  /** null for a submitted record whose row was not enriched. */
  readonly key: string | null;
  readonly match: Match;
  readonly properties: PropertiesByPolicy;
  /** True when this pass created the record by a request whose answer does not mention it. */
  readonly isAlreadyCreated?: boolean;
}

/** HubSpot's answer to one write. */
export type WriteOutcome =
  | { readonly kind: 'unchanged'; readonly id: string | null }
  /** `isNew`: HubSpot reports that this call created the record. */
  | { readonly kind: 'updated' | 'created'; readonly id: string; readonly isNew: boolean }
  /** Another row of the order writes the record. */
  | { readonly kind: 'claimed'; readonly id: string }
  | { readonly kind: 'rejected'; readonly error: HubSpotError };

/** @returns outcome i belongs to write i */
export async function sendWrites(
  dependencies: ProjectionDependencies,
  projection: Projection,
  type: ObjectType,
  writes: readonly RecordWrite[],
): Promise<WriteOutcome[]> {
  const { hubspot, ledger, signal } = dependencies;
  const changes = await planChanges(dependencies, type, writes);
  const inputs = writes.flatMap((write, index) => toInput(projection, write, changes[index] ?? {}));
  const updates = inputs.filter(({ write }) => write.match.record !== null);
  const creates = inputs.filter(({ write }) => write.match.record === null);
  await planWrites(
    dependencies,
    projection,
    inputs.map(({ write }) => ({ position: write.slot.position, item: write.item, planned: toPlannedWrite(write) })),
  );
  // A record to create has no id yet, and its answer may be lost: its values are stored under its key.
  await ledger.writtenValues.save(type, [
    ...updates.flatMap((input) => toWrittenValues(input.id, input.write, input.properties)),
    ...creates.flatMap((input) => toWrittenValues(toKeyId(input.id), input.write, input.properties)),
  ]);
  const updated = await hubspot.objects.update(type, updates, signal);
  const created = await hubspot.objects.upsert(type, keyProperties[type], creates, signal);

  const updatedIds = new Set(updates.map(({ id }) => id));
  const outcomes = new Map<RecordWrite, WriteOutcome>([
    ...updates.map(({ write }, index) => [write, toWriteOutcome(updated[index], 'updated')] as const),
    ...creates.map(({ write }, index) => {
      const kind = isCreation(created[index], updatedIds) ? 'created' : 'updated';
      return [write, toWriteOutcome(created[index], kind)] as const;
    }),
  ]);
  await ledger.writtenValues.save(
    type,
    creates.flatMap(({ write, properties }) => {
      const outcome = outcomes.get(write);
      return outcome?.kind === 'created' ? toWrittenValues(outcome.id, write, properties) : [];
    }),
  );
  return writes.map((write) => outcomes.get(write) ?? { kind: 'unchanged', id: write.match.record?.id ?? null });
}

/** The properties to send for each write: all of them for a new record, those that differ for an existing one. */
export async function planChanges(
  { ledger }: ProjectionDependencies,
  type: ObjectType,
  writes: readonly RecordWrite[],
): Promise<Properties[]> {
  const ids = writes.flatMap((write) =>
    Object.keys(write.properties.onlyIfOurs).length === 0 ? [] : valueIdsOf(write),
  );
  const digests = ids.length === 0 ? new Map<string, readonly string[]>() : await ledger.writtenValues.read(type, ids);
  return writes.map((write) => {
    const { record } = write.match;
    if (record === null) {
      const { fillEmpty, onlyIfOurs, always, stamp } = write.properties;
      return { ...fillEmpty, ...onlyIfOurs, ...always, ...stamp };
    }
    const wasWrittenByUs = (property: string, value: string): boolean => {
      const stored = valueIdsOf(write).map((recordId) => digests.get(toValueKey({ recordId, property })));
      return stored.find((known) => known !== undefined)?.includes(toDigest(value)) === true;
    };
    return toChanges(toAllowedProperties(type, write, record), record.properties, wasWrittenByUs);
  });
}

/** An existing record keeps its key. Unique values that another record has are not sent. */
function toAllowedProperties(
  type: ObjectType,
  { key, match, properties }: RecordWrite,
  record: CrmRecord,
): PropertiesByPolicy {
  const { rule, conflictingProperties } = match;
  const keepsKey = rule !== 'external_id' && carriesAnotherKey(type, record, key);
  return omitProperties(properties, keepsKey ? [...conflictingProperties, keyProperties[type]] : conflictingProperties);
}

function toInput({ orderId }: Projection, write: RecordWrite, properties: Properties) {
  const { slot, item, key, match } = write;
  const id = match.record?.id ?? key;
  if (id === null || (match.record !== null && Object.keys(properties).length === 0)) return [];
  return [{ write, id, properties, traceId: toTraceId(orderId, slot.position, item) }];
}

/** `objectWriteTraceId`: unique in a batch, and contains no personal data. */
export function toTraceId(orderId: string, position: number, item: Item): string {
  return `${orderId}/${position}/${item}`;
}

function toPlannedWrite({ slot, item, match, isAlreadyCreated }: RecordWrite): 'create' | 'update' {
  if (match.record === null || isAlreadyCreated === true) return 'create';
  return outcomeWithoutChange(slot, item) === 'created' ? 'create' : 'update';
}

function toWriteOutcome(result: WriteResult | undefined, kind: 'updated' | 'created'): WriteOutcome {
  if (result === undefined) throw new RangeError('a batch write returned fewer results than inputs');
  return result.ok ? { kind, id: result.id, isNew: result.created } : { kind: 'rejected', error: result.error };
}

/** An upsert that was sent twice finds the record that its first request created, unless this batch updated that record. */
function isCreation(result: WriteResult | undefined, updatedIds: ReadonlySet<string>): boolean {
  return result?.ok === true && (result.created || (result.isResent && !updatedIds.has(result.id)));
}

/** The values with the policy `only-if-ours`, with the digest of the value that they replace. */
export function toWrittenValues(
  recordId: string,
  { properties: { onlyIfOurs }, match }: RecordWrite,
  sent: Properties,
): WrittenValue[] {
  return Object.entries(sent).flatMap(([property, value]) => {
    const current = getOwnProperty(match.record?.properties ?? {}, property) ?? '';
    const previous = current === '' ? null : toDigest(current);
    return Object.hasOwn(onlyIfOurs, property) ? [{ recordId, property, digest: toDigest(value), previous }] : [];
  });
}

/** Values stored under the record id take precedence over those stored under the key. */
function valueIdsOf({ match: { record }, key }: RecordWrite): string[] {
  return [...(record === null ? [] : [record.id]), ...(key === null ? [] : [toKeyId(key)])];
}

function toKeyId(key: string): string {
  return `${keyPrefix}${key}`;
}

function toDigest(value: string): string {
  return createHash('sha256').update(comparableText(value)).digest('hex').slice(0, 32);
}
