/** How an order ended: counts, codes and file paths; the result of its workflow and the source of every summary. */

import type { SourceReport } from '../ledger/draft-store.ts';
import type { OutputRow } from '../ledger/order-store.ts';
import type { OutputState } from '../ledger/tables.ts';
import type { OutcomeTally } from '../ledger/record-outcome.ts';
import { toPrintable } from '../text/printable-text.ts';

export interface FileReport {
  readonly path: string;
  /** `leaks`: evidence of returned companies that a blacklist names. */
  readonly kind: 'csv' | 'xlsx' | 'leaks';
  readonly rows: number;
}

/** What became of an output that the service was asked for. */
export interface ServiceOutputReport {
  readonly type: 'csv' | 'xlsx' | 'google_sheets';
  /** Type, language and the id of the spreadsheet: `csv en`. */
  readonly destination: string;
  readonly state: OutputState;
  /** Type of the failure that ended it. */
  readonly problem: string | null;
  /** As the service tells it. */
  readonly resultCount: number | null;
  /** As they were counted; null where they could not be. */
  readonly rows: number | null;
  readonly path: string | null;
  /** Address of the spreadsheet. */
  readonly location: string | null;
}

/** The path is reported only while the file exists. */
export function toOutputReport(row: OutputRow): ServiceOutputReport {
  const { type, destination, state, problem, resultCount, rows, path, location } = row;
  const hasFile = state === 'delivered' || state === 'rows_differ';
  return { type, destination, state, problem, resultCount, rows, path: hasFile ? path : null, location };
}

/** How the results of an order were read where the specification does not show it. Names of fields, never values. */
export interface ReadingReport {
  /** Fields that do not stand under their own name: where they were found, or null, and by what. */
  readonly fields: readonly {
    readonly field: string;
    readonly path: string | null;
    readonly by: 'specification' | 'setting' | 'name' | 'value' | 'absent';
  }[];
  /** Values that are there and cannot be used, by field. */
  readonly unusable: Readonly<Record<string, number>>;
  /** Fields that stand elsewhere than in the orders before. */
  readonly drift: readonly { readonly field: string; readonly was: string | null; readonly is: string | null }[];
}

/** Something that is not as it should be: a code, and where. Never a value. */
export interface Finding {
  readonly code: string;
  /** How many slots, records or rows show it. */
  readonly count: number;
  /** The first positions that show it, ten at most. */
  readonly positions: readonly number[];
}

/** What became of one list of exclusions. */
export interface ExclusionsReport {
  readonly name: string;
  readonly blacklistId: string;
  /** `delta`: only what changed since the last scan was read, and nothing removed. */
  readonly scan: 'full' | 'delta';
  readonly wanted: number;
  readonly added: number;
  readonly removed: number;
  /** CRM companies that could not be excluded: without name and domain, or beyond a limit of the service. */
  readonly unusable: number;
  /** Removals that were not done. */
  readonly pending: PendingRemovals | null;
  readonly lint: ExclusionLint;
  /** How many of the wanted entries can match by each tier. */
  readonly coverage: Coverage;
  /** Digest of the settings that were used: runs share a report of their own settings only. Absent in older reports. */
  readonly settings?: string;
}

export const removalReasons = ['max_entries', 'max_percent', 'source_dried_up', 'more_than_weighed'] as const;

/** Removals that wait for `exclusions approve <digest>`. */
export interface PendingRemovals {
  readonly digest: string;
  readonly entries: number;
  /** `more_than_weighed`: more was to go when a failed attempt was repeated than when its removals were decided. */
  readonly because: (typeof removalReasons)[number];
  /** Sources that held companies before and hold none now: `open_deals`, `lists:1234`. */
  readonly driedUp: readonly string[];
}

/** How many entries can match by each tier of the service. */
export interface Coverage {
  readonly externalId: number;
  readonly domain: number;
  readonly nameAndCity: number;
  /** Entries that have only a name: the least certain. */
  readonly nameOnly: number;
}

/** What was put right, or left out, before entries were sent. */
export interface ExclusionLint {
  /** Addresses that got the beginning that the service wants. */
  readonly mendedUrls: number;
  /** Addresses at mailbox providers or shared hosts that were left out. */
  readonly sharedDomains: number;
  /** Companies that came more than once, and got one entry. */
  readonly duplicates: number;
  /** Rows whose time is over. */
  readonly expired: number;
  /** Characters of files that no database holds, and that U+FFFD stands for; absent where there is none. */
  readonly replaced?: number;
}

/** Returned companies that a blacklist names; null where nothing is known of the blacklists of an order. */
export interface LeakFigures {
  /** Listed when the order was placed, by id, domain or name and city: the service should not have returned them. */
  readonly leak: number;
  /** Listed since. */
  readonly late: number;
  /** Only the name is the same. */
  readonly weak: number;
}

/** One finding for all lists whose removals wait. */
export function toExclusionFindings(reports: readonly ExclusionsReport[]): Finding[] {
  const count = reports.reduce((total, { pending }) => total + (pending?.entries ?? 0), 0);
  return count === 0 ? [] : [{ code: 'exclusion_removals_wait', count, positions: [] }];
}

/** Digests of a run's configuration: when its schedule was applied, and when it ran. */
export interface ConfigurationChange {
  readonly applied: string;
  readonly now: string;
}

/** In words: how many rows there were, and which columns were read. */
export function toSourceText({ kind, rows, blank, unusable, ordered, replaced = 0, columns }: SourceReport): string[] {
  const left = [blank === 0 ? [] : [`${blank} blank`], unusable === 0 ? [] : [`${unusable} unusable`]].flat();
  const unit = kind === 'hubspot' ? 'CRM companies' : 'rows';
  const mended = replaced === 0 ? [] : [`${replaced} characters replaced`];
  const figures = [`${rows} ${unit}`, ...left, `${ordered} ordered`, ...mended].join(', ');
  if (columns === null) return [figures];
  const used = Object.entries(columns.used).map(([field, header]) =>
    field === header ? field : `${field} from ${toPrintable(header)}`,
  );
  return [
    figures,
    `columns read: ${used.join(', ')}`,
    ...(columns.ignored.length === 0 ? [] : [`columns not read: ${columns.ignored.map(toPrintable).join(', ')}`]),
  ];
}

/** What a run did before its order: only part of the report of orders that a run placed. */
export interface RunFigures {
  /** Only of runs that a schedule started, and only where the two differ. */
  readonly configurationChanged: ConfigurationChange | null;
  readonly exclusions: readonly ExclusionsReport[];
  /** CRM companies that could not be submitted to an enrichment. */
  readonly unusableCompanies: number;
  /** Absent for a discovery, and in reports of earlier releases. */
  readonly source?: SourceReport;
}

/** The word for how an order ended, as search attribute and in the UI. */
export function outcomeOf(findings: readonly Finding[]): 'reconciled' | 'findings' {
  return findings.length === 0 ? 'reconciled' : 'findings';
}

/** What the CRM did not take, as far as counts tell it. */
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
  /** Companies that the order asked for, 0 where it is not known, and those that came; absent in reports of earlier releases. */
  readonly ordered?: number;
  readonly delivered?: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly byReason: Readonly<Record<string, number>>;
  /** Words of the answers that this version does not know, with how often they came. */
  readonly unknown: Readonly<Record<string, number>>;
  /** Absent in reports of orders that were collected before shapes were learnt. */
  readonly reading?: ReadingReport;
  readonly crm: { readonly companies: OutcomeTally; readonly contacts: OutcomeTally };
  /** Links between people and their companies that were missing in HubSpot and were made again. Absent in reports of before links were read back. */
  readonly restoredLinks?: number;
  readonly leaks: LeakFigures | null;
  readonly files: readonly FileReport[];
  /** Absent in reports of runs that wanted none. */
  readonly serviceOutputs?: readonly ServiceOutputReport[];
  readonly findings: readonly Finding[];
}
