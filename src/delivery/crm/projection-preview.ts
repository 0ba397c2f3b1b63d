/** Previews a projection: the properties that it would write now. Only reads. */
import type { ObjectType } from '../../hubspot/hubspot-record.ts';
import { getOwnProperty } from '../../base/json/own-property.ts';
import type { Item } from '../../ledger/outcome-store.ts';
import { toNewerRule, type OutcomeName } from '../../ledger/crm-outcomes.ts';
import { planCompanies, skipDuplicateRows } from './plan-companies.ts';
import { planContacts } from './plan-contacts.ts';
import { openSlotBatches, type Projection, type ProjectionDependencies, type RecordOutcome } from './slot-batch.ts';
import type { RecordWrite } from './record-write.ts';
import { findNewer, planChanges } from './write-records.ts';

export interface PropertyChange {
  readonly property: string;
  /** null if the property is empty or the record does not exist yet. */
  readonly from: string | null;
  readonly to: string;
}

export interface PreviewRow {
  readonly position: number;
  readonly item: Item;
  readonly outcome: OutcomeName;
  readonly rule: string | null;
  readonly matchedBy: string | null;
  readonly recordId: string | null;
  readonly candidates: readonly string[];
  readonly changes: readonly PropertyChange[];
}

/** Record id of a company that a projection would create, so that its contacts are shown as well. */
const newRecordId = 'new';

/** @returns rows in batches: companies, then their contacts; without rows whose company another row of the batch writes */
export async function* previewOrder(
  dependencies: ProjectionDependencies,
  projection: Projection,
  total: number,
): AsyncGenerator<PreviewRow[]> {
  const createdKeys: CreatedKeys = { companies: new Set(), contacts: new Set() };
  for await (const batch of openSlotBatches(dependencies, projection, { from: 0, to: total })) {
    const companies = await planCompanies(dependencies, batch);
    yield [
      ...companies.outcomes.map(toRow),
      ...(await previewWrites(dependencies, projection, 'companies', companies.writes, createdKeys)),
    ];

    const recordIds = new Map<number, string | null>([
      ...companies.outcomes.map(({ position, recordId }) => [position, recordId] as const),
      ...companies.writes.map(({ slot, match }) => [slot.position, match.record?.id ?? newRecordId] as const),
    ]);
    const duplicates = skipDuplicateRows(companies, recordIds);
    const companyIds = [...recordIds, ...duplicates.map(({ position, recordId }) => [position, recordId] as const)];
    const contacts = await planContacts(
      dependencies,
      batch,
      new Map(companyIds.flatMap(([position, recordId]) => (recordId === null ? [] : [[position, recordId]]))),
    );
    yield [
      ...contacts.outcomes.map(toRow),
      ...(await previewWrites(dependencies, projection, 'contacts', contacts.writes, createdKeys)),
    ];
  }
}

async function previewWrites(
  dependencies: ProjectionDependencies,
  projection: Projection,
  type: ObjectType,
  writes: readonly RecordWrite[],
  createdKeys: CreatedKeys,
): Promise<PreviewRow[]> {
  const newer = await findNewer(dependencies, projection, type, writes);
  const changes = await planChanges(dependencies, projection, type, writes);
  return changes.map(({ write, properties }) => {
    const newerOrder = newer.get(write);
    if (newerOrder === undefined) return toWriteRow(type, write, properties, createdKeys);
    const { slot, item, match } = write;
    const found = { matchedBy: match.rule, recordId: newerOrder.id, candidates: match.candidates };
    return toRow({
      position: slot.position,
      item,
      outcome: 'skipped',
      rule: toNewerRule(newerOrder.orderId),
      ...found,
    });
  });
}

/** Keys of records that earlier rows would create; in a projection, later batches find those records. */
type CreatedKeys = Readonly<Record<ObjectType, Set<string>>>;

function toRow({
  position,
  item,
  outcome,
  rule,
  recordId,
  matchedBy = null,
  candidates = [],
}: RecordOutcome): PreviewRow {
  return { position, item, outcome, rule, matchedBy, recordId, candidates, changes: [] };
}

function toWriteRow(
  type: ObjectType,
  { slot: { position }, item, key, match }: RecordWrite,
  properties: Readonly<Record<string, string>>,
  createdKeys: CreatedKeys,
): PreviewRow {
  const { record, rule: matchedBy, candidates } = match;
  if (record === null && key !== null) {
    if (createdKeys[type].has(key)) {
      const rule = type === 'companies' ? 'same_company' : 'same_person';
      return toRow({ position, item, outcome: 'skipped', rule, recordId: null });
    }
    createdKeys[type].add(key);
  }
  const changes = Object.entries(properties).map(([property, to]) => {
    return { property, from: getOwnProperty(record?.properties ?? {}, property) ?? null, to };
  });
  const outcome = record === null ? 'created' : changes.length === 0 ? 'unchanged' : 'updated';
  return { position, item, outcome, rule: null, matchedBy, recordId: record?.id ?? null, candidates, changes };
}
