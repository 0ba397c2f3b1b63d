/** Reads the slots of an order in batches, with the outcomes of earlier passes, and records the new ones. */
import type { CompanyRow, Slot } from '../../service/contract/index.ts';
import type { HubSpotClient } from '../../hubspot/hubspot-client.ts';
import type { CrmRecord, ObjectType } from '../../hubspot/hubspot-record.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { noEvidence, type OutcomeEvidence, type Item, type OutcomeRow } from '../../ledger/outcome-store.ts';
import type { ParsedSlot } from '../../ledger/slots.ts';
import { partsOf, type PositionRange } from '../../ledger/stored-slot.ts';
import type { PlannedWrite } from '../../ledger/tables.ts';
import { companyDomain, contactKey } from '../../ledger/identity.ts';
import type { CrmMapping, CrmPlan } from '../mapping/crm-plan.ts';
import { withWebsite, type Provenance } from '../mapping/crm-properties.ts';
import { readsWebsites } from '../mapping/written-content.ts';
import type { OutcomeName } from '../../ledger/crm-outcomes.ts';
import { findRowMismatch, type RowMismatch } from '../../service/contract/row-mismatch.ts';

export interface ProjectionDependencies {
  readonly hubspot: HubSpotClient;
  readonly ledger: Ledger;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Object types without prospect_sync properties, so that no record has a key. Only possible in previews. */
  readonly unpreparedTypes?: readonly ObjectType[];
}

/** One pass that writes the slots of an order to HubSpot. */
export interface Projection {
  readonly orderId: string;
  /** A retried attempt skips items that have an outcome of the same projection. */
  readonly projectionId: string;
  readonly provenance: Provenance;
  readonly plan: CrmPlan;
  /** True when the external ids of submitted rows are HubSpot record ids. */
  readonly externalIdsAreRecordIds: boolean;
  /** Writes only items that earlier passes quarantined, failed, or skipped for such an item. */
  readonly onlyUnfinished: boolean;
  /** Overwrites records that a newer order wrote. */
  readonly force: boolean;
}

export interface BatchSlot {
  readonly position: number;
  readonly slot: Slot;
  /** Final outcomes: of earlier attempts of this projection, and those that `onlyUnfinished` keeps. */
  readonly keptOutcomes: ReadonlyMap<Item, OutcomeRow>;
  /** The last outcome of each item, of any projection. */
  readonly lastOutcomes: ReadonlyMap<Item, OutcomeRow>;
  /** A blacklist of the order names the company: nothing is written. */
  readonly isLeak: boolean;
  /** The company opted out: nothing is written. */
  readonly isSuppressed: boolean;
  /** Contradiction between the slot and its submitted row: nothing is written to the record of the external id. */
  readonly rowMismatch: RowMismatch | null;
  /** Record ids that DUPLICATE rows submitted for the company of this row. */
  readonly duplicateRecordIds: readonly string[];
}

export interface SlotBatch {
  readonly projection: Projection;
  readonly slots: readonly BatchSlot[];
  /** Keys of contacts who opted out. */
  readonly suppressedContacts: ReadonlySet<string>;
  /** External ids of DUPLICATE rows, by the position of the row that they repeat. */
  readonly duplicates: ReadonlyMap<number, readonly string[]>;
  /** The position after the last slot. */
  readonly end: number;
}

/** The outcome of a company or contact, as the ledger records it. */
export interface RecordOutcome extends Partial<OutcomeEvidence> {
  readonly position: number;
  readonly item: Item;
  readonly outcome: OutcomeName;
  readonly rule: string | null;
  readonly recordId: string | null;
}

/** Rule of a contact whose record was written, and whose link to the company HubSpot rejected. */
export const linkRefused = 'company_link_refused';
/** Rule of a contact whose link an earlier pass created, and which was removed since. */
export const linkRestored = 'company_link_restored';
/** Rule of a contact whose link an earlier order created, and which a person has removed since. */
export const linkRemoved = 'company_link_removed';

/** Enough slots to fill HubSpot's batches of 100 records and 1,000 associations. */
export const slotsPerBatch = 1_000;

export async function* openSlotBatches(
  dependencies: ProjectionDependencies,
  projection: Projection,
  positions: PositionRange,
): AsyncGenerator<SlotBatch> {
  const { slots, leaks } = dependencies.ledger;
  const { orderId, externalIdsAreRecordIds, plan } = projection;
  // The text of a website has up to 65,536 characters.
  const size = readsWebsites(plan.mapping) ? slotsPerBatch / 10 : slotsPerBatch;
  const duplicates = externalIdsAreRecordIds ? await slots.readDuplicates(orderId) : new Map<number, string[]>();
  for (const range of partsOf(positions, size)) {
    const verdicts = [...(await leaks.read(orderId, range))].filter(([, { verdict }]) => verdict === 'LEAK');
    const leaked = new Set(verdicts.map(([position]) => position));
    const parsedSlots = await slots.readParsed(orderId, range);
    yield openSlotBatch(dependencies, projection, parsedSlots, leaked, duplicates);
  }
}

/** @param leaked positions that are not written */
export async function openSlotBatch(
  { ledger }: ProjectionDependencies,
  projection: Projection,
  withoutWebsites: readonly ParsedSlot[],
  leaked: ReadonlySet<number>,
  duplicates: SlotBatch['duplicates'] = new Map(),
): Promise<SlotBatch> {
  const { orderId, projectionId, onlyUnfinished, plan } = projection;
  const parsedSlots = await addWebsites(ledger, { orderId, mapping: plan.mapping }, withoutWebsites);
  const range = { from: parsedSlots[0]?.position ?? 0, to: (parsedSlots.at(-1)?.position ?? -1) + 1 };
  const rows = await ledger.outcomes.read(orderId, range);
  const unlinked = findUnlinkedPositions(rows);
  const isLeftAsIs = (row: OutcomeRow) => onlyUnfinished && isFinished(row) && !unlinked.has(row.position);
  const keptRows = rows.filter((row) => row.projectionId === projectionId || isLeftAsIs(row));
  const kept = Map.groupBy(keptRows, ({ position }) => position);
  const last = Map.groupBy(rows, ({ position }) => position);
  const submitted = projection.externalIdsAreRecordIds
    ? await ledger.drafts.submittedRows(orderId, range)
    : new Map<number, CompanyRow>();
  const suppressed = await findSuppressed(ledger, parsedSlots);
  const slots = parsedSlots.map(({ position, slot }): BatchSlot => ({
    position,
    slot,
    keptOutcomes: new Map((kept.get(position) ?? []).map((row) => [row.item, row])),
    lastOutcomes: new Map((last.get(position) ?? []).map((row) => [row.item, row])),
    isLeak: leaked.has(position),
    isSuppressed: suppressed.positions.has(position),
    rowMismatch: findMismatch(slot, submitted.get(position)),
    duplicateRecordIds: duplicates.get(position) ?? [],
  }));
  return { projection, slots, suppressedContacts: suppressed.contacts, duplicates, end: range.to };
}

/** Adds the texts of websites, where the mapping reads them, as far as the ledger has them. `slots`: by position. */
export async function addWebsites(
  { websites }: Pick<Ledger, 'websites'>,
  { orderId, mapping }: { readonly orderId: string; readonly mapping: CrmMapping },
  slots: readonly ParsedSlot[],
): Promise<readonly ParsedSlot[]> {
  const [first, last] = [slots[0], slots.at(-1)];
  if (first === undefined || last === undefined || !readsWebsites(mapping)) return slots;
  const texts = await websites.texts(orderId, { from: first.position, to: last.position + 1 });
  return slots.map(({ position, slot }) => ({ position, slot: withWebsite(slot, texts.get(position)) }));
}

interface Suppressed {
  readonly positions: ReadonlySet<number>;
  readonly contacts: ReadonlySet<string>;
}

/** Read for each batch, so that an opt-out also applies to an order in progress. */
async function findSuppressed({ suppressions }: Ledger, slots: readonly ParsedSlot[]): Promise<Suppressed> {
  if (!(await suppressions.isUsed())) return { positions: new Set(), contacts: new Set() };
  const hosts = new Map<number, string>();
  const keys: string[] = [];
  for (const { position, slot } of slots) {
    const { company } = slot;
    if (company === null) continue;
    const host = companyDomain(company);
    if (host !== null) hosts.set(position, host);
    keys.push(...(company.prospects ?? []).flatMap((prospect) => contactKey(prospect, company) ?? []));
  }
  const suppressedHosts = await suppressions.suppressedHosts([...hosts.values()]);
  const positions = [...hosts].flatMap(([position, host]) => (suppressedHosts.has(host) ? [position] : []));
  return { positions: new Set(positions), contacts: await suppressions.suppressedContacts(keys) };
}

function findMismatch(slot: Slot, row: CompanyRow | undefined): RowMismatch | null {
  return row === undefined ? null : findRowMismatch(slot, row);
}

/** Call before the writes are sent, so that a record counts as created even when the answer to its creation is lost. */
export async function planWrites(
  { ledger, now }: ProjectionDependencies,
  { orderId, projectionId }: Projection,
  writes: readonly { position: number; item: Item; planned: PlannedWrite }[],
): Promise<void> {
  const at = now().toISOString();
  await ledger.outcomes.plan(writes.map((write) => ({ orderId, projectionId, ...write, at })));
}

export async function recordOutcomes(
  { ledger, now }: ProjectionDependencies,
  { orderId, projectionId, plan: { mappingVersion } }: Projection,
  outcomes: readonly RecordOutcome[],
): Promise<void> {
  const common = { orderId, projectionId, planned: null, ...noEvidence, mappingVersion };
  const at = now().toISOString();
  await ledger.outcomes.record(outcomes.map((outcome) => ({ ...common, ...outcome, at })));
}

/** True when the item already has an outcome that stays. */
export function isSettled({ keptOutcomes }: BatchSlot, item: Item): boolean {
  return (keptOutcomes.get(item)?.outcome ?? null) !== null;
}

/** True when an earlier row of the order writes the record. Otherwise two rows would overwrite each other in every pass. */
export function isOfEarlierRow({ properties }: CrmRecord, { slot }: BatchSlot, orderId: string): boolean {
  const position = Number(properties['prospect_sync_position'] ?? slot.input_position);
  return properties['prospect_sync_order_id'] === orderId && position < slot.input_position;
}

/**
 * The outcome of an item that needs no write. If an earlier attempt or a cancelled pass planned a write, it was sent and its answer was
 * lost.
 */
export function outcomeWithoutChange({ lastOutcomes }: BatchSlot, item: Item): 'created' | 'updated' | 'unchanged' {
  const last = lastOutcomes.get(item);
  const planned = last?.outcome === null ? last.planned : null;
  if (planned === 'create') return 'created';
  return planned === 'update' ? 'updated' : 'unchanged';
}

/** Rules of items that were skipped because another item was not written: their company, or another row of it. */
const dependentRules = ['company_not_written', 'same_company', 'same_record'];

/** True when another attempt would have the same outcome. */
function isFinished({ outcome, rule, recordId }: Pick<OutcomeRow, 'outcome' | 'rule' | 'recordId'>): boolean {
  if (outcome === 'skipped') return recordId !== null || !dependentRules.includes(rule ?? '');
  return outcome !== null && outcome !== 'quarantined' && outcome !== 'failed';
}

/**
 * Positions of companies for which HubSpot rejected the link of a contact. The company record may be archived or merged, so its
 * rows are matched and written again.
 */
function findUnlinkedPositions(rows: readonly OutcomeRow[]): Set<number> {
  const refused = new Set(rows.flatMap(({ position, rule }) => (rule === linkRefused ? [position] : [])));
  const companies = rows.filter(({ item, recordId }) => item === 'company' && recordId !== null);
  const recordIds = new Set(companies.flatMap(({ position, recordId }) => (refused.has(position) ? [recordId] : [])));
  return new Set(companies.flatMap(({ position, recordId }) => (recordIds.has(recordId) ? [position] : [])));
}
