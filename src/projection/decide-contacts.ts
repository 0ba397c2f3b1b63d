import type { Prospect } from '../contract/index.ts';
import { skipRuleOf } from '../mapping/contact-policy.ts';
import { toContactProperties, type WantedProperties } from '../mapping/crm-properties.ts';
import { contactEmail, contactKey } from '../mapping/identity.ts';
import type { Item } from '../ledger/outcomes.ts';
import { matchContacts } from './match-contacts.ts';
import type { Match } from './match.ts';
import type { Projection, Tools } from './projection.ts';
import { isOfEarlierRow, isSettled, type BatchSlot, type ItemOutcome, type SlotBatch } from './slot-batch.ts';
import type { Want } from './want.ts';
import { propertyNames } from './property-names.ts';

/** A person who is to be written, to a company that has a record. */
export interface ContactTarget {
  readonly of: BatchSlot;
  readonly item: Item;
  readonly key: string;
  readonly email: string | null;
  readonly wanted: WantedProperties;
  readonly companyId: string;
}

/** Who is to be written, and who is left out by which rule. */
export function sortOutContacts(
  { projection, slots }: SlotBatch,
  companyIds: ReadonlyMap<number, string>,
): { targets: ContactTarget[]; outcomes: ItemOutcome[] } {
  const targets = new Map<string, ContactTarget>();
  const outcomes: ItemOutcome[] = [];
  for (const of of slots) {
    for (const [index, prospect] of (of.slot.company?.prospects ?? []).entries()) {
      const item: Item = `contact:${index}`;
      if (isSettled(of, item)) continue;
      const target = toTarget({ of, item, prospect, companyId: companyIds.get(of.position), projection });
      const rule = typeof target === 'string' ? target : targets.has(target.key) ? 'same_person' : null;
      if (typeof target !== 'string' && rule === null) targets.set(target.key, target);
      else outcomes.push({ ...toSkipped(of, item), rule, matchKey: keyOf(of, prospect) });
    }
  }
  return { targets: [...targets.values()], outcomes };
}

/** What is to be written for people, and the outcome of those for whom nothing is. */
export async function decideContacts(
  tools: Tools,
  { projection }: SlotBatch,
  targets: readonly ContactTarget[],
): Promise<{ wants: { want: Want; companyId: string }[]; outcomes: ItemOutcome[] }> {
  const matches = await matchContacts(tools, targets, propertyNames('contacts', projection.plan.mapping));
  const takers = settleRecords(targets, matches, projection.orderId);
  const wants: { want: Want; companyId: string }[] = [];
  const outcomes: ItemOutcome[] = [];
  for (const [index, target] of targets.entries()) {
    const match = matches[index];
    if (match === undefined) throw new RangeError('the match ladder returned fewer matches than contacts');
    const { of, item, key, wanted, companyId } = target;
    const { record, rule, candidates } = match;
    if (record !== null && takers.get(record.id) !== target) {
      const evidence = { matchKey: key, matchedBy: rule, candidates };
      const skipped = { outcome: 'skipped', rule: 'same_person', recordId: record.id, ...evidence } as const;
      outcomes.push({ position: of.position, item, ...skipped });
    } else {
      wants.push({ want: { of, item, key, match, wanted }, companyId });
    }
  }
  return { wants, outcomes };
}

/**
 * Which of the people that found one record has it, by record id: the first of them, one that was found by a secondary
 * address after the others. HubSpot may not find secondary addresses in the first pass, and the ledger knows them in the
 * second: the record must have the same person in both.
 */
function settleRecords(
  targets: readonly ContactTarget[],
  matches: readonly Match[],
  orderId: string,
): Map<string, ContactTarget> {
  const takers = new Map<string, ContactTarget>();
  for (const isSecondary of [false, true]) {
    for (const [index, target] of targets.entries()) {
      const { record = null, rule } = matches[index] ?? {};
      if (record === null || (rule === 'secondary_email') !== isSecondary) continue;
      if (!takers.has(record.id) && !isOfEarlierRow(record, target.of, orderId)) takers.set(record.id, target);
    }
  }
  return takers;
}

function toSkipped({ position }: BatchSlot, item: Item) {
  return { position, item, outcome: 'skipped', recordId: null } as const;
}

/** So that a person who was left out can be traced by the address too. */
function keyOf({ slot: { company } }: BatchSlot, prospect: Prospect): string | null {
  return company === null ? null : contactKey(prospect, company);
}

interface Person {
  readonly of: BatchSlot;
  readonly item: Item;
  readonly prospect: Prospect;
  readonly companyId: string | undefined;
  readonly projection: Projection;
}

/** The rule that leaves a person out, or the person to write. */
function toTarget({ of, item, prospect, companyId, projection }: Person): ContactTarget | string {
  const { status, company } = of.slot;
  const { plan, provenance } = projection;
  if (of.isLeak) return 'exclusion_leak';
  if (company === null || status !== 'ENRICHED') return 'not_enriched';
  const rule = skipRuleOf(prospect, plan.contacts);
  if (rule !== null) return rule;
  if (companyId === undefined) return 'company_not_written';
  const key = contactKey(prospect, company);
  const wanted = toContactProperties(of.slot, prospect, company, provenance, plan.mapping);
  if (wanted === null || key === null) return 'no_email';
  return { of, item, key, email: contactEmail(prospect), wanted, companyId };
}
