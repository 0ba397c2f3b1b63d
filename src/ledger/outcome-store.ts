import { emptyTally, type OutcomeName, type OutcomeTally } from '../mapping/crm-outcomes.ts';
import type { Keyring } from './keyring.ts';
import type { Database, PlannedWrite, Tables } from './tables.ts';
import { batchesOf, distinctBy } from './query-batches.ts';
import type { PositionRange } from './stored-slot.ts';

/** A company of a slot, or one of its contacts by index. */
export type Item = 'company' | `contact:${number}`;

/** How the record of an item was matched. */
export interface Evidence {
  /**
   * `prospect_sync_company_key` or `prospect_sync_contact_key`; null where the item has none. As read, that of a contact is the digest
   * that the ledger keeps of it.
   */
  readonly matchKey: string | null;
  /** The match rule that decided, for example `domain`; null where no record was looked for. */
  readonly matchedBy: string | null;
  /** Ids of the records that were considered, ten at most. */
  readonly candidates: readonly string[];
  readonly mappingVersion: string | null;
}

export const noEvidence: Evidence = { matchKey: null, matchedBy: null, candidates: [], mappingVersion: null };

/**
 * The outcome of one item in HubSpot. `projectionId`: the projection that wrote it. `rule`: a code for why the item was skipped,
 * quarantined or failed, or for what was restored; never free text.
 */
export type OutcomeRow = Omit<Tables['outcomes'], 'sink' | 'item' | keyof Evidence | 'candidatesJson'> & {
  item: Item;
} & Evidence;
export type PlannedOutcome = Pick<OutcomeRow, 'orderId' | 'position' | 'item' | 'projectionId' | 'at'> & {
  planned: PlannedWrite;
};
export type RecordedOutcome = Omit<OutcomeRow, 'outcome'> & { outcome: OutcomeName };

/** Value of the column `sink`, the destination of the outcomes. HubSpot is the only one. */
export const hubspotSink = 'hubspot';

/** Match keys of contacts are stored under the secret of the ledger. */
export function createOutcomes(db: Database, keyring: Keyring) {
  const outcomesOf = (orderId: string) =>
    db.selectFrom('outcomes').where('orderId', '=', orderId).where('sink', '=', hubspotSink);

  return {
    /** Before a write is sent. Keeps the rows that already have an outcome in the same projection; all or nothing. */
    plan: (rows: readonly PlannedOutcome[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of batchesOf(distinctBy(rows, keyOf))) await planChunk(transaction, chunk);
      }),

    /** After the answer. Keeps what was planned in the same projection where a row does not state it; all or nothing. */
    record: (rows: readonly RecordedOutcome[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const chunk of batchesOf(distinctBy(rows, keyOf))) await recordChunk(transaction, keyring, chunk);
      }),

    /** By position, then item. */
    async read(orderId: string, { from, to }: PositionRange): Promise<OutcomeRow[]> {
      const rows = await outcomesOf(orderId)
        .select(outcomeColumns)
        .where('position', '>=', from)
        .where('position', '<', to)
        .orderBy('position')
        .orderBy('item')
        .execute();
      return rows.map((row) => toOutcomeRow(row));
    },

    /** How many rows of a projection have this rule. */
    async countByRule({ orderId, projectionId, rule }: Record<'orderId' | 'projectionId' | 'rule', string>) {
      const { count } = await outcomesOf(orderId)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('projectionId', '=', projectionId)
        .where('rule', '=', rule)
        .executeTakeFirstOrThrow();
      return count;
    },

    /** How many items have each outcome; of one projection, if given. */
    async tally(
      orderId: string,
      projectionId?: string,
    ): Promise<{ readonly companies: OutcomeTally; readonly contacts: OutcomeTally }> {
      const rows = await outcomesOf(orderId)
        .select((eb) => ['item', 'outcome', eb.fn.countAll<number>().as('count')])
        .where('outcome', 'is not', null)
        .$if(projectionId !== undefined, (query) => query.where('projectionId', '=', projectionId ?? ''))
        .groupBy(['item', 'outcome'])
        .execute();
      const tally = { companies: { ...emptyTally }, contacts: { ...emptyTally } };
      for (const { item, outcome, count } of rows) {
        if (outcome !== null) tally[item === 'company' ? 'companies' : 'contacts'][outcome] += count;
      }
      return tally;
    },
  };
}

function keyOf({ orderId, position, item }: PlannedOutcome | RecordedOutcome): string {
  return `${orderId} ${String(position).padStart(10, '0')} ${item}`;
}

async function planChunk(db: Database, rows: readonly PlannedOutcome[]): Promise<void> {
  const values = rows.map(({ orderId, position, item, projectionId, planned, at }) => {
    const open = { outcome: null, rule: null, recordId: null, matchKey: null, matchedBy: null, mappingVersion: null };
    return { orderId, sink: hubspotSink, position, item, projectionId, planned, at, candidatesJson: null, ...open };
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

async function recordChunk(db: Database, keyring: Keyring, rows: readonly RecordedOutcome[]): Promise<void> {
  const values = rows.map(({ candidates, matchKey: plain, ...row }) => {
    const matchKey = plain === null || row.item === 'company' ? plain : keyring.contactKey(plain);
    return {
      ...row,
      matchKey,
      sink: hubspotSink,
      candidatesJson: candidates.length === 0 ? null : JSON.stringify(candidates),
    };
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

/** All columns but `sink`. */
export const outcomeColumns = [
  'orderId',
  'position',
  'item',
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
