import type { Company } from '../contract/index.ts';
import { toCompanyProperties, toStatusProperties, type WantedProperties } from '../mapping/crm-properties.ts';
import { adoptionDomains, companyKey } from '../mapping/identity.ts';
import { matchCompanies } from './match-companies.ts';
import type { Match } from './match.ts';
import type { Projection, Tools } from './projection.ts';
import { isSettled, type BatchSlot, type ItemOutcome, type SlotBatch } from './slot-batch.ts';
import type { Want } from './want.ts';
import { propertyNames } from './property-names.ts';

/** A slot as far as its company is concerned. */
export interface CompanyTarget {
  readonly of: BatchSlot;
  /** Set when the row was enriched: the company is written whole. Otherwise only how the row ended. */
  readonly company: Company | null;
  /** The record that was submitted, when external ids are record ids. */
  readonly submittedId: string | null;
  readonly key: string | null;
}

/** What is to be written for the companies of a batch, and the outcome of those for which nothing is. */
export async function decideCompanies(
  tools: Tools,
  batch: SlotBatch,
  targets: readonly CompanyTarget[],
): Promise<{ wants: Want[]; outcomes: ItemOutcome[] }> {
  const { projection } = batch;
  const sought = targets.filter((target) => toSkipRule(target) === null && isKnown(target));
  const matches = await matchCompanies(
    tools,
    sought.map((target) => {
      const { company, of } = target;
      if (company === null) return { ...target, twinIds: [], domains: [] };
      return { ...target, twinIds: of.twinIds, domains: adoptionDomains(company) };
    }),
    propertyNames('companies', projection.plan.mapping),
  );
  const duplicates = await readDuplicates(tools, batch, sought);
  const takers = settleRecords(sought, matches);
  const wants: Want[] = [];
  const outcomes = targets.flatMap((target) => {
    const rule = toSkipRule(target);
    if (rule !== null) return [companyOutcome(target, 'skipped', rule)];
    return isKnown(target) ? [] : [companyOutcome(target, 'quarantined', 'company_identity_missing')];
  });
  for (const [index, target] of sought.entries()) {
    const match = matches[index];
    if (match === undefined) throw new RangeError('the match ladder returned fewer matches than companies');
    const { of, key, company } = target;
    const candidates = [...new Set([...match.candidates, ...(duplicates.get(target) ?? [])])];
    const explained = { ...match, candidates };
    const refusal = toRefusal(target, explained, takers, projection);
    if (refusal !== null) outcomes.push(refusal);
    else wants.push({ of, item: 'company', key, match: explained, wanted: toWanted(of, company, projection) });
  }
  return { wants, outcomes };
}

export function toCompanyTarget(of: BatchSlot, { externalIdsAreRecordIds }: Projection): CompanyTarget {
  const { status, company, external_id: externalId } = of.slot;
  const submittedId = externalIdsAreRecordIds && externalId ? externalId : null;
  const enriched = status === 'ENRICHED' ? company : null;
  return { of, company: enriched, submittedId, key: enriched === null ? null : companyKey(enriched) };
}

/** Slots that mean the same company are written once, by the first of them; so is a record that was submitted twice. */
export function groupByCompany(targets: readonly CompanyTarget[]): Map<CompanyTarget, CompanyTarget> {
  const groups = Map.groupBy(targets, (target) => {
    // What is not written leads nobody.
    if (target.of.isLeak) return target;
    if (target.submittedId !== null) return `record ${target.submittedId}`;
    return target.key === null ? target : `key ${target.key}`;
  });
  const leaders = new Map<CompanyTarget, CompanyTarget>();
  for (const group of groups.values()) {
    const leader = group.find(({ company }) => company !== null) ?? group[0];
    for (const target of group) leaders.set(target, leader ?? target);
  }
  return leaders;
}

/** Why a target is not even looked for, or null. */
function toSkipRule({ of, company, submittedId }: CompanyTarget): string | null {
  if (of.isLeak) return 'exclusion_leak';
  return company === null && submittedId === null ? 'not_enriched' : null;
}

/** Without a record that was submitted, or anything that the company is known by, every run would create it again. */
function isKnown({ key, submittedId }: CompanyTarget): boolean {
  return key !== null || submittedId !== null;
}

/** Which of the rows that found one record has it, by record id: an enriched one before others, then the one that submitted it. */
function settleRecords(targets: readonly CompanyTarget[], matches: readonly Match[]): Map<string, CompanyTarget> {
  const rank = ({ company, submittedId }: CompanyTarget) => (company === null ? 2 : submittedId === null ? 1 : 0);
  const takers = new Map<string, CompanyTarget>();
  for (const [index, target] of targets.entries()) {
    const id = matches[index]?.record?.id;
    const taker = id === undefined ? undefined : takers.get(id);
    if (id !== undefined && (taker === undefined || rank(target) < rank(taker))) takers.set(id, target);
  }
  return takers;
}

/** Why nothing is written for the target, as its outcome; null when something is. */
function toRefusal(
  target: CompanyTarget,
  { rule: matchedBy, record, problem, candidates }: Match,
  takers: ReadonlyMap<string, CompanyTarget>,
  { orderId }: Projection,
): ItemOutcome | null {
  const evidence = { matchedBy, candidates };
  if (problem !== null) return { ...companyOutcome(target, 'quarantined', problem), ...evidence };
  if (record === null) return null;
  if (takers.get(record.id) === target && !isOfAnotherRow(record.properties, target, orderId)) return null;
  const rule = target.submittedId === null ? 'same_company' : 'same_record';
  return { ...companyOutcome(target, 'skipped', rule, record.id), ...evidence };
}

/** A record takes one row of an order, or its rows would overwrite each other in every pass: the first, an enriched one before others. */
function isOfAnotherRow(
  properties: Readonly<Record<string, string | null>>,
  { of, company }: CompanyTarget,
  orderId: string,
): boolean {
  const ours = of.slot.input_position;
  const position = Number(properties['prospect_sync_position'] ?? ours);
  if (properties['prospect_sync_order_id'] !== orderId || position === ours) return false;
  const isEnriched = properties['prospect_sync_status'] === 'ENRICHED';
  return isEnriched === (company !== null) ? position < ours : isEnriched;
}

/** A DUPLICATE row says that two submitted records are one company: the record of the other row, by target. */
async function readDuplicates(
  { ledger }: Tools,
  { twins, projection: { orderId, externalIdsAreRecordIds } }: SlotBatch,
  targets: readonly CompanyTarget[],
): Promise<Map<CompanyTarget, string[]>> {
  const found = new Map<CompanyTarget, string[]>();
  if (!externalIdsAreRecordIds) return found;
  const first = new Map<number, string | null>();
  for (const target of targets) {
    const { duplicate_of_input_position: original } = target.of.slot;
    if (target.of.slot.status !== 'DUPLICATE' || typeof original !== 'number') continue;
    if (!first.has(original)) {
      const [slot] = await ledger.slots.read(orderId, { from: original, to: original + 1 });
      first.set(original, slot?.externalId ?? twins.get(original)?.[0] ?? null);
    }
    const recordId = first.get(original) ?? null;
    if (recordId !== null && recordId !== target.submittedId) found.set(target, [recordId]);
  }
  return found;
}

function toWanted({ slot }: BatchSlot, company: Company | null, { provenance, plan }: Projection): WantedProperties {
  return company === null
    ? toStatusProperties(slot, provenance)
    : toCompanyProperties(slot, company, provenance, plan.mapping);
}

export function companyOutcome(
  { of, key }: CompanyTarget,
  outcome: 'skipped' | 'quarantined',
  rule: string,
  recordId: string | null = null,
): ItemOutcome {
  return { position: of.position, item: 'company', outcome, rule, recordId, matchKey: key };
}

export function isOpen({ of }: CompanyTarget): boolean {
  return !isSettled(of, 'company');
}
