/** Writes slots to HubSpot: companies, then contacts, then links. Each step matches, plans, writes and resolves conflicts. */
import type { HubSpotError } from '../../hubspot/hubspot-error.ts';
import type { ObjectType } from '../../hubspot/hubspot-record.ts';
import { linkContacts, type ContactLink, type LinkOutcome } from '../../hubspot/link-contacts.ts';
import { toCompanyNames } from '../../ledger/suppressed-names.ts';
import { isWritten, toNewerRule, type OutcomeName } from '../../ledger/crm-outcomes.ts';
import { planCompanies, skipDuplicateRows } from './plan-companies.ts';
import { planContacts, type ContactWrite } from './plan-contacts.ts';
import { isMissingRecord, resolveConflicts, type SentWrite } from './resolve-conflicts.ts';
import {
  linkRefused,
  linkRestored,
  outcomeWithoutChange,
  recordOutcomes,
  type Projection,
  type ProjectionDependencies,
  type RecordOutcome,
  type SlotBatch,
} from './slot-batch.ts';
import type { RecordWrite } from './record-write.ts';
import { sendWrites } from './write-records.ts';

/**
 * Records one outcome for every company and contact. Searches are limited to a few a second, so the companies of a batch are
 * matched while the contacts of the batch before it are written.
 * @param onRecorded called with a batch when its outcomes, and those of all batches before it, are recorded
 */
export async function projectSlots(
  dependencies: ProjectionDependencies,
  batches: Iterable<SlotBatch> | AsyncIterable<SlotBatch>,
  onRecorded: (batch: SlotBatch) => void = () => undefined,
): Promise<void> {
  let contacts: Promise<void> = Promise.resolve();
  try {
    for await (const batch of batches) {
      const companyIds = await projectCompanies(dependencies, batch);
      await contacts;
      contacts = projectContacts(dependencies, batch, companyIds).then(() => onRecorded(batch));
      // Awaited with the next batch; until then a failure must not count as an unhandled rejection.
      contacts.catch(() => undefined);
    }
  } finally {
    await Promise.allSettled([contacts]);
  }
  await contacts;
}

/** @returns record ids by position */
async function projectCompanies(dependencies: ProjectionDependencies, batch: SlotBatch): Promise<Map<number, string>> {
  const plan = await planCompanies(dependencies, batch);
  const written = await writeRecords(dependencies, batch.projection, 'companies', plan.writes);
  const outcomes = [...plan.outcomes, ...written.map(({ outcome }) => outcome)];
  await rememberRecords(dependencies, 'companies', outcomes);
  const duplicates = skipDuplicateRows(plan, recordIdsOf(outcomes));
  await recordOutcomes(dependencies, batch.projection, [...outcomes, ...duplicates]);
  await keepSuppressedNames(dependencies, batch);

  const recordIds = recordIdsOf([...outcomes, ...duplicates]);
  return new Map(
    batch.slots.flatMap(({ position, keptOutcomes }): [number, string][] => {
      const recordId = recordIds.get(position) ?? keptOutcomes.get('company')?.recordId ?? null;
      return recordId === null ? [] : [[position, recordId]];
    }),
  );
}

/** A company that was suppressed before its name was known. */
async function keepSuppressedNames({ ledger }: ProjectionDependencies, { slots }: SlotBatch): Promise<void> {
  const names = slots.flatMap(({ slot, isSuppressed }) => (isSuppressed ? toCompanyNames(slot.company) : []));
  if (names.length > 0) await ledger.suppressions.keepNames(names);
}

/** Links are made before the outcomes are recorded: a contact without its link has failed. */
async function projectContacts(
  dependencies: ProjectionDependencies,
  batch: SlotBatch,
  companyIds: ReadonlyMap<number, string>,
): Promise<void> {
  const plan = await planContacts(dependencies, batch, companyIds);
  const written = await writeRecords(dependencies, batch.projection, 'contacts', plan.writes);
  const outcomes = written.map(({ outcome }) => outcome);
  await rememberRecords(dependencies, 'contacts', [...plan.outcomes, ...outcomes]);
  const linked = await linkWrittenContacts(dependencies, plan.writes, written);
  await recordOutcomes(dependencies, batch.projection, [...plan.outcomes, ...linked]);
}

interface WrittenRecord {
  /** The outcome, which is not recorded yet. */
  readonly outcome: RecordOutcome;
  /** True when this pass created the record, which therefore has no links yet. */
  readonly isNew: boolean;
}

/** @returns record i belongs to write i */
async function writeRecords(
  dependencies: ProjectionDependencies,
  projection: Projection,
  type: ObjectType,
  writes: readonly RecordWrite[],
): Promise<WrittenRecord[]> {
  const outcomes = await sendWrites(dependencies, projection, type, writes);
  const sent = outcomes.flatMap((outcome, index): SentWrite[] => {
    const write = writes[index];
    return write === undefined ? [] : [{ write, outcome }];
  });
  const resolved = await resolveConflicts(dependencies, projection, type, sent);
  return resolved.map(({ write, outcome }) => ({
    outcome: toRecordOutcome({ write, outcome }),
    isNew: 'isNew' in outcome && outcome.isNew,
  }));
}

/** Includes the records of skipped items: HubSpot may not find a secondary address again. */
async function rememberRecords(
  { ledger }: ProjectionDependencies,
  type: ObjectType,
  outcomes: readonly RecordOutcome[],
): Promise<void> {
  const records = outcomes.flatMap(({ matchKey, recordId }) =>
    matchKey && recordId !== null ? [{ key: matchKey, recordId }] : [],
  );
  await ledger.records.save(type, records);
}

function recordIdsOf(outcomes: readonly RecordOutcome[]): Map<number, string | null> {
  return new Map(outcomes.map(({ position, recordId }) => [position, recordId]));
}

function toRecordOutcome({ write, outcome: answer }: SentWrite): RecordOutcome {
  const { slot, item, key, match } = write;
  // HubSpot answers an upsert with an update when a record with the key exists.
  const foundByKey = match.record === null && answer.kind === 'updated';
  const evidence = foundByKey
    ? { matchedBy: 'key', candidates: [answer.id] }
    : { matchedBy: match.rule, candidates: match.candidates };
  const common = { position: slot.position, item, matchKey: key, ...evidence };
  const withoutChange = outcomeWithoutChange(slot, item);
  switch (answer.kind) {
    case 'unchanged':
      return { ...common, outcome: withoutChange, rule: null, recordId: answer.id };
    case 'claimed':
      return {
        ...common,
        outcome: 'skipped',
        rule: item === 'company' ? 'same_company' : 'same_person',
        recordId: answer.id,
      };
    case 'newer':
      return { ...common, outcome: 'skipped', rule: toNewerRule(answer.orderId), recordId: answer.id };
    case 'rejected':
      return { ...common, ...toRejectedOutcome(write, answer.error) };
    default:
      return {
        ...common,
        outcome: withoutChange === 'created' ? 'created' : answer.kind,
        rule: null,
        recordId: answer.id,
      };
  }
}

function toRejectedOutcome(
  { match }: RecordWrite,
  error: HubSpotError,
): Pick<RecordOutcome, 'outcome' | 'rule' | 'recordId'> {
  if (match.record !== null && isMissingRecord(error)) {
    // The match rule of the row in the next pass.
    const rule = match.rule === 'external_id' ? 'submitted_record_missing' : 'record_gone';
    return { outcome: 'quarantined', rule, recordId: null };
  }
  const { kind, status, code, category, property } = error;
  // 200 and 207: a batch in which HubSpot rejected this record. 400 and 409: the record was sent alone.
  const isRecordFault = kind === 'http' && status !== undefined && [200, 207, 400, 409].includes(status);
  const rule = [code ?? category ?? `STATUS_${status}`, property].filter((word) => word !== undefined).join(':');
  return { outcome: isRecordFault ? 'quarantined' : 'failed', rule, recordId: match.record?.id ?? null };
}

const linkableOutcomes: readonly OutcomeName[] = ['created', 'updated', 'unchanged', 'failed'];

/** @returns the outcomes of the contacts, with those of their links */
async function linkWrittenContacts(
  { hubspot, signal }: ProjectionDependencies,
  writes: readonly ContactWrite[],
  written: readonly WrittenRecord[],
): Promise<RecordOutcome[]> {
  const links = writes.map((write, index) => toLink(write, written[index]));
  const requested = links.filter((link) => link !== null);
  const linkOutcomes = await linkContacts(hubspot.associations, requested, signal);
  const outcomeByLink = new Map(requested.map((link, index) => [link, linkOutcomes[index]]));
  return written.map(({ outcome }, index): RecordOutcome => {
    const link = links[index] ?? null;
    const write = writes[index];
    const rule = link === null || write === undefined ? null : toLinkRule(outcomeByLink.get(link), link, write);
    return rule === linkRefused ? { ...outcome, outcome: 'failed', rule } : { ...outcome, rule: outcome.rule ?? rule };
  });
}

function toLink({ companyId }: ContactWrite, written: WrittenRecord | undefined): ContactLink | null {
  if (written === undefined) return null;
  const { outcome, isNew } = written;
  // A contact that another row writes is linked to the company of that row.
  if (outcome.recordId === null || !linkableOutcomes.includes(outcome.outcome)) return null;
  return { contactId: outcome.recordId, companyId, isNew };
}

function toLinkRule(outcome: LinkOutcome | undefined, link: ContactLink, write: ContactWrite): string | null {
  if (outcome === 'refused') return linkRefused;
  return outcome === 'created' && wasLinkedBefore(write, link) ? linkRestored : null;
}

/** True when an earlier pass wrote the contact to the same company, and so linked them. */
function wasLinkedBefore(
  { slot: { lastOutcomes }, item }: ContactWrite,
  { contactId, companyId }: ContactLink,
): boolean {
  const contact = lastOutcomes.get(item);
  if (contact === undefined || !isWritten(contact.outcome) || contact.recordId !== contactId) return false;
  return lastOutcomes.get('company')?.recordId === companyId;
}
