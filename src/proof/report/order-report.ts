/** The report of an order: counts, codes and file paths. It is the result of the workflow and the source of every summary. */
import type { NamedRecords } from '../../base/text/named-rows.ts';
import type { FileReport } from '../../delivery/files/order-spreadsheet.ts';
import type { CreatedItems } from '../../delivery/mapping/company-item-text.ts';
import type { ListReport } from '../../delivery/mapping/list-names.ts';
import type { RowNotes, SourceReport } from '../../ledger/draft-source.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { OutputRow } from '../../ledger/order-files.ts';
import type { OutputState } from '../../ledger/tables.ts';
import type { WebsiteTally } from '../../ledger/website-store.ts';
import type { OutcomeTally } from '../../ledger/crm-outcomes.ts';
import type { ReadBackFigures, RepairReport } from './read-back-figures.ts';

/** The state of an output that was requested from the service. */
export interface ServiceOutputReport {
  readonly type: 'csv' | 'xlsx' | 'google_sheets';
  /** Type, language and the id of the spreadsheet: `csv en`. */
  readonly destination: string;
  readonly state: OutputState;
  /** Type of the failure; null: none. */
  readonly problem: string | null;
  /** Present for an exceeded limit: ids, types and dates of the outputs that the order has. */
  readonly problemDetail?: string;
  /** Present: another program, or an earlier ledger, had this output made. */
  readonly adopted?: true;
  /** Number of rows that the service reports. */
  readonly resultCount: number | null;
  /** Number of rows that were counted in the file; null: they could not be counted. */
  readonly rows: number | null;
  readonly path: string | null;
  /** Address of the spreadsheet. */
  readonly location: string | null;
}

/** The path is reported only while the file exists. */
export function toOutputReport(row: OutputRow): ServiceOutputReport {
  const { type, destination, state, problem, problemDetail, origin, resultCount, rows, path, location } = row;
  const hasFile = state === 'delivered' || state === 'rows_differ';
  return {
    type,
    destination,
    state,
    problem,
    ...(problemDetail === null ? {} : { problemDetail }),
    ...(origin === 'adopted' ? { adopted: true as const } : {}),
    resultCount,
    rows,
    path: hasFile ? path : null,
    location,
  };
}

/** The fields from which the results of an order were read, beyond the specification. Names of fields, never values. */
export interface ReadingReport {
  /** Fields that were not found under their own name: the path where they were found, or null, and what identified them. */
  readonly fields: readonly {
    readonly field: string;
    readonly path: string | null;
    readonly by: 'specification' | 'setting' | 'name' | 'value' | 'absent';
  }[];
  /** Number of unusable values by field. */
  readonly unusable: Readonly<Record<string, number>>;
  /** Fields whose path differs from earlier orders. */
  readonly drift: readonly { readonly field: string; readonly was: string | null; readonly is: string | null }[];
}

/** A deviation: its code and positions. Never a value. */
export interface Finding {
  readonly code: string;
  /** Number of slots, records or rows concerned. */
  readonly count: number;
  /** The first positions concerned, at most ten. */
  readonly positions: readonly number[];
}

/** A new name of a blacklist. */
export interface Rename {
  readonly from: string;
  readonly to: string;
}

/** The result of syncing one exclusion. */
export interface ExclusionsReport {
  readonly name: string;
  readonly blacklistId: string;
  /** Set for an existing blacklist that prospect-sync attached unchanged; `wanted` counts its entries. */
  readonly existing?: true;
  /** Present: the sync renamed the blacklist to the name in the configuration. */
  readonly renamed?: Rename;
  /** `delta`: only changes since the last scan were read, and nothing was removed. */
  readonly scan: 'full' | 'delta';
  /** Sources without a company, such as `lists:1234`; absent if there are none, and of a delta scan. */
  readonly emptySources?: readonly string[];
  readonly wanted: number;
  readonly added: number;
  readonly removed: number;
  /** CRM companies that could not be excluded: without name and domain, or beyond a limit of the service. */
  readonly unusable: number;
  /** Removals that wait for approval. */
  readonly pending: PendingRemovals | null;
  readonly corrections: ExclusionCorrections;
  /** Number of wanted entries that can match by each tier. */
  readonly coverage: Coverage;
  /** Digest of the settings that were used: runs share a report of their own settings only. Absent for an existing blacklist. */
  readonly settings?: string;
}

export const removalReasons = ['max_entries', 'max_percent', 'source_shrunk', 'exceeds_decision'] as const;

/** Removals that wait for `exclusions approve <digest>`. */
export interface PendingRemovals {
  readonly digest: string;
  readonly entries: number;
  /** `exceeds_decision`: a retry would remove more entries than the first attempt decided. */
  readonly because: (typeof removalReasons)[number];
  /** Sources that have lost all or most of their companies: `open_deals`, `lists:1234`. */
  readonly shrunkSources: readonly string[];
}

/** Number of entries that can match by each tier of the service. */
export interface Coverage {
  readonly externalId: number;
  readonly domain: number;
  readonly nameAndCity: number;
  /** Entries that have only a name: the least certain. */
  readonly nameOnly: number;
}

/** Corrections and omissions before entries are sent. */
export interface ExclusionCorrections extends RowNotes {
  /** Addresses that were completed with https://, which the service requires. */
  readonly completedUrls: number;
  /** Addresses at mailbox providers or shared hosts that were left out. */
  readonly sharedDomains: number;
  /** Duplicate companies, which share one entry. */
  readonly duplicates: number;
  /** Expired rows. */
  readonly expired: number;
  /** Characters of files that databases cannot store, replaced by U+FFFD; absent if there are none. */
  readonly replaced?: number;
  /** Values from which invisible characters were removed; absent if there are none. */
  readonly cleaned?: number;
  /** Values that stand for nothing, such as `n/a`, and were left out; absent if there are none. */
  readonly placeholders?: number;
  /** Invalid websites of CRM companies, which were left out; absent if there are none. */
  readonly invalidWebsites?: number;
  /** CRM companies without a website whose name is doubtful; absent if there are none. */
  readonly doubtfulRecords?: NamedRecords;
}

/** Returned companies that a blacklist of the order lists. */
export interface LeakFigures {
  /** Listed when the order was placed, by id, domain or name and city: the service should not have returned them. */
  readonly leak: number;
  /** Listed after that time. */
  readonly late: number;
  /** Only the name is the same. */
  readonly weak: number;
}

/** null: the ledger has no snapshot of the blacklists of the order. */
export async function readLeakFigures(
  { exclusionSnapshots, leaks }: Pick<Ledger, 'exclusionSnapshots' | 'leaks'>,
  orderId: string,
): Promise<LeakFigures | null> {
  if ((await exclusionSnapshots.ofOrder(orderId)).length === 0) return null;
  const { LEAK, LATE, WEAK } = await leaks.tally(orderId);
  return { leak: LEAK, late: LATE, weak: WEAK };
}

/** One finding for all exclusions whose removals wait for approval. */
export function toExclusionFindings(reports: readonly ExclusionsReport[]): Finding[] {
  const count = reports.reduce((total, { pending }) => total + (pending?.entries ?? 0), 0);
  return count === 0 ? [] : [{ code: 'exclusion_removals_wait', count, positions: [] }];
}

/** Digests of a run's configuration: when its schedule was applied, and when it ran. */
export interface ConfigurationChange {
  readonly applied: string;
  readonly now: string;
}

/** The steps of a run before its order; only in reports of orders that a run placed. */
export interface RunFigures {
  /** null unless a schedule started the run and the digests differ. */
  readonly configurationChanged: ConfigurationChange | null;
  readonly exclusions: readonly ExclusionsReport[];
  /** CRM companies that could not be submitted to an enrichment. */
  readonly unusableCompanies: number;
  /** Absent for a discovery. */
  readonly source?: SourceReport;
}

/** Outcome of an order, as search attribute and in the UI. */
export function outcomeOf(findings: readonly Finding[]): 'reconciled' | 'findings' {
  return findings.length === 0 ? 'reconciled' : 'findings';
}

/** Findings for the records that HubSpot did not accept, from the counts. */
export function toCrmFindings({ companies, contacts }: OrderReport['crm']): Finding[] {
  const counts = {
    crm_company_quarantined: companies.quarantined,
    crm_contact_quarantined: contacts.quarantined,
    crm_write_failed: companies.failed + contacts.failed,
  };
  return Object.entries(counts).flatMap(([code, count]) => (count === 0 ? [] : [{ code, count, positions: [] }]));
}

export interface OrderReport {
  readonly orderId: string;
  readonly kind: 'discovery' | 'enrichment' | 'unknown';
  readonly workflowId: string;
  readonly slots: number;
  readonly reconciled: number;
  /** Number of companies ordered (0: unknown) and delivered. Absent in reports of `reconcile`. */
  readonly ordered?: number;
  readonly delivered?: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly byReason: Readonly<Record<string, number>>;
  /** Enum values that this version does not know, with their counts. */
  readonly unknown: Readonly<Record<string, number>>;
  /** Absent in reports of `reconcile`. */
  readonly reading?: ReadingReport;
  readonly crm: { readonly companies: OutcomeTally; readonly contacts: OutcomeTally };
  /** Associations of contacts and companies that were missing in HubSpot and were created again. Absent in reports of `reconcile`. */
  readonly restoredLinks?: number;
  /** Records that this delivery created again, since HubSpot no longer had them. Absent in reports of `reconcile`. */
  readonly recreated?: number;
  /** Companies and contacts that were not changed because a newer order wrote them, by that order. */
  readonly newerOrders: Readonly<Record<string, number>>;
  /** Website texts of delivered companies. Absent unless the mapping or a column has them, and in reports of `reconcile`. */
  readonly websites?: WebsiteTally;
  /** Records that were added to HubSpot lists. Absent if the run configures no list. */
  readonly lists?: readonly ListReport[];
  /** Notes and tasks that the order has created on companies. Absent if the mapping defines none. */
  readonly companyItems?: CreatedItems;
  /** CRM records compared with the written values. Absent if none was written. */
  readonly readBack?: ReadBackFigures | undefined;
  /** Slots from which `forget` or retention erased data, compared by the digest of the published slot. Absent if there are none. */
  readonly erased?: number | undefined;
  /** Records that `reconcile --repair` found and wrote before the comparison. */
  readonly repair?: RepairReport;
  readonly leaks: LeakFigures | null;
  readonly files: readonly FileReport[];
  /** Absent if the run requests none. */
  readonly serviceOutputs?: readonly ServiceOutputReport[];
  readonly findings: readonly Finding[];
  /** Path of the signed certificate. */
  readonly certificate: string;
}
