import { batchesOf, distinctBy } from './query-batches.ts';
import { type Tally, tallyOutcomes } from './outcome-tally.ts';
import type { Range } from './slots.ts';
import type { RecordOutcome } from './record-outcome.ts';
import type { Database, PlannedWrite, Tables } from './tables.ts';

/**
 * What became of one item of a slot in one sink.
 * `item`: `company`, or `contact:` and the number of the contact; `projectionId`: the pass that wrote it;
 * `rule`: a code for why it was skipped, quarantined or failed, or what was restored; never free text.
 */
export type OutcomeRow = Omit<Tables['outcomes'], 'sink' | 'item' | keyof Evidence | 'candidatesJson'> & {
  sink: Sink;
  item: Item;
} & Evidence;
export type Sink = 'hubspot';
export type Item = 'company' | `contact:${number}`;
/** How the record of an item was found. */
export interface Evidence {
  /** Our own key of the company or contact; null where it has none. */
  readonly matchKey: string | null;
  /** The rung of the match ladder that decided, for example `domain`; null where nothing was looked for. */
  readonly matchedBy: string | null;
  /** Record ids that were considered, ten at most. */
  readonly candidates: readonly string[];
  readonly mappingVersion: string | null;
}
export const noEvidence: Evidence = { matchKey: null, matchedBy: null, candidates: [], mappingVersion: null };
export type PlannedOutcome = Pick<OutcomeRow, 'orderId' | 'sink' | 'position' | 'item' | 'projectionId' | 'at'> & {
  planned: PlannedWrite;
};
type RuleOfProjection = Pick<OutcomeRow, 'orderId' | 'sink' | 'projectionId'> & { rule: string };
export type RecordedOutcome = Omit<OutcomeRow, 'outcome'> & { outcome: RecordOutcome };

export function createOutcomes(db: Database) {
  return {
    /** Before a write is sent. Leaves alone what already has an outcome in the same projection; all or nothing. */
    plan: (rows: readonly PlannedOutcome[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of batchesOf(distinctBy(rows, keyOf))) await planChunk(transaction, chunk);
      }),

    /** After the answer. What was planned in the same projection stays, when a row says nothing of it; all or nothing. */
    record: (rows: readonly RecordedOutcome[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of batchesOf(distinctBy(rows, keyOf))) await recordChunk(transaction, chunk);
      }),

    /** In the order of positions, then items. */
    async read(orderId: string, sink: Sink, { from, to }: Range): Promise<OutcomeRow[]> {
      const rows = await db
        .selectFrom('outcomes')
        .selectAll()
        .where('orderId', '=', orderId)
        .where('sink', '=', sink)
        .where('position', '>=', from)
        .where('position', '<', to)
        .orderBy('position')
        .orderBy('item')
        .execute();
      return rows.map((row) => toOutcomeRow(row));
    },

    /** How many rows of a projection have this rule. */
    async countByRule({ orderId, sink, projectionId, rule }: RuleOfProjection): Promise<number> {
      const { count } = await db
        .selectFrom('outcomes')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('orderId', '=', orderId)
        .where('sink', '=', sink)
        .where('projectionId', '=', projectionId)
        .where('rule', '=', rule)
        .executeTakeFirstOrThrow();
      return count;
    },

    /** Counts of what has an outcome; of one projection, if given. */
    tally: (orderId: string, sink: Sink, projectionId?: string): Promise<Tally> =>
      tallyOutcomes(db, { orderId, sink, projectionId }),
  };
}

function keyOf({ orderId, sink, position, item }: PlannedOutcome | RecordedOutcome): string {
  return `${orderId} ${sink} ${String(position).padStart(10, '0')} ${item}`;
}

async function planChunk(db: Database, rows: readonly PlannedOutcome[]): Promise<void> {
  const values = rows.map(({ orderId, sink, position, item, projectionId, planned, at }) => {
    const open = { outcome: null, rule: null, recordId: null, matchKey: null, matchedBy: null, mappingVersion: null };
    return { orderId, sink, position, item, projectionId, planned, at, candidatesJson: null, ...open };
  });
  await db
    .insertInto('outcomes')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(['orderId', 'sink', 'position', 'item'])
        .doUpdateSet((eb) => ({
          projectionId: eb.ref('excluded.projectionId'),
          planned: eb.ref('excluded.planned'),
          outcome: null,
          rule: null,
          recordId: null,
          matchKey: null,
          matchedBy: null,
          candidatesJson: null,
          mappingVersion: null,
          at: eb.ref('excluded.at'),
        }))
        .where((eb) =>
          eb.or([
            eb('outcomes.outcome', 'is', null),
            eb('outcomes.projectionId', '<>', eb.ref('excluded.projectionId')),
          ]),
        ),
    )
    .execute();
}

async function recordChunk(db: Database, rows: readonly RecordedOutcome[]): Promise<void> {
  const values = rows.map(({ candidates, ...row }) => {
    return { ...row, candidatesJson: candidates.length === 0 ? null : JSON.stringify(candidates) };
  });
  await db
    .insertInto('outcomes')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['orderId', 'sink', 'position', 'item']).doUpdateSet((eb) => ({
        planned: eb
          .case()
          .when('outcomes.projectionId', '=', eb.ref('excluded.projectionId'))
          .then(eb.fn.coalesce(eb.ref('excluded.planned'), eb.ref('outcomes.planned')))
          .else(eb.ref('excluded.planned'))
          .end(),
        projectionId: eb.ref('excluded.projectionId'),
        outcome: eb.ref('excluded.outcome'),
        rule: eb.ref('excluded.rule'),
        recordId: eb.ref('excluded.recordId'),
        matchKey: eb.ref('excluded.matchKey'),
        matchedBy: eb.ref('excluded.matchedBy'),
        candidatesJson: eb.ref('excluded.candidatesJson'),
        mappingVersion: eb.ref('excluded.mappingVersion'),
        at: eb.ref('excluded.at'),
      })),
    )
    .execute();
}

export function toOutcomeRow({ candidatesJson, item, sink: _, ...row }: Tables['outcomes']): OutcomeRow {
  const candidates: unknown = JSON.parse(candidatesJson ?? '[]');
  return {
    ...row,
    sink: 'hubspot',
    item: item === 'company' ? 'company' : `contact:${Number(item.slice('contact:'.length))}`,
    candidates: Array.isArray(candidates) ? candidates.filter((id) => typeof id === 'string') : [],
  };
}
