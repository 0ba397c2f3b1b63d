// The ledger database: orders, collected slots, outcomes, files and certificates. SQLite in the data folder, or PostgreSQL when workers
// share it, with the same tables and queries.
import { CamelCasePlugin, Kysely, sql } from 'kysely';
import { createAppliedSchedules } from './applied-schedules.ts';
import { createAnswerShapeStore } from './shape-store.ts';
import { createAttachedBlacklists, createSearchAssignments } from './attached-blacklists.ts';
import { createBlacklistSnapshots, createBlacklistStore } from './blacklist-store.ts';
import { createLeakStore } from './leak-store.ts';
import { createCertificateStore, createSigningKeys } from './certificate-store.ts';
import { createFileStore, createOutputStore } from './order-files.ts';
import { createOrderStore } from './order-store.ts';
import { createConsoleAudit } from './console-audit.ts';
import { createDraftStore } from './draft-store.ts';
import { createExclusionScanStore, createRemovalApprovals } from './exclusion-history.ts';
import { clearStaging } from './exclusion-staging.ts';
import { createExistingExclusions } from './existing-exclusions.ts';
import { createExcludedRows } from './excluded-rows.ts';
import { createRowPages } from './row-pages.ts';
import { createRejectedRows } from './rejected-rows.ts';
import { createErasures } from './erasures.ts';
import { readKeyring } from './keyring.ts';
import { createTombstones } from './tombstones.ts';
import { migrate } from './migrate.ts';
import { createOrderRequestStore, createProfileStore } from './order-request-store.ts';
import { createOutcomeQueries } from './outcome-queries.ts';
import { createOutcomes } from './outcome-store.ts';
import { createPortalStore } from './portal-store.ts';
import { createPostgresDialect } from './postgres.ts';
import { createRecords } from './record-store.ts';
import { createCompanyHistory } from './company-history.ts';
import { createKnownCompanies } from './company-index.ts';
import { createCompanyItemStore } from './company-item-store.ts';
import { createListMembers } from './list-member-store.ts';
import { createReplyStore } from './reply-store.ts';
import { createSecretUseStore } from './secret-use-store.ts';
import { createShapeStore } from './shape-store.ts';
import { createSlotDigests } from './slot-digest-store.ts';
import { createSlots } from './slots.ts';
import { createStoredPaths } from './stored-paths.ts';
import { createSqliteDialect } from './sqlite.ts';
import { createSuppressedNames } from './suppressed-names.ts';
import { createSuppressions } from './suppression-store.ts';
import type { Tables, Database, DatabaseKind } from './tables.ts';
import { createValueChangeStore } from './value-change-store.ts';
import { createWantedExclusions } from './wanted-exclusions.ts';
import { createWebsites } from './website-store.ts';
import { createWrittenRecords } from './written-record-store.ts';

/** `busyTimeoutMilliseconds`: how long a write to SQLite waits for another writer. Default: 30 s. */
export type LedgerLocation = ({ dataDir: string; busyTimeoutMilliseconds?: number } | { databaseUrl: string }) & {
  /** The folder of the configuration: paths of files in it are stored relative to it. Default: null, all paths are absolute. */
  projectFolder?: string | null;
};

export type Ledger = Awaited<ReturnType<typeof openLedger>>;

/**
 * Opens `<dataDir>/ledger.db` or the PostgreSQL database at `databaseUrl`. Creates and migrates the tables.
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
  const keyring = await readKeyring(db).catch(async (error: unknown) => {
    await db.destroy();
    throw error;
  });
  const tombstones = createTombstones(db, kind, keyring);
  const paths = createStoredPaths(location.projectFolder ?? null);
  const slots = createSlots(db, tombstones);
  const names = createSuppressedNames(db, { tombstones, slots });
  const suppressions = createSuppressions(db, { keyring, tombstones, names });
  const companyIndex = createKnownCompanies(db, tombstones);
  const outcomeQueries = createOutcomeQueries(db, keyring);
  return {
    installation: keyring.installation,
    portal: createPortalStore(db),
    profiles: createProfileStore(db),
    appliedSchedules: createAppliedSchedules(db),
    blacklists: createBlacklistStore(db),
    attachedBlacklists: createAttachedBlacklists(db),
    searchAssignments: createSearchAssignments(db),
    drafts: createDraftStore(db, { tombstones, paths }),
    excludedRows: createExcludedRows(db),
    rejectedRows: createRejectedRows(db, paths),
    orders: createOrderStore(db),
    orderRequests: createOrderRequestStore(db, kind),
    shapes: createShapeStore(db),
    answerShapes: createAnswerShapeStore(db),
    slots,
    slotDigests: createSlotDigests(db),
    outcomes: createOutcomes(db, keyring),
    listMembers: createListMembers(db),
    companyItems: createCompanyItemStore(db),
    websites: createWebsites(db, { tombstones, paths }),
    outcomeQueries,
    companyIndex,
    companyHistory: createCompanyHistory(db, { companyIndex, outcomeQueries, suppressions, tombstones }),
    records: createRecords(db, kind, keyring),
    rowPages: createRowPages(db),
    valueChanges: createValueChangeStore(db),
    writtenRecords: createWrittenRecords(db, { kind, keyring, tombstones }),
    files: createFileStore(db, paths),
    outputs: createOutputStore(db, paths),
    certificates: createCertificateStore(db, paths),
    signingKeys: createSigningKeys(db),
    exclusions: createExclusionStaging(db),
    exclusionScans: createExclusionScanStore(db),
    exclusionRemovals: createRemovalApprovals(db),
    consoleAudit: createConsoleAudit(db),
    exclusionSnapshots: createBlacklistSnapshots(db, tombstones),
    leaks: createLeakStore(db),
    replies: createReplyStore(db, { tombstones, suppressions }),
    secretUses: createSecretUseStore(db),
    suppressions,
    tombstones,
    erasures: createErasures(db, { kind, tombstones, suppressions }),
    condition: createDatabaseHealth(db, kind),
    close: () => db.destroy(),
  };
}

/** Staging of one sync, named by `syncId`: the entries that a blacklist should have, those that it has, and the difference. */
function createExclusionStaging(db: Database) {
  return {
    ...createWantedExclusions(db),
    ...createExistingExclusions(db),
    clear: (syncId: string): Promise<void> => clearStaging(db, syncId),
  };
}

function createDatabaseHealth(db: Database, kind: DatabaseKind) {
  return {
    /** Resolves when the database answers. @throws {LedgerError} */
    async ask(): Promise<void> {
      await sql`select 1`.execute(db);
    },

    /** Size of PostgreSQL's database or of SQLite's file. */
    async bytes(): Promise<number> {
      const size =
        kind === 'postgres'
          ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
          : sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`;
      const { rows } = await size.execute(db);
      return rows[0]?.bytes ?? 0;
    },
  };
}
