import type { OutcomeName } from './record-outcome.ts';
import type { Kysely } from 'kysely';

/** What the database holds. Columns are snake_case there (CamelCasePlugin); JSON and times are text, so that both databases agree. */
export type Tables = {
  profiles: { contentHash: string; generation: number; creationId: string; profileId: string | null; status: string };
  blacklists: { name: string; blacklistId: string };
  /** `sourceJson`: a DraftSource; null in drafts of earlier releases. */
  drafts: { draftId: string; rowCount: number; sourceJson: string | null };
  /** `ownJson`: the cells of the user's file. */
  draftRows: { draftId: string; position: number; json: string; sourceRow: number | null; ownJson: string | null };
  orders: {
    orderId: string;
    runName: string | null;
    kind: string;
    status: string;
    profileId: string | null;
    requestedCount: number;
    externalIdsAreRecordIds: number;
    total: number | null;
    summaryJson: string | null;
    firstSeenAt: string | null;
    /** What was ordered; null where nobody knows. */
    featuresJson: string | null;
    /** Slots with a company of their own; null until the results are collected. */
    delivered: number | null;
    /** Below this share of the ordered companies there is a finding; null: only when nothing was delivered. */
    minDeliveredPercent: number | null;
  };
  /** `scope`: `service ADDRESS` or `order ID`. */
  shapes: { scope: string; operation: string; json: string; learntAt: string };
  orderRequests: {
    idempotencyKey: string;
    runName: string;
    runKey: string;
    title: string;
    profileId: string;
    /** As it is sent; null once the outcome is known. */
    bodyJson: string | null;
    /** `open`: sent, perhaps, and nobody knows what became of it. */
    state: 'open' | 'placed' | 'refused';
    orderId: string | null;
    at: string;
  };
  slots: {
    orderId: string;
    position: number;
    hash: string;
    status: string;
    reasonCodesJson: string;
    externalId: string | null;
    json: string;
  };
  slotReasons: { orderId: string; code: string; position: number };
  outcomes: {
    orderId: string;
    sink: string;
    position: number;
    item: string;
    projectionId: string;
    planned: PlannedWrite | null;
    outcome: OutcomeName | null;
    rule: string | null;
    recordId: string | null;
    at: string;
    matchKey: string | null;
    matchedBy: string | null;
    candidatesJson: string | null;
    mappingVersion: string | null;
  };
  records: { object: string; key: string; recordId: string };
  writtenValues: { object: string; recordId: string; property: string; digest: string; previous: string | null };
  files: {
    orderId: string;
    kind: 'csv' | 'xlsx' | 'leaks';
    path: string;
    rows: number;
    bytes: number;
    sha256: string;
    writtenAt: string;
    /** How its rows are made, and a digest of them; null for files of leaks, and for files of before it was kept. */
    contentJson: string | null;
  };
  outputs: {
    orderId: string;
    /** Type, language and spreadsheet: what makes it one output of the order. */
    destination: string;
    type: 'csv' | 'xlsx' | 'google_sheets';
    language: string;
    /** From 0; another one where the last has FAILED. */
    attempt: number;
    outputId: string | null;
    exportJobId: string | null;
    /** The service's word. */
    status: string | null;
    state: OutputState;
    /** A code that says why it is not delivered. */
    problem: string | null;
    resultCount: number | null;
    /** Of the result set, not of the file. */
    resultSha256: string | null;
    location: string | null;
    path: string | null;
    rows: number | null;
    bytes: number | null;
    /** Of the file. */
    sha256: string | null;
    at: string;
  };
  certificates: { orderId: string; at: string; reconciled: number; total: number; findingsJson: string };
  exclusionsWanted: { syncId: string; hash: string; json: string; who: string; externalId: string };
  exclusionsPresent: { syncId: string; entryId: string; hash: string; who: string; externalId: string };
  exclusionsFound: { syncId: string; recordId: string; source: string; json: string | null };
  exclusionScans: {
    name: string;
    blacklistId: string;
    settingsDigest: string;
    lastFullAt: string;
    lastScanAt: string;
    countsJson: string;
  };
  exclusionRemovals: {
    digest: string;
    exclusion: string;
    blacklistId: string;
    entries: number;
    foundAt: string;
    approvedAt: string | null;
    removedAt: string | null;
  };
  frozenBlacklists: { digest: string; entries: number; frozenAt: string };
  frozenMembers: { digest: string; part: number; entryIds: string };
  frozenEntries: { entryId: string; json: string };
  orderBlacklists: { orderId: string; blacklistId: string; digest: string; orderedAt: string };
  leaks: { orderId: string; position: number; verdict: 'LEAK' | 'LATE' | 'WEAK'; tier: string; entryId: string };
};

export type PlannedWrite = 'create' | 'update';

export type Database = Kysely<Tables>;

/** States of an output of the service. `requested` and `ready` are intermediate; an output ends in one of the others. */
export const outputStates = [
  'requested',
  'ready',
  'delivered',
  'rows_differ',
  'failed',
  'refused',
  'unfinished',
  'not_fetched',
] as const;
export type OutputState = (typeof outputStates)[number];

/** Rows of one statement: far below the limits of SQLite (32,766 parameters) and PostgreSQL (65,535). */
export const batchRows = 500;

export function* batchesOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += batchRows) yield rows.slice(start, start + batchRows);
}

/**
 * The last row of each key, in the order of the keys. PostgreSQL rejects an upsert with a repeated key, and writers that lock rows in
 * different orders deadlock.
 */
export function distinctBy<T>(rows: readonly T[], keyOf: (row: T) => string): T[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Only the statements that create tables differ. */
export type DatabaseKind = 'sqlite' | 'postgres';
