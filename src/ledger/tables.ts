import type { OutcomeName } from './record-outcome.ts';
import type { Kysely } from 'kysely';

/** The tables. Columns are snake_case in the database (CamelCasePlugin). JSON and times are text, so that both databases behave alike. */
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
    /** The ordered features; null when unknown. */
    featuresJson: string | null;
    /** Slots with a company of their own; null until the results are collected. */
    delivered: number | null;
    /** Fewer delivered companies than this share of the ordered ones are a finding. null: only an order without any is. */
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
    /** The exact body of the request; null once the outcome is known. */
    bodyJson: string | null;
    /** `open`: possibly sent, with an unknown outcome. */
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
  /** `valuesJson`: by property, the text that was written, or a list of value, digest and digest of the previous value. */
  writtenRecords: {
    object: string;
    recordId: string;
    orderId: string | null;
    writtenAt: string | null;
    valuesJson: string;
  };
  files: {
    orderId: string;
    kind: 'csv' | 'xlsx' | 'leaks';
    path: string;
    rows: number;
    bytes: number;
    sha256: string;
    writtenAt: string;
    /** Layout and digest of the rows; null for files of leaks and for files of earlier releases. */
    contentJson: string | null;
  };
  outputs: {
    orderId: string;
    /** Type, language and spreadsheet, which identify an output of the order. */
    destination: string;
    type: 'csv' | 'xlsx' | 'google_sheets';
    language: string;
    /** From 0; increased after an attempt FAILED. */
    attempt: number;
    outputId: string | null;
    exportJobId: string | null;
    /** The status in the service. */
    status: string | null;
    state: OutputState;
    /** Code of the reason why it is not delivered. */
    problem: string | null;
    resultCount: number | null;
    /** Digest of the result set, not of the file. */
    resultSha256: string | null;
    location: string | null;
    path: string | null;
    rows: number | null;
    bytes: number | null;
    /** Digest of the file. */
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

/** The queries are the same for both. Only the statements that create tables differ. */
export type DatabaseKind = 'sqlite' | 'postgres';
