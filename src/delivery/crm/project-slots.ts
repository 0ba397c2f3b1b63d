/** Writes slots to HubSpot: companies, then contacts, then links. Each step matches, plans, writes and resolves conflicts. */
import type { HubSpotError } from '../../hubspot/hubspot-error.ts';
import type { ObjectType } from '../../hubspot/hubspot-record.ts';
import { linkContacts, type ContactLink, type LinkOutcome } from '../../hubspot/link-contacts.ts';
import { toCompanyNames } from '../../ledger/suppressed-names.ts';
import { isWritten, toNewerRule, type OutcomeName } from '../../ledger/crm-outcomes.ts';
import { planCompanies, skipDuplicateRows } from './plan-companies.ts';
import { planContacts } from './plan-contacts.ts';
import { isMissingRecord, resolveConflicts } from './resolve-conflicts.ts';
import {
  linkRefused,
  linkRemoved,
  linkRestored,
  outcomeWithoutChange,
  recordOutcomes,
  type Projection,
  type ProjectionDependencies,
  type RecordOutcome,
  type SlotBatch,
} from './slot-batch.ts';
import type { RecordWrite, SentWrite } from './record-write.ts';
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
  const linked = await linkWrittenContacts(dependencies, batch.projection, written, companyIds);
  await recordOutcomes(dependencies, batch.projection, [...plan.outcomes, ...linked]);
}

interface WrittenRecord {
  readonly write: RecordWrite;
  /** The outcome, which is not recorded yet. */
  readonly outcome: RecordOutcome;
  /** True when this pass created the record, which therefore has no links yet. */
  readonly isNew: boolean;
}

async function writeRecords(
  dependencies: ProjectionDependencies,
  projection: Projection,
  type: ObjectType,
  writes: readonly RecordWrite[],
): Promise<WrittenRecord[]> {
  const sent = await sendWrites(dependencies, projection, type, writes);
  const resolved = await resolveConflicts(dependencies, projection, type, sent);
  return resolved.map(({ write, outcome }) => ({
    write,
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

interface WrittenLink extends ContactLink {
  readonly contact: WrittenRecord;
}

/** @returns the outcomes of the contacts, with those of their links. `companyIds`: by position. */
async function linkWrittenContacts(
  { hubspot, ledger, signal }: ProjectionDependencies,
  { orderId, force }: Projection,
  written: readonly WrittenRecord[],
  companyIds: ReadonlyMap<number, string>,
): Promise<RecordOutcome[]> {
  const links = written.flatMap((contact) => toLink(contact, companyIds.get(contact.outcome.position)));
  const findMade = async (missing: readonly WrittenLink[]): Promise<ReadonlySet<WrittenLink>> => {
    // Another pass of the same order makes its links again.
    const ofOthers = force ? [] : missing.filter((link) => !wasLinkedBefore(link));
    const made = await ledger.outcomeQueries.linkedByOthers(
      orderId,
      ofOthers.map(({ contactId }) => contactId),
    );
    return new Set(ofOthers.filter(({ contactId, companyId }) => made.get(contactId)?.has(companyId) === true));
  };
  const linked = await linkContacts(hubspot.associations, links, { findMade, signal });
  const rules = new Map([...linked].map(([link, outcome]) => [link.contact, toLinkRule(link, outcome)]));
  return written.map((contact): RecordOutcome => {
    const { outcome } = contact;
    const rule = rules.get(contact) ?? null;
    return rule === linkRefused ? { ...outcome, outcome: 'failed', rule } : { ...outcome, rule: outcome.rule ?? rule };
  });
}

/** Empty for a contact that is not written. */
function toLink(contact: WrittenRecord, companyId: string | undefined): WrittenLink[] {
  const { outcome, isNew } = contact;
  // A contact that another row writes is linked to the company of that row.
  if (companyId === undefined || outcome.recordId === null || !linkableOutcomes.includes(outcome.outcome)) return [];
  return [{ contact, contactId: outcome.recordId, companyId, isNew }];
}

function toLinkRule(link: WrittenLink, outcome: LinkOutcome): string | null {
  if (outcome === 'refused') return linkRefused;
  if (outcome === 'removed') return linkRemoved;
  return outcome === 'created' && wasLinkedBefore(link) ? linkRestored : null;
}

/** True when an earlier pass wrote the contact to the same company, and so linked them. */
function wasLinkedBefore({ contact: { write }, contactId, companyId }: WrittenLink): boolean {
  const { lastOutcomes } = write.slot;
  const contact = lastOutcomes.get(write.item);
  if (contact === undefined || !isWritten(contact.outcome) || contact.recordId !== contactId) return false;
  if (contact.rule === linkRemoved) return false;
  return lastOutcomes.get('company')?.recordId === companyId;
}
