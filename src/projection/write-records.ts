/** Brings records to what is wanted: only what differs is sent, and a refused row costs no other one. */
import type { HubSpotError } from '../hubspot/hubspot-error.ts';
import type { CrmRecord } from '../hubspot/hubspot-record.ts';
import type { WriteResult } from '../hubspot/batch-write-results.ts';
import { toChanges } from '../mapping/crm-changes.ts';
import type { Properties } from '../mapping/crm-properties.ts';
import { toTraceId } from '../mapping/trace-id.ts';
import { keyProperties, type RecordType } from './find-by-key.ts';
import { placeOfKey, readOwnValues, toWrittenValues } from './own-values.ts';
import type { Tools } from './projection.ts';
import { isGone, lookAgain } from './second-look.ts';
import { unchangedOutcome, type ItemOutcome, type SlotBatch } from './slot-batch.ts';
import { carriesAnotherKey, without, type Want, type Written } from './want.ts';

export interface WrittenItem {
  /** Not yet recorded. */
  readonly outcome: ItemOutcome;
  /** True when HubSpot says that this call created the record: nobody else can have written to it. */
  readonly isNew: boolean;
}

/** @returns what became of each want */
export async function writeRecords(
  tools: Tools,
  batch: SlotBatch,
  type: RecordType,
  wants: readonly Want[],
): Promise<WrittenItem[]> {
  const written = await send(tools, batch, type, wants);
  // A row that was refused because of another writer, or whose answer was lost, is looked for by what never lags.
  const mended = await lookAgain(tools, type, batch.projection.orderId, written, (again) =>
    send(tools, batch, type, again),
  );
  return wants.map((want) => {
    const result = written.get(want);
    return {
      outcome: toOutcome(mended.get(want) ?? want, result),
      isNew: result !== undefined && 'isNew' in result && result.isNew,
    };
  });
}

/** Where records were found, also those that were left alone: a secondary address may not be found twice. */
export async function rememberRecords(
  { ledger }: Tools,
  type: RecordType,
  outcomes: readonly ItemOutcome[],
): Promise<void> {
  const records = outcomes.flatMap(({ matchKey, recordId }) =>
    matchKey && recordId !== null ? [{ key: matchKey, recordId }] : [],
  );
  await ledger.records.save(type, records);
}

async function send(
  tools: Tools,
  batch: SlotBatch,
  type: RecordType,
  wants: readonly Want[],
): Promise<Map<Want, Written>> {
  const { hubspot, ledger, signal } = tools;
  const isOurs = await readOwnValues(tools, type, wants);
  const updates = wants.flatMap((want) => {
    const { record } = want.match;
    if (record === null) return [];
    const { wanted } = toUpdate(type, want, record);
    const properties = toChanges(wanted, record.properties, (name, value) => isOurs(want, name, value));
    return Object.keys(properties).length === 0 ? [] : [toInput(batch, want, record.id, properties)];
  });
  const creates = wants.flatMap((want) =>
    want.match.record === null && want.key !== null ? [toInput(batch, want, want.key, toWhole(want))] : [],
  );
  await batch.plan([
    ...updates.map(({ want: { of, item, isArrived } }) => {
      const isCreation = isArrived === true || unchangedOutcome(of, item) === 'created';
      const planned = isCreation ? ('create' as const) : ('update' as const);
      return { position: of.position, item, planned };
    }),
    ...creates.map(({ want: { of, item } }) => ({ position: of.position, item, planned: 'create' as const })),
  ]);
  await ledger.writtenValues.note(type, [
    ...updates.flatMap(({ want, id, properties }) => toWrittenValues(id, want, properties)),
    // The record has no id yet, and its answer may be lost.
    ...creates.flatMap(({ want, id, properties }) => toWrittenValues(placeOfKey(id), want, properties)),
  ]);
  const updated = await hubspot.objects.update(type, updates, signal);
  const created = await hubspot.objects.upsert(type, keyProperties[type], creates, signal);
  const results = new Map<Want, Written>(
    wants.map((want) => [want, { kind: 'unchanged', id: want.match.record?.id ?? null }]),
  );
  const updatedIds = new Set(updates.map(({ id }) => id));
  for (const [index, { want }] of updates.entries())
    results.set(
      want,
      toWritten(updated[index], () => false),
    );
  // It was looked for just before: an upsert that met a record met what its own first sending made, or that of another pass.
  for (const [index, { want }] of creates.entries())
    results.set(
      want,
      toWritten(created[index], ({ id, created: isNew, isResent }) => isNew || (isResent && !updatedIds.has(id))),
    );
  await ledger.writtenValues.note(
    type,
    creates.flatMap(({ want, properties }) => {
      const result = results.get(want);
      return result?.kind === 'created' ? toWrittenValues(result.id, want, properties) : [];
    }),
  );
  return results;
}

function toInput({ projection }: SlotBatch, want: Want, id: string, properties: Properties) {
  return { want, id, properties, traceId: toTraceId(projection.orderId, want.of.position, want.item) };
}

/** A record that was found by what it is keeps the key under which it is known, and another record what it alone may hold. */
export function toUpdate(type: RecordType, want: Want, record: CrmRecord): Want {
  const { rule, heldElsewhere } = want.match;
  const keepsKey = rule !== 'external_id' && carriesAnotherKey(type, record, want.key);
  return without(want, keepsKey ? [...heldElsewhere, keyProperties[type]] : heldElsewhere);
}

/** All that a new record gets. */
export function toWhole({ wanted }: Want): Properties {
  return { ...wanted.fillEmpty, ...wanted.onlyIfOurs, ...wanted.always, ...wanted.stamp };
}

function toWritten(
  result: WriteResult | undefined,
  isCreation: (result: Extract<WriteResult, { ok: true }>) => boolean,
): Written {
  if (result === undefined) throw new RangeError('a batch write returned fewer results than inputs');
  if (!result.ok) return { kind: 'refused', error: result.error };
  const kind = isCreation(result) ? 'created' : 'updated';
  return { kind, id: result.id, isNew: result.created };
}

function toOutcome({ of, item, key, match }: Want, written: Written | undefined): ItemOutcome {
  // A creation that met a record was told so by its key.
  const isMet = match.record === null && written?.kind === 'updated';
  const found = isMet
    ? { matchKey: key, matchedBy: 'key', candidates: [written.id] }
    : { matchKey: key, matchedBy: match.rule, candidates: match.candidates };
  const base = { position: of.position, item, ...found };
  const before = unchangedOutcome(of, item);
  if (written === undefined || written.kind === 'unchanged') {
    return { ...base, outcome: before, rule: null, recordId: written?.id ?? null };
  }
  if (written.kind === 'taken') {
    const rule = item === 'company' ? 'same_company' : 'same_person';
    return { ...base, outcome: 'skipped', rule, recordId: written.id };
  }
  if (written.kind === 'refused') {
    const { error } = written;
    if (match.record !== null && isGone(error)) {
      // The match ladder says the same of it in the next pass.
      const rule = match.rule === 'external_id' ? 'submitted_record_missing' : 'record_gone';
      return { ...base, outcome: 'quarantined', rule, recordId: null };
    }
    const outcome = isRowFault(error) ? ('quarantined' as const) : ('failed' as const);
    return { ...base, outcome, rule: toRule(error), recordId: match.record?.id ?? null };
  }
  return { ...base, outcome: before === 'created' ? 'created' : written.kind, rule: null, recordId: written.id };
}

/** 207 is the status of a batch of which this row was refused, on dated paths 200; 400 and 409 are those of a row that was sent alone. */
function isRowFault({ kind, status }: HubSpotError): boolean {
  return kind === 'http' && status !== undefined && [200, 207, 400, 409].includes(status);
}

/** Why a row was refused, as a code: HubSpot's, with the property where it names one. */
function toRule({ code, category, status, property }: HubSpotError): string {
  return [code ?? category ?? `STATUS_${status}`, property].filter((word) => word !== undefined).join(':');
}
