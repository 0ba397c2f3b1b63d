/** Sends planned writes to HubSpot, with only the properties that differ. A rejected record does not block others. */
import type { ObjectType } from '../../hubspot/hubspot-record.ts';
import type { WriteResult } from '../../hubspot/batch-write-results.ts';
import type { Item } from '../../ledger/outcome-store.ts';
import { isManagedProperty, omitProperties, toChanges, type Properties } from '../mapping/crm-properties.ts';
import { findNewerOrders } from './newer-orders.ts';
import { keyProperties } from './record-match.ts';
import type { RecordWrite, SentWrite, WriteOutcome } from './record-write.ts';
import { outcomeWithoutChange, planWrites, type Projection, type ProjectionDependencies } from './slot-batch.ts';
import { findClearedValues } from './cleared-values.ts';
import {
  createWrittenMemory,
  isOurs,
  readStoredRecords,
  toAllowedProperties,
  type StoredRecords,
} from './written-values.ts';

/** Sends the writes whose record no newer order has written. */
export async function sendWrites(
  dependencies: ProjectionDependencies,
  projection: Projection,
  type: ObjectType,
  writes: readonly RecordWrite[],
): Promise<SentWrite[]> {
  const newer = await findNewer(dependencies, projection, type, writes);
  const sendable = writes.filter((write) => !newer.has(write));
  const sent = await sendOwnWrites(dependencies, projection, type, sendable);
  return [...[...newer].map(([write, outcome]) => ({ write, outcome })), ...sent];
}

/** The writes of existing records that a newer order has written. */
export async function findNewer(
  { ledger }: ProjectionDependencies,
  { orderId, force }: Projection,
  type: ObjectType,
  writes: readonly RecordWrite[],
): Promise<Map<RecordWrite, WriteOutcome & { readonly kind: 'newer' }>> {
  if (force) return new Map();
  const records = writes.flatMap(({ match }) => match.record ?? []);
  const newer = await findNewerOrders(ledger, orderId, type, records);
  return new Map(
    writes.flatMap((write) => {
      const id = write.match.record?.id ?? '';
      const newerOrder = newer.get(id);
      return newerOrder === undefined ? [] : [[write, { kind: 'newer', id, orderId: newerOrder }] as const];
    }),
  );
}

async function sendOwnWrites(
  dependencies: ProjectionDependencies,
  projection: Projection,
  type: ObjectType,
  writes: readonly RecordWrite[],
): Promise<SentWrite[]> {
  const { hubspot, ledger, signal } = dependencies;
  const stored = await readStoredRecords(ledger, type, writes);
  const planned = await toChangesOf(dependencies, projection, type, { writes, stored });
  const changes = planned.map(({ write, properties }) => ({
    write,
    properties: withOwnProperties(type, write, properties),
  }));
  const inputs = changes.flatMap(({ write, properties }) => toInput(projection, write, properties));
  const updates = inputs.filter(({ write }) => write.match.record !== null);
  const creates = inputs.filter(({ write }) => write.match.record === null);
  await planWrites(
    dependencies,
    projection,
    inputs.map(({ write }) => ({ position: write.slot.position, item: write.item, planned: toPlannedWrite(write) })),
  );
  const memory = createWrittenMemory(dependencies, projection, type, stored);
  await memory.beforeSending(changes);
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
  await memory.afterAnswers(
    inputs.map(({ write, properties }) => ({ write, properties, outcome: outcomes.get(write) })),
  );
  return writes.map((write) => {
    const outcome = outcomes.get(write) ?? { kind: 'unchanged', id: write.match.record?.id ?? null };
    return { write, outcome };
  });
}

interface RecordChange {
  readonly write: RecordWrite;
  readonly properties: Properties;
}

/** The properties to send for each write: all of them for a new record, those that differ for an existing one. */
export async function planChanges(
  dependencies: ProjectionDependencies,
  projection: Projection,
  type: ObjectType,
  writes: readonly RecordWrite[],
): Promise<RecordChange[]> {
  const stored = await readStoredRecords(dependencies.ledger, type, writes);
  return toChangesOf(dependencies, projection, type, { writes, stored });
}

async function toChangesOf(
  dependencies: ProjectionDependencies,
  { force }: Projection,
  type: ObjectType,
  { writes, stored }: { readonly writes: readonly RecordWrite[]; readonly stored: StoredRecords },
): Promise<RecordChange[]> {
  const cleared = force ? null : await findClearedValues(dependencies, type, writes, stored);
  return writes.map((write) => {
    const { record } = write.match;
    if (record === null) {
      const { fillEmpty, onlyIfOurs, always, stamp } = write.properties;
      return { write, properties: { ...fillEmpty, ...onlyIfOurs, ...always, ...stamp } };
    }
    const wasWrittenByUs = (property: string, value: string) => isOurs(stored.valueOf(write, property), value);
    const allowed = omitProperties(toAllowedProperties(type, write, record), cleared?.get(record.id) ?? []);
    return { write, properties: toChanges(allowed, record.properties, wasWrittenByUs) };
  });
}

/**
 * An update contains all prospect_sync properties, also unchanged ones: if two orders write a record at the same time, all properties then
 * come from the same order.
 */
function withOwnProperties(type: ObjectType, write: RecordWrite, changes: Properties): Properties {
  const { record } = write.match;
  if (record === null || Object.keys(changes).length === 0) return changes;
  const { always, stamp } = toAllowedProperties(type, write, record);
  const own = Object.entries(always).filter(([name]) => isManagedProperty(name));
  return { ...Object.fromEntries(own), ...stamp, ...changes };
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
