import { sql, type Expression } from 'kysely';
import { writtenOutcomes, type OutcomeName } from './crm-outcomes.ts';
import type { Keyring } from './keyring.ts';
import type { Database } from './tables.ts';
import { batchesOf, batchRows, toPlaceTable, type Place } from './query-batches.ts';
import type { RecordObject } from './record-store.ts';
import { draftOfOrder } from './draft-of-order.ts';
import { outcomeColumns, toOutcomeRow, type OutcomeRow } from './outcome-store.ts';
import { hubspotSink, selectOutcomes } from './tally-outcomes.ts';
import { effectiveOutcome, isOfNewestPass } from './passes.ts';
import { toCodes } from './stored-slot.ts';

/** An outcome with its slot and its row in the source file. */
export interface SlotOutcome extends OutcomeRow {
  /** Empty for a company of a legacy listing, which has no slot. */
  readonly status: string;
  readonly reasonCodes: readonly string[];
  readonly externalId: string | null;
  readonly runName: string | null;
  /** Number of the row in the enriched file; null for other orders. */
  readonly sourceRow: number | null;
}

export interface RowFilter {
  /** Rows with any of these outcomes; all rows when empty. */
  readonly outcomes: readonly OutcomeName[];
  /** Rows whose slot has any of these statuses; all when empty. */
  readonly statuses: readonly string[];
  /** Rows with any of these: a rule (with or without the property behind its colon) or a reason code of the slot; all when empty. */
  readonly reasons: readonly string[];
  /** null: both. */
  readonly item: (typeof rowItems)[number] | null;
}

export const rowItems = ['company', 'contact'] as const;

/** The values that a trace can start from; matched exactly. */
export type TraceQuery =
  | { readonly recordId: string }
  | { readonly externalId: string }
  | { readonly matchKey: string }
  /** The companies of these slots. */
  | { readonly slots: readonly Place[] }
  /** A `prospect_sync_contact_key`. */
  | { readonly contactKey: string };

/** Outcomes for `rows` and `why`. */
export function createOutcomeQueries(db: Database, keyring: Keyring) {
  const outcomesOfSlots = () =>
    db
      .selectFrom('outcomes')
      .leftJoin('slots', (join) =>
        join.onRef('slots.orderId', '=', 'outcomes.orderId').onRef('slots.position', '=', 'outcomes.position'),
      )
      .leftJoin('orders', 'orders.orderId', 'outcomes.orderId')
      .leftJoin(draftOfOrder(db).as('placed'), 'placed.orderId', 'outcomes.orderId')
      .leftJoin('draftRows', (join) =>
        join.onRef('draftRows.draftId', '=', 'placed.draftId').onRef('draftRows.position', '=', 'outcomes.position'),
      )
      .select(outcomeColumns.map((column) => `outcomes.${column}` as const))
      .select(['slots.status', 'slots.reasonCodesJson', 'slots.externalId', 'orders.runName', 'draftRows.sourceRow']);

  return {
    /** The companies to which other orders have linked contacts when they wrote them: record ids of companies by that of the contact. */
    async linkedByOthers(orderId: string, contactIds: readonly string[]): Promise<Map<string, Set<string>>> {
      const companies = new Map<string, Set<string>>();
      for (const chunk of batchesOf([...new Set(contactIds)])) {
        const rows = await db
          .selectFrom('outcomes as contact')
          .innerJoin('outcomes as company', (join) =>
            join
              .onRef('company.orderId', '=', 'contact.orderId')
              .onRef('company.sink', '=', 'contact.sink')
              .onRef('company.position', '=', 'contact.position')
              .on('company.item', '=', 'company'),
          )
          .select(['contact.recordId as contactId', 'company.recordId as companyId'])
          .distinct()
          .where('contact.recordId', 'in', [...chunk])
          .where('contact.item', '<>', 'company')
          .where('contact.orderId', '<>', orderId)
          .where('contact.outcome', 'in', writtenOutcomes)
          .execute();
        for (const { contactId, companyId } of rows) {
          if (contactId === null || companyId === null) continue;
          companies.set(contactId, (companies.get(contactId) ?? new Set()).add(companyId));
        }
      }
      return companies;
    },

    /** Rows by position, then item, in pages. The outcome combines all passes of the order. */
    async *list(orderId: string, { outcomes, statuses, reasons, item }: RowFilter): AsyncGenerator<SlotOutcome[]> {
      let after = -1;
      for (;;) {
        const rows = await outcomesOfSlots()
          .select((eb) => effectiveOutcome(eb).as('effective'))
          .where('outcomes.orderId', '=', orderId)
          .where('outcomes.position', '>', after)
          .where('outcomes.position', '<=', after + batchRows)
          .where(isOfNewestPass)
          .orderBy('outcomes.position')
          .orderBy('outcomes.item')
          .execute();
        const page = rows
          .map(({ effective, ...row }) => toSlotOutcome({ ...row, outcome: effective }))
          .filter((row) => item === null || (row.item === 'company') === (item === 'company'))
          .filter(({ outcome }) => outcomes.length === 0 || outcomes.some((allowed) => allowed === outcome))
          .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
          .filter((row) => reasons.length === 0 || reasons.some((reason) => hasReason(row, reason)));
        if (page.length > 0) yield page;
        const next = await nextPosition(db, orderId, after + batchRows);
        if (next === null) return;
        after = next - 1;
      }
    },

    /** Those of the records that the order may have written, in any pass: all of them while the answer to a write is unknown. */
    async writtenIds(orderId: string, object: RecordObject, recordIds: readonly string[]): Promise<Set<string>> {
      const open = await selectOutcomes(db, orderId).select('position').where('outcome', 'is', null).limit(1).execute();
      if (open.length > 0) return new Set(recordIds);
      const found = new Set<string>();
      for (const chunk of batchesOf([...new Set(recordIds)])) {
        const rows = await selectOutcomes(db, orderId)
          .select('recordId')
          .where('recordId', 'in', chunk)
          .where('item', object === 'companies' ? '=' : '<>', 'company')
          .execute();
        for (const { recordId } of rows) if (recordId !== null) found.add(recordId);
      }
      return found;
    },

    /** Number of items by the rule of their newest pass. */
    async countRules(orderId: string): Promise<Record<string, number>> {
      const rows = await selectOutcomes(db, orderId)
        .select(({ fn }) => ['rule', fn.countAll<number>().as('count')])
        .where('rule', 'is not', null)
        .where(isOfNewestPass)
        .groupBy('rule')
        .orderBy('rule')
        .execute();
      return Object.fromEntries(rows.map(({ rule, count }) => [rule ?? '', count]));
    },

    /** The rules and reason codes that rows of the order have, sorted. */
    async reasons(orderId: string): Promise<string[]> {
      const rules = await db
        .selectFrom('outcomes')
        .select('rule')
        .distinct()
        .where('orderId', '=', orderId)
        .where('rule', 'is not', null)
        .execute();
      const codes = await db
        .selectFrom('slots')
        .select('reasonCodesJson')
        .distinct()
        .where('orderId', '=', orderId)
        .execute();
      const words = [
        ...rules.flatMap(({ rule }) => (rule === null ? [] : [rule, rule.replace(/:.*$/s, '')])),
        ...codes.flatMap(({ reasonCodesJson }) => toCodes(reasonCodesJson)),
      ];
      return [...new Set(words)].sort();
    },

    /** All passes over the found items, in all orders; the latest first. */
    async trace(query: TraceQuery): Promise<SlotOutcome[]> {
      if ('slots' in query && query.slots.length === 0) return [];
      const rows = await outcomesOfSlots()
        .where('outcomes.sink', '=', hubspotSink)
        .where((eb) =>
          eb(
            eb.refTuple('outcomes.orderId', 'outcomes.position', 'outcomes.item'),
            'in',
            findItems(db, keyring, query),
          ),
        )
        .orderBy('outcomes.at', 'desc')
        .orderBy('outcomes.pass', 'desc')
        .execute();
      return rows.map(toSlotOutcome);
    },
  };
}

/** The items that a trace starts from. With the sink, the primary key of outcomes finds a position. */
function findItems(db: Database, keyring: Keyring, query: TraceQuery): Expression<[string, number, string]> {
  if ('slots' in query)
    return db
      .selectFrom(toPlaceTable(query.slots))
      .select(['column1 as orderId', 'column2 as position', sql<string>`'company'`.as('item')])
      .$asTuple('orderId', 'position', 'item');
  const items = db.selectFrom('outcomes').select(['outcomes.orderId', 'outcomes.position', 'item']);
  if ('externalId' in query)
    return items
      .innerJoin('slots', (join) =>
        join.onRef('slots.orderId', '=', 'outcomes.orderId').onRef('slots.position', '=', 'outcomes.position'),
      )
      .where('outcomes.sink', '=', hubspotSink)
      .where('slots.externalId', '=', query.externalId)
      .$asTuple('orderId', 'position', 'item');
  if ('recordId' in query) return items.where('recordId', '=', query.recordId).$asTuple('orderId', 'position', 'item');
  const matchKey = 'matchKey' in query ? query.matchKey : keyring.contactKey(query.contactKey);
  return items.where('matchKey', '=', matchKey).$asTuple('orderId', 'position', 'item');
}

type JoinedRow = Parameters<typeof toOutcomeRow>[0] & {
  status: string | null;
  reasonCodesJson: string | null;
  externalId: string | null;
  runName: string | null;
  sourceRow: number | null;
};

function toSlotOutcome({ status, reasonCodesJson, externalId, runName, sourceRow, ...row }: JoinedRow): SlotOutcome {
  const reasonCodes = reasonCodesJson === null ? [] : toCodes(reasonCodesJson);
  return { ...toOutcomeRow(row), status: status ?? '', reasonCodes, externalId, runName, sourceRow };
}

function hasReason({ rule, reasonCodes }: SlotOutcome, reason: string): boolean {
  return rule === reason || rule?.split(':')[0] === reason || reasonCodes.includes(reason);
}

async function nextPosition(db: Database, orderId: string, after: number): Promise<number | null> {
  const row = await db
    .selectFrom('outcomes')
    .select('position')
    .where('orderId', '=', orderId)
    .where('sink', '=', hubspotSink)
    .where('position', '>', after)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  return row?.position ?? null;
}
