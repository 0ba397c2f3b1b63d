// The database: what was collected, what was written where, and how it ended. SQLite in the data folder, or PostgreSQL
// when many workers share it; the same tables and queries on both.
import { CamelCasePlugin, Kysely } from 'kysely';

import { createBlacklistSnapshots } from './blacklist-snapshots.ts';
import { createBlacklistStore } from './blacklist-store.ts';
import { createCertificates } from './certificates.ts';
import { createCondition } from './sql-condition.ts';
import { createDrafts } from './drafts.ts';
import { createExclusionScanStore, createExclusionStore } from './exclusion-store.ts';
import { createFiles } from './files.ts';
import { createLeakStore } from './leak-store.ts';
import { migrate } from './migrate.ts';
import { createOrderRequests } from './order-requests.ts';
import { createOrders } from './orders.ts';
import { createOutcomeRows } from './outcome-rows.ts';
import { createOutcomes } from './outcomes.ts';
import { createOutputs } from './service-outputs.ts';
import { createPostgresDialect } from './postgres.ts';
import { createProfiles } from './profiles.ts';
import { createRecords } from './records.ts';
import { createRemovalApprovals } from './removal-approvals.ts';
import { createShapes } from './shapes.ts';
import { createSlots } from './slots.ts';
import { createSqliteDialect } from './sqlite.ts';
import type { Tables } from './tables.ts';
import { createWrittenValues } from './written-values.ts';

/** `busyTimeoutMilliseconds`: how long a write to SQLite waits for another writer; 30 s unless given. */
export type LedgerLocation = { dataDir: string; busyTimeoutMilliseconds?: number } | { databaseUrl: string };

export type Ledger = Awaited<ReturnType<typeof openLedger>>;

/**
 * Opens `<dataDir>/ledger.db` or the PostgreSQL database at `databaseUrl`, made and brought up to date as needed.
 * @throws {LedgerError}, from every call
 */
export async function openLedger(location: LedgerLocation) {
  const [kind, dialect] =
    'databaseUrl' in location
      ? (['postgres', createPostgresDialect(location)] as const)
      : (['sqlite', createSqliteDialect({ busyTimeoutMilliseconds: 30_000, ...location })] as const);
  const db = new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] });
  try {
    await migrate(db, kind);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    profiles: createProfiles(db),
    blacklists: createBlacklistStore(db),
    drafts: createDrafts(db),
    orders: createOrders(db),
    orderRequests: createOrderRequests(db),
    shapes: createShapes(db),
    slots: createSlots(db),
    outcomes: createOutcomes(db),
    outcomeRows: createOutcomeRows(db),
    records: createRecords(db),
    writtenValues: createWrittenValues(db),
    files: createFiles(db),
    outputs: createOutputs(db),
    certificates: createCertificates(db),
    exclusions: createExclusionStore(db),
    exclusionScans: createExclusionScanStore(db),
    exclusionRemovals: createRemovalApprovals(db),
    exclusionSnapshots: createBlacklistSnapshots(db),
    leaks: createLeakStore(db),
    condition: createCondition(db, kind),
    close: () => db.destroy(),
  };
}
