/** Retries writes that HubSpot rejected because of a conflict, or whose answer does not mention the record. */
import type { HubSpotError } from '../../hubspot/hubspot-error.ts';
import {
  ADDITIONAL_EMAILS,
  secondaryEmails,
  toComparable,
  type CrmRecord,
  type ObjectType,
} from '../../hubspot/hubspot-record.ts';
import { ambiguous, findByKey, keyProperties, matched, withConflict } from './record-match.ts';
import { isOfEarlierRow, type Projection, type ProjectionDependencies } from './slot-batch.ts';
import type { RecordWrite, SentWrite, WriteOutcome } from './record-write.ts';
import { sendWrites } from './write-records.ts';

/** A rejected write, possibly because of another writer or a lost answer. */
interface UncertainWrite extends SentWrite {
  readonly error: HubSpotError;
}

/** Records read after the rejection. */
interface ExistingRecords {
  /** The record that has the key of the write, or that HubSpot names in its error. */
  readonly owner: CrmRecord | null;
  /** The target record of the write; null if it had to be created, or is merged or archived now. */
  readonly current: CrmRecord | null;
}

const uniqueProperties = {
  companies: [keyProperties.companies],
  contacts: [keyProperties.contacts, 'email'],
} as const;

/** Retries each uncertain write once. @returns all writes, in the given order */
export async function resolveConflicts(
  dependencies: ProjectionDependencies,
  projection: Projection,
  type: ObjectType,
  sent: readonly SentWrite[],
): Promise<SentWrite[]> {
  const uncertain = new Map(sent.flatMap((each) => toUncertainWrite(each).map((write) => [each, write])));
  if (uncertain.size === 0) return [...sent];
  const readExisting = await readExistingRecords(dependencies, type, [...uncertain.values()]);
  const retries = new Map(
    [...uncertain].flatMap(([original, write]) => {
      const retry = planRetry(type, write, readExisting(write));
      return retry === null ? [] : [[original, retry] as const];
    }),
  );
  const resolved = leaveClaimedRecords(sent, retries, projection.orderId);
  const sendable = [...resolved].filter(
    ([, { write, outcome }]) => write.match.problem === null && outcome.kind === 'rejected',
  );
  const originals = new Map(sendable.map(([original, { write }]) => [write, original]));
  for (const { write, outcome } of await sendWrites(dependencies, projection, type, [...originals.keys()])) {
    const original = originals.get(write);
    if (original !== undefined) resolved.set(original, { write, outcome: toRetryOutcome(write, outcome) });
  }
  return sent.map((each) => resolved.get(each) ?? each);
}

function toUncertainWrite({ write, outcome }: SentWrite): UncertainWrite[] {
  if (outcome.kind !== 'rejected' || write.key === null) return [];
  const { error } = outcome;
  const isUncertain = isConflict(error) || isMissingRecord(error) || error.code === 'ROW_NOT_ANSWERED';
  return isUncertain ? [{ write, outcome, error }] : [];
}

/** Reads by key and by the record id in HubSpot's error. Both reads return the latest writes. */
async function readExistingRecords(
  dependencies: ProjectionDependencies,
  type: ObjectType,
  uncertain: readonly UncertainWrite[],
): Promise<(write: UncertainWrite) => ExistingRecords> {
  const { hubspot, signal } = dependencies;
  const identifying = [...uniqueProperties[type], ...(type === 'contacts' ? [ADDITIONAL_EMAILS] : [])];
  const properties = [...new Set([...identifying, ...uncertain.flatMap(({ write }) => propertyNamesOf(write))])];
  const keys = uncertain.flatMap(({ write }) => write.key ?? []);
  const byKey = await findByKey(dependencies, type, keys, properties);
  const ids = uncertain.flatMap(({ write, error }) => [error.existingId ?? [], write.match.record?.id ?? []].flat());
  const byId = await hubspot.objects.read(type, { ids, properties, signal });
  return ({ write, error }) => ({
    owner: byKey.get(write.key ?? '') ?? byId.get(error.existingId ?? '') ?? null,
    current: byId.get(write.match.record?.id ?? '') ?? null,
  });
}

/** The write to send instead; null if the rejection is final. */
function planRetry(type: ObjectType, uncertain: UncertainWrite, existing: ExistingRecords): RecordWrite | null {
  return uncertain.write.match.record === null
    ? planRetryOfCreate(type, uncertain, existing)
    : planRetryOfUpdate(type, uncertain, uncertain.write.match.record, existing);
}

function planRetryOfCreate(
  type: ObjectType,
  { write, error }: UncertainWrite,
  { owner }: ExistingRecords,
): RecordWrite | null {
  if (owner === null) return null;
  const rule = findMatchRule(type, write, owner);
  // The owner has another unique value in common and may be a different company or person: the write stays rejected.
  if (rule === null) return { ...write, match: ambiguous('none', 'value_of_another_record', [owner.id]) };
  return { ...write, match: matched(rule, owner), isAlreadyCreated: error.code === 'ROW_NOT_ANSWERED' };
}

function planRetryOfUpdate(
  type: ObjectType,
  { write, error }: UncertainWrite,
  record: CrmRecord,
  { owner, current }: ExistingRecords,
): RecordWrite | null {
  if (current === null) {
    // The record was merged or archived after it was matched. The merged record has the key; nothing replaces a submitted record.
    if (owner === null || write.match.rule === 'external_id') return null;
    return { ...write, match: { ...matched('key', owner), candidates: [record.id, owner.id] } };
  }
  const match = { ...write.match, record: current };
  if (!isConflict(error)) return { ...write, match };
  const conflicting = error.property === undefined ? uniqueProperties[type] : [error.property];
  return { ...write, match: withConflict(match, (owner ?? current).id, conflicting) };
}

/** The match rule that identifies the owner as the record to create; null if it is another record. */
function findMatchRule(type: ObjectType, { key, properties }: RecordWrite, owner: CrmRecord) {
  if (owner.properties[keyProperties[type]] === key) return 'key';
  if (type === 'companies') return null;
  const { always, fillEmpty, onlyIfOurs } = properties;
  const email = always['email'] ?? fillEmpty['email'] ?? onlyIfOurs['email'];
  const addresses = [toComparable(owner.properties['email'] ?? ''), ...secondaryEmails(owner)];
  return email !== undefined && addresses.includes(toComparable(email)) ? 'secondary_email' : null;
}

/** A retry that would adopt a record of another row of the order leaves it to that row. */
function leaveClaimedRecords(
  sent: readonly SentWrite[],
  retries: ReadonlyMap<SentWrite, RecordWrite>,
  orderId: string,
): Map<SentWrite, SentWrite> {
  const claimedIds = new Set(
    sent.flatMap(({ outcome }) => ('id' in outcome && outcome.id !== null ? [outcome.id] : [])),
  );
  const resolve = (original: SentWrite, write: RecordWrite): SentWrite => {
    const { record } = write.match;
    if (record === null || record.id === original.write.match.record?.id) return { write, outcome: original.outcome };
    if (claimedIds.has(record.id) || isOfEarlierRow(record, write.slot, orderId)) {
      return { write, outcome: { kind: 'claimed', id: record.id } };
    }
    claimedIds.add(record.id);
    return { write, outcome: original.outcome };
  };
  return new Map([...retries].map(([original, write]) => [original, resolve(original, write)]));
}

function toRetryOutcome({ isAlreadyCreated }: RecordWrite, outcome: WriteOutcome): WriteOutcome {
  return isAlreadyCreated === true && 'id' in outcome && outcome.id !== null
    ? { kind: 'created', id: outcome.id, isNew: false }
    : outcome;
}

function isConflict({ status, code, existingId }: HubSpotError): boolean {
  return status === 409 || existingId !== undefined || code === 'UNIQUE_VALUE_CONFLICT';
}

/** The record was merged or archived after it had been read. */
export function isMissingRecord({ category, status }: HubSpotError): boolean {
  return category === 'OBJECT_NOT_FOUND' || status === 404;
}

function propertyNamesOf({ properties }: RecordWrite): string[] {
  const { always, fillEmpty, onlyIfOurs, stamp } = properties;
  return [always, fillEmpty, onlyIfOurs, stamp].flatMap((part) => Object.keys(part));
}
