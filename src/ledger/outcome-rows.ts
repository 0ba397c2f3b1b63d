import type { RecordOutcome } from './record-outcome.ts';
import { batchRows } from './query-batches.ts';
import { draftOfOrder } from './draft-store.ts';
import { toOutcomeRow, type OutcomeRow } from './outcomes.ts';
import { toCodes } from './slots.ts';
import type { Database } from './tables.ts';

/** An outcome beside the slot that it belongs to. */
export interface SlotOutcome extends OutcomeRow {
  readonly status: string;
  readonly reasonCodes: readonly string[];
  readonly externalId: string | null;
  readonly runName: string | null;
  /** Number of the row in the file that was enriched; null where there was none. */
  readonly sourceRow: number | null;
}

export interface RowFilter {
  /** Any of them; all when empty. */
  readonly outcomes: readonly RecordOutcome[];
  /** A rule (with or without the property behind its colon) or a reason code of the slot; all when null. */
  readonly reason: string | null;
}

/** What a trace may start from; each is matched exactly. */
export type Trail = { readonly recordId: string } | { readonly externalId: string } | { readonly matchKey: string };

/** Outcomes as a person looks for them. */
export function createOutcomeRows(db: Database) {
  const outcomesOfSlots = () =>
    db
      .selectFrom('outcomes')
      .innerJoin('slots', (join) =>
        join.onRef('slots.orderId', '=', 'outcomes.orderId').onRef('slots.position', '=', 'outcomes.position'),
      )
      .leftJoin('orders', 'orders.orderId', 'outcomes.orderId')
      .leftJoin(draftOfOrder(db).as('placed'), 'placed.orderId', 'outcomes.orderId')
      .leftJoin('draftRows', (join) =>
        join.onRef('draftRows.draftId', '=', 'placed.draftId').onRef('draftRows.position', '=', 'outcomes.position'),
      )
      .selectAll('outcomes')
      .select(['slots.status', 'slots.reasonCodesJson', 'slots.externalId', 'orders.runName', 'draftRows.sourceRow']);

  return {
    /** By position, then item; a page at a time. */
    async *list(orderId: string, { outcomes, reason }: RowFilter): AsyncGenerator<SlotOutcome[]> {
      let after = -1;
      for (;;) {
        const rows = await outcomesOfSlots()
          .where('outcomes.orderId', '=', orderId)
          .where('outcomes.position', '>', after)
          .where('outcomes.position', '<=', after + batchRows)
          .orderBy('outcomes.position')
          .orderBy('outcomes.item')
          .execute();
        const found = rows.map(toSlotOutcome);
        const wanted = found.filter(
          ({ outcome }) => outcomes.length === 0 || outcomes.some((wantedOne) => wantedOne === outcome),
        );
        if (wanted.length > 0) yield wanted.filter((row) => reason === null || hasReason(row, reason));
        const next = await nextPosition(db, orderId, after + batchRows);
        if (next === null) return;
        after = next - 1;
      }
    },

    /** In all orders, the newest writing first. */
    async trace(trail: Trail): Promise<SlotOutcome[]> {
      const [column, value] =
        'recordId' in trail
          ? (['outcomes.recordId', trail.recordId] as const)
          : 'externalId' in trail
            ? (['slots.externalId', trail.externalId] as const)
            : (['outcomes.matchKey', trail.matchKey] as const);
      const rows = await outcomesOfSlots().where(column, '=', value).orderBy('outcomes.at', 'desc').execute();
      return rows.map(toSlotOutcome);
    },
  };
}

type JoinedRow = Parameters<typeof toOutcomeRow>[0] & {
  status: string;
  reasonCodesJson: string;
  externalId: string | null;
  runName: string | null;
  sourceRow: number | null;
};

function toSlotOutcome({ status, reasonCodesJson, externalId, runName, sourceRow, ...row }: JoinedRow): SlotOutcome {
  return { ...toOutcomeRow(row), status, reasonCodes: toCodes(reasonCodesJson), externalId, runName, sourceRow };
}

function hasReason({ rule, reasonCodes }: SlotOutcome, reason: string): boolean {
  return rule === reason || rule?.split(':')[0] === reason || reasonCodes.includes(reason);
}

async function nextPosition(db: Database, orderId: string, after: number): Promise<number | null> {
  const row = await db
    .selectFrom('outcomes')
    .select('position')
    .where('orderId', '=', orderId)
    .where('sink', '=', 'hubspot')
    .where('position', '>', after)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  return row?.position ?? null;
}
