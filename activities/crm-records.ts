/** Finding and writing CRM records of either kind: identity first, then only what differs. */
import type { HubSpotError } from '../src/hubspot/error.ts';
import type { CrmRecord, ObjectType } from '../src/hubspot/record.ts';
import { COMPANY_KEY, CONTACT_KEY } from '../src/hubspot/properties.ts';
import type { WriteResult } from '../src/hubspot/row-outcomes.ts';
import type { RecordOutcome } from '../src/order-report.ts';
import type { PlannedWrite } from '../src/ledger/tables.ts';
import type { Item } from '../src/ledger/outcomes.ts';
import { toChanges, type WantedProperties } from '../src/mapping/crm-properties.ts';
import type { Clients } from './clients.ts';
import { unchangedOutcome, type BatchSlot, type CrmBatch, type ItemOutcome } from './crm-batch.ts';
import { cancellation } from './progress.ts';

export const keyProperties = { companies: COMPANY_KEY, contacts: CONTACT_KEY } as const;

/** One record that is to hold something; `record` is null where none exists yet. */
export interface Want {
  readonly of: BatchSlot;
  readonly item: Item;
  readonly key: string | null;
  readonly record: CrmRecord | null;
  readonly wanted: WantedProperties;
}

interface FindRequest {
  readonly type: ObjectType;
  readonly keys: readonly string[];
  readonly properties: readonly string[];
  /** Candidates for keys that no record carries yet; two for one key are never chosen between. */
  readonly adopt: (keys: readonly string[]) => Promise<ReadonlyMap<string, readonly CrmRecord[]>>;
}

/** Records by our key: the ledger's id, then the key property itself, then candidates for adoption. */
export async function findRecords({ hubspot, ledger }: Clients, { type, keys, properties, adopt }: FindRequest) {
  const found = new Map<string, CrmRecord>();
  const ambiguous = new Set<string>();
  const missing = () => keys.filter((key) => !found.has(key));

  const ids = await ledger.records.ids(type, keys);
  const byId = await hubspot.objects.read(type, { ids: [...ids.values()], properties, signal: cancellation() });
  for (const [key, id] of ids) {
    const record = byId.get(id);
    // A merge gives records new ids, and another portal gives the same ids to others: the key on the record decides.
    if (record?.properties[keyProperties[type]] === key) found.set(key, record);
  }
  const read = { ids: missing(), idProperty: keyProperties[type], properties, signal: cancellation() };
  for (const [key, record] of await hubspot.objects.read(type, read)) found.set(key, record);
  for (const [key, [record, ...others]] of await adopt(missing())) {
    if (others.length > 0) ambiguous.add(key);
    else if (record !== undefined) found.set(key, record);
  }
  return { found, ambiguous };
}

/** Brings records to what is wanted; each want has its outcome, and a refused one costs no other. Nothing is recorded yet. */
export async function writeRecords(
  clients: Clients,
  batch: CrmBatch,
  type: ObjectType,
  wants: readonly Want[],
): Promise<ItemOutcome[]> {
  const { hubspot, ledger } = clients;
  const updates = wants.flatMap((want) => {
    const changes = want.record === null ? {} : toChanges(want.wanted, want.record.properties);
    return want.record !== null && Object.keys(changes).length > 0
      ? [{ want, id: want.record.id, properties: changes }]
      : [];
  });
  const creates = wants.flatMap((want) => {
    const properties = { ...want.wanted.fill, ...want.wanted.own };
    return want.record === null && want.key !== null ? [{ want, id: want.key, properties }] : [];
  });
  await batch.plan([
    ...updates.map(({ want }) =>
      toPlanned(want, unchangedOutcome(want.of, want.item) === 'created' ? 'create' : 'update'),
    ),
    ...creates.map(({ want }) => toPlanned(want, 'create')),
  ]);
  const updated = await hubspot.objects.update(type, updates, cancellation());
  const created = await hubspot.objects.upsert(type, keyProperties[type], creates, cancellation());

  const results = new Map<Want, WriteResult>();
  for (const [index, { want }] of updates.entries()) setResult(results, want, updated[index]);
  for (const [index, { want }] of creates.entries()) setResult(results, want, created[index]);
  const updatedIds = new Set(updates.map(({ id }) => id));
  const outcomes = wants.map((want) => toOutcome(want, results.get(want), updatedIds));
  const written = wants.flatMap(({ key }, index) => {
    const recordId = outcomes[index]?.recordId ?? null;
    return key === null || recordId === null ? [] : [{ key, recordId }];
  });
  await ledger.records.save(type, written);
  return outcomes;
}

function toPlanned({ of, item }: Want, planned: PlannedWrite) {
  return { position: of.position, item, planned };
}

function setResult(results: Map<Want, WriteResult>, want: Want, result: WriteResult | undefined): void {
  if (result === undefined) throw new RangeError('a batch write returned fewer results than inputs');
  results.set(want, result);
}

function toOutcome(
  { of, item, record }: Want,
  result: WriteResult | undefined,
  updatedIds: ReadonlySet<string>,
): ItemOutcome {
  const outcome = (name: RecordOutcome, recordId: string | null, rule: string | null = null): ItemOutcome => {
    return { position: of.position, item, outcome: name, rule, recordId };
  };
  if (result === undefined) return outcome(unchangedOutcome(of, item), record?.id ?? null);
  if (!result.ok)
    return outcome(isRowFault(result.error) ? 'quarantined' : 'failed', record?.id ?? null, toRule(result.error));
  if (record !== null) return outcome(unchangedOutcome(of, item) === 'created' ? 'created' : 'updated', result.id);
  // It was looked for just before: an upsert that met a record met its own, whose answer was lost, or an update of this batch.
  return outcome(result.created || !updatedIds.has(result.id) ? 'created' : 'updated', result.id);
}

/** 207 is the status of a batch of which this row was refused; 400 and 409 are those of a row that was sent alone. */
function isRowFault({ kind, status }: HubSpotError): boolean {
  return kind === 'http' && (status === 207 || status === 400 || status === 409);
}

/** Why a row was refused, as a code: HubSpot's, with the property where it names one. */
function toRule({ code, category, status, property }: HubSpotError): string {
  return [code ?? category ?? `STATUS_${status}`, property].filter((word) => word !== undefined).join(':');
}
