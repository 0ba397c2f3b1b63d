/** What the ledger knows of a company or a person, in the order of time. */
import { sql } from 'kysely';
import { parseEntry, type ListedEntry } from './blacklist-store.ts';
import { mostPlaces, type createKnownCompanies, type CompanyPlace } from './company-index.ts';
import { toExcludedRowOutcome, type ExcludedRowOutcome } from './excluded-rows.ts';
import type { createOutcomeQueries, SlotOutcome, TraceQuery } from './outcome-queries.ts';
import { draftOfOrder } from './draft-of-order.ts';
import { batchesOf, distinctBy, toPlaceTable } from './query-batches.ts';
import type { ReplyRow } from './reply-store.ts';
import { toCodes } from './stored-slot.ts';
import type { SuppressionRow } from './suppression-lists.ts';
import type { Suppressions } from './suppression-store.ts';
import type { Identifier } from './redaction/identifiers.ts';
import type { Database, Tables } from './tables.ts';
import type { Tombstones } from './tombstones.ts';

/** A row that the service published. */
export type ReturnedRow = Pick<
  SlotOutcome,
  'orderId' | 'runName' | 'position' | 'sourceRow' | 'status' | 'reasonCodes' | 'externalId'
>;

/** An entry of a blacklist. `exclusion`: null when no exclusion of this installation has the blacklist. */
export type KnownEntry = Pick<Tables['frozenEntries'], 'entryId' | 'blacklistId' | 'lastSeenAt'> & {
  readonly exclusion: string | null;
} & Omit<ListedEntry, 'id'>;

/** `at`: ISO 8601; null if unknown. */
export type HistoryEvent = { readonly at: string | null } & (
  | { readonly kind: 'excluded'; readonly entry: KnownEntry }
  | { readonly kind: 'not_ordered'; readonly row: ExcludedRowOutcome }
  | { readonly kind: 'returned'; readonly row: ReturnedRow }
  | { readonly kind: 'outcome'; readonly row: SlotOutcome }
  | { readonly kind: 'replied'; readonly reply: Pick<ReplyRow, 'webhookId' | 'classification' | 'state' | 'contactId'> }
  | { readonly kind: 'suppressed' | 'suppression_removed'; readonly by: string; readonly reason: string }
  | { readonly kind: 'forgotten' }
);

export interface HistoryQuery {
  readonly traces: readonly TraceQuery[];
  /** An address or a domain. */
  readonly subject: Identifier | null;
  /** A name of a company; null where the subject says enough. */
  readonly name: string | null;
}

interface HistoryDependencies {
  readonly companyIndex: ReturnType<typeof createKnownCompanies>;
  readonly outcomeQueries: ReturnType<typeof createOutcomeQueries>;
  readonly suppressions: Suppressions;
  readonly tombstones: Pick<Tombstones, 'forgottenAt'>;
}

const mostDomains = 10;
const mostReplies = 100;

export function createCompanyHistory(db: Database, dependencies: HistoryDependencies) {
  const { companyIndex, outcomeQueries, suppressions, tombstones } = dependencies;

  /** A company that is found by its name is also looked up by the domains that it has. */
  const findPlaces = async ({ subject, name }: HistoryQuery) => {
    const named = name === null ? [] : await companyIndex.byName(name);
    const found = named.flatMap(({ domain }) => domain ?? []);
    const domains = [...new Set(subject?.kind === 'domain' ? [subject.value, ...found] : found)].slice(0, mostDomains);
    const places = [...named];
    for (const domain of domains) places.push(...(await companyIndex.byDomain(domain)));
    const distinct = distinctBy(places, ({ place, ref, position }) => `${place} ${ref} ${position}`);
    return { places: distinct.slice(0, mostPlaces), domains };
  };

  return async (query: HistoryQuery): Promise<HistoryEvent[]> => {
    const { places, domains } = await findPlaces(query);
    const of = (place: CompanyPlace['place']) => places.filter((found) => found.place === place);
    const subjects: Identifier[] = [
      ...(query.subject === null ? [] : [query.subject]),
      ...domains.filter((value) => value !== query.subject?.value).map((value) => ({ kind: 'domain' as const, value })),
    ];
    const events: HistoryEvent[] = [
      ...(await readEntries(
        db,
        of('entry').map(({ ref }) => ref),
      )),
      ...(await readExcluded(db, of('excluded_row'))),
      ...(await readReturned(db, of('slot'))),
    ];
    const outcomes = new Map<string, SlotOutcome>();
    for (const trace of [...query.traces, { slots: of('slot') }])
      for (const row of await outcomeQueries.trace(trace))
        outcomes.set(`${row.orderId} ${row.position} ${row.item} ${row.pass}`, row);
    for (const row of outcomes.values()) events.push({ kind: 'outcome', at: row.at, row });
    events.push(...(await readReplies(db, subjects)));
    for (const subject of subjects) {
      const row = await suppressions.get(subject);
      if (row !== undefined) events.push(...toSuppressionEvents(row));
      const at = await tombstones.forgottenAt(subject);
      if (at !== null) events.push({ kind: 'forgotten', at });
    }
    return events.toSorted((a, b) => (a.at ?? '').localeCompare(b.at ?? ''));
  };
}

async function readEntries(db: Database, entryIds: readonly string[]): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = [];
  for (const chunk of batchesOf([...new Set(entryIds)])) {
    const rows = await db
      .selectFrom('frozenEntries')
      .leftJoin('exclusionScans', 'exclusionScans.blacklistId', 'frozenEntries.blacklistId')
      .leftJoin('attachedBlacklists', 'attachedBlacklists.blacklistId', 'frozenEntries.blacklistId')
      .selectAll('frozenEntries')
      .select(({ fn }) => fn.coalesce('exclusionScans.name', 'attachedBlacklists.exclusion').as('exclusion'))
      .where('entryId', 'in', chunk)
      .execute();
    for (const { json, ...row } of rows) {
      const { id: _id, ...fields } = parseEntry(json);
      events.push({ kind: 'excluded', at: fields.created_at, entry: { ...row, ...fields } });
    }
  }
  return distinctEntries(events);
}

/** Two exclusions may use one blacklist. */
function distinctEntries(events: readonly HistoryEvent[]): HistoryEvent[] {
  return [...new Map(events.map((event) => [event.kind === 'excluded' ? event.entry.entryId : '', event])).values()];
}

async function readExcluded(db: Database, places: readonly CompanyPlace[]): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = [];
  for (const chunk of batchesOf(places)) {
    const rows = await db
      .selectFrom(toPlaceTable(chunk))
      .crossJoin('excludedRows')
      .innerJoin(draftOfOrder(db).as('placed'), 'placed.draftId', 'excludedRows.draftId')
      .leftJoin('orders', 'orders.orderId', 'placed.orderId')
      .select(['sourceRow', 'exclusion', 'tier', 'entryId', 'reason', 'json'])
      .select(['placed.orderId', 'runName', 'firstSeenAt'])
      .whereRef('excludedRows.draftId', '=', 'wanted.column1')
      .whereRef('number', '=', 'wanted.column2')
      .orderBy('excludedRows.draftId')
      .orderBy('number')
      .execute();
    for (const { firstSeenAt, orderId, runName, ...row } of rows) {
      // The order of the draft was not placed.
      if (orderId === null) continue;
      events.push({ kind: 'not_ordered', at: firstSeenAt, row: toExcludedRowOutcome(row, { orderId, runName }) });
    }
  }
  return events;
}

async function readReturned(db: Database, places: readonly CompanyPlace[]): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = [];
  for (const chunk of batchesOf(places)) {
    const rows = await db
      .selectFrom(toPlaceTable(chunk))
      .crossJoin('slots')
      .leftJoin('orders', 'orders.orderId', 'slots.orderId')
      .leftJoin(draftOfOrder(db).as('placed'), 'placed.orderId', 'slots.orderId')
      .leftJoin('draftRows', (join) =>
        join.onRef('draftRows.draftId', '=', 'placed.draftId').onRef('draftRows.position', '=', 'slots.position'),
      )
      .select(['slots.orderId', 'slots.position', 'slots.status', 'reasonCodesJson', 'externalId', 'runName'])
      .select(['draftRows.sourceRow', 'publishedAt', 'firstSeenAt'])
      .whereRef('slots.orderId', '=', 'wanted.column1')
      .whereRef('slots.position', '=', 'wanted.column2')
      .orderBy('slots.orderId')
      .orderBy('slots.position')
      .execute();
    for (const { reasonCodesJson, publishedAt, firstSeenAt, ...fields } of rows)
      events.push({
        kind: 'returned',
        at: publishedAt ?? firstSeenAt,
        row: { ...fields, reasonCodes: toCodes(reasonCodesJson) },
      });
  }
  return events;
}

/** The newest replies whose text has one of the addresses, or an address of one of the domains: each text is read once. */
async function readReplies(db: Database, subjects: readonly Identifier[]): Promise<HistoryEvent[]> {
  if (subjects.length === 0) return [];
  const patterns = subjects.map(({ kind, value }) => {
    const wanted = (kind === 'domain' ? `@${value}` : value).replaceAll(/[\\%_]/g, String.raw`\$&`);
    return sql<boolean>`lower(${sql.ref('body')}) like ${`%${wanted}%`} escape '\\'`;
  });
  const rows = await db
    .selectFrom('replies')
    .select(['webhookId', 'receivedAt', 'classification', 'state', 'contactId'])
    .where((eb) => eb.or(patterns))
    .where('body', 'is not', null)
    .orderBy('receivedAt', 'desc')
    .limit(mostReplies)
    .execute();
  return rows.map(({ receivedAt, ...reply }) => ({ kind: 'replied', at: receivedAt, reply }));
}

function toSuppressionEvents(row: SuppressionRow): HistoryEvent[] {
  const { addedAt, addedBy, reason, removedAt, removedBy, removedReason } = row;
  return [
    { kind: 'suppressed', at: addedAt, by: addedBy, reason },
    ...(removedAt === null
      ? []
      : [{ kind: 'suppression_removed' as const, at: removedAt, by: removedBy ?? '', reason: removedReason ?? '' }]),
  ];
}
