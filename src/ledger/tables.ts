import type { RecordOutcome } from '../order-report.ts';
import type { Kysely } from 'kysely';

/** What the database holds. Columns are snake_case there (CamelCasePlugin); JSON and times are text, so that both databases agree. */
export type Tables = {
  profiles: { contentHash: string; generation: number; creationId: string; profileId: string | null; status: string };
  blacklists: { name: string; blacklistId: string };
  drafts: { draftId: string; rowCount: number };
  draftRows: { draftId: string; position: number; json: string };
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
    outcome: RecordOutcome | null;
    rule: string | null;
    recordId: string | null;
    at: string;
  };
  records: { object: string; key: string; recordId: string };
  files: {
    orderId: string;
    kind: 'csv' | 'xlsx';
    path: string;
    rows: number;
    bytes: number;
    sha256: string;
    writtenAt: string;
  };
  certificates: { orderId: string; at: string; reconciled: number; total: number; findingsJson: string };
  exclusionsWanted: { syncId: string; hash: string; json: string };
  exclusionsPresent: { syncId: string; entryId: string; hash: string };
};

export type PlannedWrite = 'create' | 'update';

/** They differ in how tables are made, and in nothing else. */
export type DatabaseKind = 'sqlite' | 'postgres';

export type Database = Kysely<Tables>;
