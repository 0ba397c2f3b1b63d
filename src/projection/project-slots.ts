/** Brings the slots of a batch to the CRM: companies, then their people, then the links between them. */
import { companyOutcome, decideCompanies, groupByCompany, isOpen, toCompanyTarget } from './decide-companies.ts';
import { decideContacts, sortOutContacts } from './decide-contacts.ts';
import { linkContacts, linkRefused, linkRestored, type ContactLink, type LinkOutcome } from './link-contacts.ts';
import type { RecordOutcome } from '../ledger/record-outcome.ts';
import type { Tools } from './projection.ts';
import type { ItemOutcome, SlotBatch } from './slot-batch.ts';
import type { Want } from './want.ts';
import { rememberRecords, writeRecords } from './write-records.ts';

/**
 * Every slot, and every person in it, has one recorded outcome afterwards. While the people of a batch are written, the
 * companies of the next one are looked for: searches are few a second, and nothing else would use the time.
 * @param done is told of each batch once it and all before it are recorded
 */
export async function projectSlots(
  tools: Tools,
  batches: Iterable<SlotBatch> | AsyncIterable<SlotBatch>,
  done: (batch: SlotBatch) => void = () => undefined,
): Promise<void> {
  let people: Promise<void> = Promise.resolve();
  try {
    for await (const batch of batches) {
      const companyIds = await projectCompanies(tools, batch);
      await people;
      people = projectContacts(tools, batch, companyIds).then(() => done(batch));
      // It is waited for in its turn; a failure before that must not go unhandled.
      people.catch(() => undefined);
    }
  } finally {
    await Promise.allSettled([people]);
  }
  await people;
}

/** @returns record ids by position */
async function projectCompanies(tools: Tools, batch: SlotBatch): Promise<Map<number, string>> {
  const targets = batch.slots.map((of) => toCompanyTarget(of, batch.projection));
  const open = targets.filter(isOpen);
  const leaders = groupByCompany(open);
  const { wants, outcomes } = await decideCompanies(tools, batch, [...new Set(leaders.values())]);
  const items = await writeRecords(tools, batch, 'companies', wants);
  outcomes.push(...items.map(({ outcome }) => outcome));
  await rememberRecords(tools, 'companies', outcomes);
  const byPosition = new Map(outcomes.map((outcome) => [outcome.position, outcome]));
  for (const target of open) {
    const leader = leaders.get(target) ?? target;
    if (leader === target) continue;
    const recordId = byPosition.get(leader.of.position)?.recordId ?? null;
    const rule = target.submittedId === null ? 'same_company' : 'same_record';
    outcomes.push(companyOutcome(target, 'skipped', rule, recordId));
  }
  await batch.record(outcomes);

  const ids = new Map(outcomes.map(({ position, recordId }) => [position, recordId]));
  const written = targets.flatMap(({ of: { position, before } }): [number, string][] => {
    const recordId = ids.get(position) ?? before.get('company')?.recordId ?? null;
    return recordId === null ? [] : [[position, recordId]];
  });
  return new Map(written);
}

const linkedOutcomes: readonly RecordOutcome[] = ['created', 'updated', 'unchanged', 'failed'];

/** Links come before the outcomes are recorded: a person whose link failed is not done. */
async function projectContacts(tools: Tools, batch: SlotBatch, companyIds: ReadonlyMap<number, string>): Promise<void> {
  const { targets, outcomes: leftOut } = sortOutContacts(batch, companyIds);
  const { wants, outcomes: skipped } = await decideContacts(tools, batch, targets);
  const items = await writeRecords(
    tools,
    batch,
    'contacts',
    wants.map(({ want }) => want),
  );
  const written = items.map(({ outcome }) => outcome);
  await rememberRecords(tools, 'contacts', [...skipped, ...written]);
  const links = items.flatMap(({ outcome: { recordId, outcome }, isNew }, index) => {
    const companyId = wants[index]?.companyId;
    // A person who is left to another row belongs to the company of that one.
    if (recordId === null || companyId === undefined || !linkedOutcomes.includes(outcome)) return [];
    return [{ index, contactId: recordId, companyId, isNew }];
  });
  const linkOutcomes = await linkContacts(tools, links);
  const rules = new Map(
    links.map((link, number) => [link.index, toLinkRule(linkOutcomes[number], link, wants[link.index]?.want)]),
  );
  const linked = written.map((outcome, index): ItemOutcome => {
    const rule = rules.get(index) ?? null;
    return rule === linkRefused ? { ...outcome, outcome: 'failed', rule } : { ...outcome, rule: outcome.rule ?? rule };
  });
  await batch.record([...leftOut, ...skipped, ...linked]);
}

/** What the link says of a person, if anything: that it was refused, or that it had to be made a second time. */
function toLinkRule(outcome: LinkOutcome | undefined, link: ContactLink, want: Want | undefined) {
  if (outcome === 'refused') return linkRefused;
  return outcome === 'made' && want !== undefined && wasLinked(want, link) ? linkRestored : null;
}

/** An earlier pass wrote the same person to the same company: it had linked them. */
function wasLinked({ of: { earlier }, item }: Want, { contactId, companyId }: ContactLink): boolean {
  const person = earlier.get(item);
  const isWritten = person?.outcome === 'created' || person?.outcome === 'updated' || person?.outcome === 'unchanged';
  return isWritten && person.recordId === contactId && earlier.get('company')?.recordId === companyId;
}
