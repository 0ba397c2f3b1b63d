/** The slots that are worked on together, with what is known and what becomes of each. */
import type { Slot } from '../contract/index.ts';
import type { CrmRecord } from '../hubspot/hubspot-record.ts';
import { noEvidence, type Evidence, type Item, type OutcomeRow } from '../ledger/outcomes.ts';
import type { StoredSlot } from '../ledger/slots.ts';
import type { PlannedWrite } from '../ledger/tables.ts';
import type { RecordOutcome } from '../ledger/record-outcome.ts';
import { linkRefused } from './link-contacts.ts';
import type { Projection, Tools } from './projection.ts';

export interface BatchSlot {
  readonly position: number;
  readonly slot: Slot;
  /** What earlier attempts of this projection did for it, and what it leaves alone. */
  readonly before: ReadonlyMap<Item, OutcomeRow>;
  /** How it ended last, whichever projection that was. */
  readonly earlier: ReadonlyMap<Item, OutcomeRow>;
  /** Listed on a blacklist when it was ordered: not written. */
  readonly isLeak: boolean;
  /** Records that were submitted by later rows, which turned out to be this row's company. */
  readonly twinIds: readonly string[];
}

export interface ItemOutcome extends Partial<Evidence> {
  readonly position: number;
  readonly item: Item;
  readonly outcome: RecordOutcome;
  readonly rule: string | null;
  readonly recordId: string | null;
}

export type SlotBatch = Awaited<ReturnType<typeof openSlotBatch>>;

/** Reads what the ledger knows of the slots; plans and records what becomes of them. `leaks`: positions that are not to be written. */
export async function openSlotBatch(
  { ledger, now }: Tools,
  projection: Projection,
  stored: readonly StoredSlot[],
  leaks: ReadonlySet<number>,
  twins: ReadonlyMap<number, readonly string[]> = new Map(),
) {
  const { orderId, projectionId, onlyUnfinished } = projection;
  const range = { from: stored[0]?.position ?? 0, to: (stored.at(-1)?.position ?? -1) + 1 };
  const known = await ledger.outcomes.read(orderId, 'hubspot', range);
  const withoutLink = findSlotsWithoutLink(known);
  const isLeftAlone = (row: OutcomeRow) => onlyUnfinished && isFinished(row) && !withoutLink.has(row.position);
  const counting = known.filter((row) => row.projectionId === projectionId || isLeftAlone(row));
  const before = Map.groupBy(counting, ({ position }) => position);
  const earlier = Map.groupBy(known, ({ position }) => position);
  const readSlot = await ledger.shapes.slotReader(orderId);
  const slots = stored.map(({ position, json }): BatchSlot => ({
    position,
    slot: readSlot(json),
    before: new Map((before.get(position) ?? []).map((row) => [row.item, row])),
    earlier: new Map((earlier.get(position) ?? []).map((row) => [row.item, row])),
    isLeak: leaks.has(position),
    twinIds: twins.get(position) ?? [],
  }));
  const common = { orderId, sink: 'hubspot', projectionId } as const;
  const { mappingVersion } = projection.plan;

  return {
    projection,
    slots,
    /** External ids of DUPLICATE rows by the position of the row that they repeat. */
    twins,
    /** The position behind the last slot. */
    end: range.to,

    /** Before a write is sent, so that a record which a lost answer left behind is still counted as created. */
    async plan(items: readonly { position: number; item: Item; planned: PlannedWrite }[]): Promise<void> {
      const at = now().toISOString();
      await ledger.outcomes.plan(items.map((item) => ({ ...common, ...item, at })));
    },

    async record(outcomes: readonly ItemOutcome[]): Promise<void> {
      const at = now().toISOString();
      await ledger.outcomes.record(
        outcomes.map((outcome) => ({ ...common, planned: null, ...noEvidence, mappingVersion, ...outcome, at })),
      );
    },
  };
}

/** True when this item has its outcome from an earlier attempt, or from a pass whose work is left alone. */
export function isSettled({ before }: BatchSlot, item: Item): boolean {
  return (before.get(item)?.outcome ?? null) !== null;
}

/** A person with two addresses is one record: it takes the first row of an order, or the rows would overwrite each other in every pass. */
export function isOfEarlierRow({ properties }: CrmRecord, { slot }: BatchSlot, orderId: string): boolean {
  const position = Number(properties['prospect_sync_position'] ?? slot.input_position);
  return properties['prospect_sync_order_id'] === orderId && position < slot.input_position;
}

/** `unchanged` after an attempt that had planned to write means: that write arrived, only its answer was lost. */
export function unchangedOutcome({ before }: BatchSlot, item: Item): RecordOutcome {
  const planned = before.get(item)?.planned;
  if (planned === 'create') return 'created';
  return planned === 'update' ? 'updated' : 'unchanged';
}

/** What was left out because the row that it depends on was not written: its company, or the row of the same company. */
const dependentRules = ['company_not_written', 'same_company', 'same_record'];

/** Rows whose outcome a repetition would not better. */
function isFinished({ outcome, rule, recordId }: Pick<OutcomeRow, 'outcome' | 'rule' | 'recordId'>): boolean {
  if (outcome === 'skipped') return recordId !== null || !dependentRules.includes(rule ?? '');
  return outcome !== null && outcome !== 'quarantined' && outcome !== 'failed';
}

/**
 * Positions that are written again as a whole because the link of a person was refused: the company may be gone, which
 * only another look for it tells. So are the other rows of that company.
 */
function findSlotsWithoutLink(rows: readonly OutcomeRow[]): Set<number> {
  const refused = new Set(rows.flatMap(({ position, rule }) => (rule === linkRefused ? [position] : [])));
  const companies = rows.filter(({ item, recordId }) => item === 'company' && recordId !== null);
  const companyIds = new Set(companies.flatMap(({ position, recordId }) => (refused.has(position) ? [recordId] : [])));
  return new Set(companies.flatMap(({ position, recordId }) => (companyIds.has(recordId) ? [position] : [])));
}
