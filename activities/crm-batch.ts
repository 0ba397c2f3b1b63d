/** What is written for up to 100 slots: the state that company and contact projection share. */
import { slotSchema, type Slot } from '../src/contract/index.ts';
import type { Item, OutcomeRow, RecordedOutcome } from '../src/ledger/outcomes.ts';
import type { StoredSlot } from '../src/ledger/slots.ts';
import type { RecordOutcome } from '../src/order-report.ts';
import type { PlannedWrite } from '../src/ledger/tables.ts';
import type { Provenance } from '../src/mapping/crm-properties.ts';
import type { Clients } from './clients.ts';

export interface Projection {
  readonly orderId: string;
  /** The pass: what it has written already is not written again after a failed attempt. */
  readonly projectionId: string;
  readonly provenance: Provenance;
  readonly externalIdsAreRecordIds: boolean;
}

/** A slot of the batch with what earlier attempts of this projection did for it. */
export interface BatchSlot {
  readonly position: number;
  readonly slot: Slot;
  readonly before: ReadonlyMap<Item, OutcomeRow>;
}

export interface ItemOutcome {
  readonly position: number;
  readonly item: Item;
  readonly outcome: RecordOutcome;
  readonly rule: string | null;
  readonly recordId: string | null;
}

export type CrmBatch = ReturnType<typeof createCrmBatch>;

/** Plans and records outcomes of one batch in the ledger. */
export function createCrmBatch({ ledger, now }: Clients, projection: Projection) {
  const row = { orderId: projection.orderId, sink: 'hubspot', projectionId: projection.projectionId } as const;
  return {
    projection,

    /** The slots of the batch, each with the outcomes that earlier attempts of this projection recorded or planned. */
    async open(slots: readonly StoredSlot[]): Promise<BatchSlot[]> {
      const from = slots[0]?.position ?? 0;
      const known = await ledger.outcomes.read(projection.orderId, 'hubspot', { from, to: from + slots.length });
      const ours = Map.groupBy(
        known.filter((outcome) => outcome.projectionId === projection.projectionId),
        ({ position }) => position,
      );
      return slots.map(({ position, json }) => ({
        position,
        slot: slotSchema.parse(JSON.parse(json)),
        before: new Map((ours.get(position) ?? []).map((outcome) => [outcome.item, outcome])),
      }));
    },

    /** Before a write is sent, so that a record which a lost answer left behind is still counted as created. */
    async plan(items: readonly { position: number; item: Item; planned: PlannedWrite }[]): Promise<void> {
      const at = now().toISOString();
      await ledger.outcomes.plan(items.map((item) => ({ ...row, ...item, at })));
    },

    async record(outcomes: readonly ItemOutcome[]): Promise<void> {
      const at = now().toISOString();
      await ledger.outcomes.record(
        outcomes.map((outcome): RecordedOutcome => ({ ...row, planned: null, ...outcome, at })),
      );
    },
  };
}

/** True when this item has its outcome from an earlier attempt. */
export function isSettled({ before }: BatchSlot, item: Item): boolean {
  return (before.get(item)?.outcome ?? null) !== null;
}

/** `unchanged` after an attempt that had planned to write means: that write arrived, only its answer was lost. */
export function unchangedOutcome({ before }: BatchSlot, item: Item): RecordOutcome {
  const planned = before.get(item)?.planned;
  if (planned === 'create') return 'created';
  return planned === 'update' ? 'updated' : 'unchanged';
}
