import type { Company } from '../src/contract/index.ts';
import {
  companyProperties,
  toCompanyProperties,
  toStatusProperties,
  type WantedProperties,
} from '../src/mapping/crm-properties.ts';
import { companyKey } from '../src/mapping/identity.ts';
import { COMPANY_KEY } from '../src/hubspot/properties.ts';
import type { CrmRecord } from '../src/hubspot/record.ts';
import type { Clients } from './clients.ts';
import { isSettled, type BatchSlot, type CrmBatch, type ItemOutcome, type Projection } from './crm-batch.ts';
import { findRecords, writeRecords, type Want } from './crm-records.ts';
import { cancellation } from './progress.ts';

/** A company that has a record now, so that its people can be written to it. */
export interface WrittenCompany {
  readonly of: BatchSlot;
  readonly company: Company;
  readonly recordId: string;
}

interface Target {
  readonly of: BatchSlot;
  /** Set when the row was enriched: the company is written whole. Otherwise only how the row ended. */
  readonly company: Company | null;
  /** The record that was submitted, when external ids are record ids. */
  readonly submittedId: string | null;
  readonly key: string | null;
}

/** Writes the companies of a batch and records one outcome a slot. */
export async function projectCompanies(
  clients: Clients,
  batch: CrmBatch,
  slots: readonly BatchSlot[],
): Promise<WrittenCompany[]> {
  const targets = slots.map((of) => toTarget(of, batch.projection));
  const open = targets.filter(({ of }) => !isSettled(of, 'company'));
  const leaders = open.filter((target) => leaderOf(target, open) === target);
  const { wants, outcomes } = await decide(clients, batch.projection, leaders);
  outcomes.push(...(await writeRecords(clients, batch, 'companies', wants)));
  const byPosition = new Map(outcomes.map((outcome) => [outcome.position, outcome]));
  for (const target of open) {
    const leader = leaderOf(target, open);
    const recordId = byPosition.get(leader.of.position)?.recordId ?? null;
    const rule = target.submittedId === null ? 'same_company' : 'same_record';
    if (leader !== target) outcomes.push(companyOutcome(target, 'skipped', rule, recordId));
  }
  await batch.record(outcomes);

  const recordIds = new Map(outcomes.map(({ position, recordId }) => [position, recordId]));
  return targets.flatMap(({ of, company }) => {
    const recordId = recordIds.get(of.position) ?? of.before.get('company')?.recordId ?? null;
    return company === null || recordId === null ? [] : [{ of, company, recordId }];
  });
}

function toTarget(of: BatchSlot, { externalIdsAreRecordIds }: Projection): Target {
  const { status, company, external_id: externalId } = of.slot;
  const submittedId = externalIdsAreRecordIds && externalId ? externalId : null;
  const enriched = status === 'ENRICHED' ? company : null;
  return { of, company: enriched, submittedId, key: enriched === null ? null : companyKey(enriched) };
}

/** Slots that mean the same new company are written once, by the first of them; so is a record that was submitted twice. */
function leaderOf(target: Target, open: readonly Target[]): Target {
  if (target.submittedId !== null) {
    const rows = open.filter(({ submittedId }) => submittedId === target.submittedId);
    return rows.find(({ company }) => company !== null) ?? rows[0] ?? target;
  }
  if (target.key === null) return target;
  return open.find(({ key, submittedId }) => submittedId === null && key === target.key) ?? target;
}

/** A record takes one row of an order, or its rows would overwrite each other in every pass: the first, an enriched one before others. */
function isOfAnotherRow({ properties }: CrmRecord, { of, company }: Target, orderId: string): boolean {
  const ours = of.slot.input_position;
  const position = Number(properties['prospect_sync_position'] ?? ours);
  if (properties['prospect_sync_order_id'] !== orderId || position === ours) return false;
  const isEnriched = properties['prospect_sync_status'] === 'ENRICHED';
  return isEnriched === (company !== null) ? position < ours : isEnriched;
}

/** What is to be written for each target, and the outcome of those for which nothing is. */
async function decide(clients: Clients, projection: Projection, targets: readonly Target[]) {
  const submitted = await clients.hubspot.objects.read('companies', {
    ids: targets.flatMap(({ submittedId }) => (submittedId !== null && /^\d+$/.test(submittedId) ? submittedId : [])),
    properties: companyProperties,
    signal: cancellation(),
  });
  const isSubmitted = ({ submittedId }: Target) => submittedId !== null && submitted.has(submittedId);
  const keys = targets.flatMap((target) => (isSubmitted(target) ? [] : (target.key ?? [])));
  const { found, ambiguous } = await findRecords(clients, {
    type: 'companies',
    keys,
    properties: companyProperties,
    adopt: (missing) => {
      const domains = missing.filter((key) => !key.startsWith('id:'));
      return clients.hubspot.objects.findByDomain('companies', domains, companyProperties, cancellation());
    },
  });

  const wants: Want[] = [];
  const outcomes: ItemOutcome[] = [];
  for (const target of targets) {
    const { of, key, submittedId, company } = target;
    const record = submitted.get(submittedId ?? '') ?? found.get(key ?? '') ?? null;
    if (company === null && submittedId === null) {
      outcomes.push(companyOutcome(target, 'skipped', 'not_enriched'));
    } else if (submittedId !== null && !isSubmitted(target)) {
      // Deleted in the CRM, or mistyped: neither asks for a new record.
      outcomes.push(companyOutcome(target, 'quarantined', 'submitted_record_missing'));
    } else if (record !== null && isOfAnotherRow(record, target, projection.orderId)) {
      outcomes.push(
        companyOutcome(target, 'skipped', submittedId === null ? 'same_company' : 'same_record', record.id),
      );
    } else if (record !== null && !isSubmitted(target) && hasAnotherKey(record, key)) {
      outcomes.push(companyOutcome(target, 'quarantined', 'domain_of_another_company'));
    } else if (record === null && key !== null && ambiguous.has(key)) {
      outcomes.push(companyOutcome(target, 'quarantined', 'domain_of_several_records'));
    } else {
      wants.push({ of, item: 'company', key, record, wanted: toWanted(of, company, projection) });
    }
  }
  return { wants, outcomes };
}

/** A record that was found by its domain may stand for another company of ours: it is not taken away from that one. */
function hasAnotherKey({ properties }: CrmRecord, key: string | null): boolean {
  const carried = properties[COMPANY_KEY] ?? '';
  return carried !== '' && carried !== key;
}

function toWanted({ slot }: BatchSlot, company: Company | null, { provenance }: Projection): WantedProperties {
  return company === null
    ? { own: toStatusProperties(slot, provenance), fill: {} }
    : toCompanyProperties(slot, company, provenance);
}

function companyOutcome(
  { of }: Target,
  outcome: 'skipped' | 'quarantined',
  rule: string,
  recordId: string | null = null,
): ItemOutcome {
  return { position: of.position, item: 'company', outcome, rule, recordId };
}
