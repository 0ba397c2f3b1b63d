/** What a projection would write now, property by property. Reads only. */
import type { RecordOutcome } from '../ledger/record-outcome.ts';
import type { Item } from '../ledger/outcomes.ts';
import { toChanges } from '../mapping/crm-changes.ts';
import type { Properties } from '../mapping/crm-properties.ts';
import { decideCompanies, groupByCompany, toCompanyTarget } from './decide-companies.ts';
import { decideContacts, sortOutContacts } from './decide-contacts.ts';
import type { RecordType } from './find-by-key.ts';
import { readOwnValues } from './own-values.ts';
import type { Projection, Tools } from './projection.ts';
import type { ItemOutcome } from './slot-batch.ts';
import { openSlotBatches } from './slot-batches.ts';
import { toWhole, toUpdate } from './write-records.ts';
import type { Want } from './want.ts';
import { ownValue } from '../json/own-value.ts';

export interface PropertyChange {
  readonly property: string;
  /** null where the record is empty, or not there yet. */
  readonly from: string | null;
  readonly to: string;
}

export interface PreviewRow {
  readonly position: number;
  readonly item: Item;
  /** What the item would end as. */
  readonly outcome: RecordOutcome;
  readonly rule: string | null;
  readonly matchedBy: string | null;
  readonly recordId: string | null;
  readonly candidates: readonly string[];
  readonly changes: readonly PropertyChange[];
}

/** People of a company that does not exist yet are shown as if it did. */
const yetToBeCreated = 'new';

/** @returns rows in batches, those of companies before those of people; rows of one company that another row writes are left out */
export async function* previewOrder(tools: Tools, projection: Projection, total: number): AsyncGenerator<PreviewRow[]> {
  const created: Created = { companies: new Set(), contacts: new Set() };
  for await (const batch of openSlotBatches(tools, projection, { from: 0, to: total })) {
    const leaders = groupByCompany(batch.slots.map((of) => toCompanyTarget(of, projection)));
    const companies = await decideCompanies(tools, batch, [...new Set(leaders.values())]);
    yield [...companies.outcomes.map(toRow), ...(await toRows(tools, 'companies', companies.wants, created))];

    const written = new Map(
      companies.outcomes.flatMap(({ position, recordId }) => (recordId === null ? [] : [[position, recordId]])),
    );
    for (const { of, match } of companies.wants) written.set(of.position, match.record?.id ?? yetToBeCreated);
    for (const [{ of }, leader] of leaders) {
      const id = written.get(leader.of.position);
      if (id !== undefined) written.set(of.position, id);
    }
    const { targets, outcomes } = sortOutContacts(batch, written);
    const contacts = await decideContacts(tools, batch, targets);
    const wants = contacts.wants.map(({ want }) => want);
    yield [...[...outcomes, ...contacts.outcomes].map(toRow), ...(await toRows(tools, 'contacts', wants, created))];
  }
}

function toMetAgain(type: RecordType) {
  const rule = type === 'companies' ? 'same_company' : 'same_person';
  return { outcome: 'skipped', rule, recordId: null } as const;
}

function toRow({
  position,
  item,
  outcome,
  rule,
  recordId,
  matchedBy = null,
  candidates = [],
}: ItemOutcome): PreviewRow {
  return { position, item, outcome, rule, matchedBy, recordId, candidates, changes: [] };
}

/** Keys of what batches before would have created: there their rows would be met again. */
type Created = Readonly<Record<RecordType, Set<string>>>;

async function toRows(tools: Tools, type: RecordType, wants: readonly Want[], created: Created): Promise<PreviewRow[]> {
  const isOurs = await readOwnValues(tools, type, wants);
  return wants.map((want): PreviewRow => {
    const { of, item, key, match } = want;
    if (match.record === null && key !== null) {
      if (created[type].has(key)) return toRow({ ...toMetAgain(type), position: of.position, item });
      created[type].add(key);
    }
    const { record, rule: matchedBy, candidates } = match;
    const properties: Properties =
      record === null
        ? toWhole(want)
        : toChanges(toUpdate(type, want, record).wanted, record.properties, (name, value) => isOurs(want, name, value));
    const changes = Object.entries(properties).map(([property, to]) => {
      return { property, from: ownValue(record?.properties ?? {}, property) ?? null, to };
    });
    const outcome = record === null ? 'created' : changes.length === 0 ? 'unchanged' : 'updated';
    return {
      position: of.position,
      item,
      outcome,
      rule: null,
      matchedBy,
      recordId: record?.id ?? null,
      candidates,
      changes,
    };
  });
}
