import { newerOrderOf, toNewerRule, type OutcomeName } from './crm-outcomes.ts';
import type { Keyring } from './keyring.ts';
import type { Database, PlannedWrite, Tables } from './tables.ts';
import { isOfNewestPass, openPasses, replacesRecord, type Passes } from './passes.ts';
import { discardTallies, hubspotSink, readKeptTally, selectOutcomes, tallyOutcomes } from './tally-outcomes.ts';
import { batchesOf, distinctBy } from './query-batches.ts';
import type { PositionRange } from './stored-slot.ts';

/** A company of a slot, or one of its contacts by index. */
export type Item = 'company' | `contact:${number}`;

/** The match of an item's record. */
export interface OutcomeEvidence {
  /**
   * `prospect_sync_company_key` or `prospect_sync_contact_key`; null if the item has no key. Reads return the stored digest of a contact's
   * key.
   */
  readonly matchKey: string | null;
  /** The match rule that decided, for example `domain`; null if no record was searched. */
  readonly matchedBy: string | null;
  /** Ids of the records that were considered, ten at most. */
  readonly candidates: readonly string[];
  readonly mappingVersion: string | null;
}

export const noEvidence: OutcomeEvidence = { matchKey: null, matchedBy: null, candidates: [], mappingVersion: null };

/**
 * The outcome of one item in HubSpot. `projectionId`: the projection of this pass. `rule`: code of the reason for skipped, quarantined or
 * failed items, or of a restored link; never free text.
 */
export type OutcomeRow = Omit<Tables['outcomes'], 'sink' | 'item' | keyof OutcomeEvidence | 'candidatesJson'> & {
  item: Item;
} & OutcomeEvidence;
export type PlannedOutcome = Pick<OutcomeRow, 'orderId' | 'position' | 'item' | 'projectionId' | 'at'> & {
  planned: PlannedWrite;
};
export type RecordedOutcome = Omit<OutcomeRow, 'outcome' | 'pass'> & { outcome: OutcomeName };

/** Match keys of contacts are stored under the secret of the ledger. */
export function createOutcomes(db: Database, keyring: Keyring) {
  const outcomesOf = (orderId: string) => selectOutcomes(db, orderId);

  return {
    /** Call before a write is sent. Keeps rows that already have an outcome in the same projection. All or nothing. */
    async plan(rows: readonly PlannedOutcome[]): Promise<void> {
      const passes = await openPasses(db, rows);
      await db.transaction().execute(async (transaction) => {
        await discardTallies(transaction, orderIdsOf(rows));
        for (const chunk of batchesOf(distinctBy(rows, keyOf))) await planChunk(transaction, passes, chunk);
      });
    },

    /** Call after the answer. Keeps `planned` of the same projection for rows without it. All or nothing. */
    async record(rows: readonly RecordedOutcome[]): Promise<void> {
      const passes = await openPasses(db, rows);
      await db.transaction().execute(async (transaction) => {
        await discardTallies(transaction, orderIdsOf(rows));
        for (const chunk of batchesOf(distinctBy(rows, keyOf))) await recordChunk(transaction, keyring, passes, chunk);
      });
    },

    /** True when any item of the order was planned or has an outcome. */
    async isStored(orderId: string): Promise<boolean> {
      return (await outcomesOf(orderId).select('position').limit(1).executeTakeFirst()) !== undefined;
    },

    /** Outcomes of the newest pass over each item, by position, then item. */
    async read(orderId: string, { from, to }: PositionRange): Promise<OutcomeRow[]> {
      const rows = await outcomesOf(orderId)
        .select(outcomeColumns)
        .where('position', '>=', from)
        .where('position', '<', to)
        .where(isOfNewestPass)
        .orderBy('position')
        .orderBy('item')
        .execute();
      return rows.map((row) => toOutcomeRow(row));
    },

    /** Number of rows of a projection with this rule, optionally in these positions. */
    async countByRule(
      { orderId, projectionId, rule }: Record<'orderId' | 'projectionId' | 'rule', string>,
      range?: PositionRange,
    ): Promise<number> {
      const { count } = await outcomesOf(orderId)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .$if(range !== undefined, (query) =>
          query.where('position', '>=', range?.from ?? 0).where('position', '<', range?.to ?? 0),
        )
        .where('projectionId', '=', projectionId)
        .where('rule', '=', rule)
        .executeTakeFirstOrThrow();
      return count;
    },

    /** Number of records that a projection recreated, because HubSpot no longer had the records of an earlier pass. */
    async countRecreated({ orderId, projectionId }: Record<'orderId' | 'projectionId', string>): Promise<number> {
      const { count } = await outcomesOf(orderId)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('projectionId', '=', projectionId)
        .where('outcome', '=', 'created')
        .where(replacesRecord)
        .executeTakeFirstOrThrow();
      return count;
    },

    /** Number of items that were skipped because of a newer order, by order. */
    async newerOrders(orderId: string): Promise<Record<string, number>> {
      const rows = await outcomesOf(orderId)
        .select(({ fn }) => ['rule', fn.countAll<number>().as('count')])
        .where('outcome', '=', 'skipped')
        .where('rule', 'like', toNewerRule('%'))
        .where(isOfNewestPass)
        .groupBy('rule')
        .orderBy('rule')
        .execute();
      return Object.fromEntries(rows.map(({ rule, count }) => [newerOrderOf(rule) ?? '', count]));
    },

    tally: (orderId: string) => tallyOutcomes(db, orderId),

    /** As `tally`; counted once after each change, so that a page of a large order need not wait. */
    keptTally: (orderId: string) => readKeptTally(db, orderId),
  };
}

function orderIdsOf(rows: readonly Pick<OutcomeRow, 'orderId'>[]): string[] {
  return rows.map(({ orderId }) => orderId);
}

function keyOf({ orderId, position, item }: PlannedOutcome | RecordedOutcome): string {
  return `${orderId} ${String(position).padStart(10, '0')} ${item}`;
}

async function planChunk(db: Database, passes: Passes, rows: readonly PlannedOutcome[]): Promise<void> {
  const values = rows.map(({ orderId, position, item, projectionId, planned, at }) => {
    const pass = passes({ orderId, projectionId });
    const open = { outcome: null, rule: null, recordId: null, matchKey: null, matchedBy: null, mappingVersion: null };
    const row = { orderId, sink: hubspotSink, position, item, pass, projectionId, planned, at };
    return { ...row, candidatesJson: null, ...open };
  });
  await db
    .insertInto('outcomes')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(outcomeKey)
        .doUpdateSet((eb) => ({ planned: eb.ref('excluded.planned'), at: eb.ref('excluded.at') }))
        .where('outcomes.outcome', 'is', null),
    )
    .execute();
}

async function recordChunk(
  db: Database,
  keyring: Keyring,
  passes: Passes,
  rows: readonly RecordedOutcome[],
): Promise<void> {
  const values = rows.map(({ candidates, matchKey: plain, ...row }) => {
    const matchKey = plain === null || row.item === 'company' ? plain : keyring.contactKey(plain);
    return {
      ...row,
      pass: passes(row),
      matchKey,
      sink: hubspotSink,
      candidatesJson: candidates.length === 0 ? null : JSON.stringify(candidates),
    };
  });
  await db
    .insertInto('outcomes')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(outcomeKey).doUpdateSet((eb) => ({
        planned: eb.fn.coalesce(eb.ref('excluded.planned'), eb.ref('outcomes.planned')),
        // Of two concurrent attempts, the later one reads the record that the earlier one wrote.
        outcome: eb
          .case()
          .when(
            eb.and([
              eb('outcomes.recordId', '=', eb.ref('excluded.recordId')),
              eb('excluded.outcome', 'in', ['updated', 'unchanged']),
              eb.or([
                eb('outcomes.outcome', '=', 'created'),
                eb.and([eb('outcomes.outcome', '=', 'updated'), eb('excluded.outcome', '=', 'unchanged')]),
              ]),
            ]),
          )
          .then(eb.ref('outcomes.outcome'))
          .else(eb.ref('excluded.outcome'))
          .end(),
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

const outcomeKey = ['orderId', 'sink', 'position', 'item', 'pass'] as const;

/** All columns but `sink`. */
export const outcomeColumns = [
  'orderId',
  'position',
  'item',
  'pass',
  'projectionId',
  'planned',
  'outcome',
  'rule',
  'recordId',
  'at',
  'matchKey',
  'matchedBy',
  'candidatesJson',
  'mappingVersion',
] as const satisfies readonly (keyof Tables['outcomes'])[];

export function toOutcomeRow({ candidatesJson, item, ...row }: Omit<Tables['outcomes'], 'sink'>): OutcomeRow {
  const candidates: unknown = JSON.parse(candidatesJson ?? '[]');
  return {
    ...row,
    item: item === 'company' ? 'company' : `contact:${Number(item.slice('contact:'.length))}`,
    candidates: Array.isArray(candidates) ? candidates.filter((id) => typeof id === 'string') : [],
  };
}
