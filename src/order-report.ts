/** How an order ended: counts, codes and file paths; the result of its workflow and the source of every summary. */

export const recordOutcomes = ['created', 'updated', 'unchanged', 'skipped', 'quarantined', 'failed'] as const;
export type RecordOutcome = (typeof recordOutcomes)[number];
export type OutcomeTally = Readonly<Record<RecordOutcome, number>>;

export interface FileReport {
  readonly path: string;
  readonly kind: 'csv' | 'xlsx';
  readonly rows: number;
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
  readonly wanted: number;
  readonly added: number;
  readonly removed: number;
  /** CRM companies that could not be excluded: without name and domain, or beyond a limit of the service. */
  readonly unusable: number;
}

/** What a run did before its order: only part of the report of orders that a run placed. */
export interface RunFigures {
  readonly exclusions: readonly ExclusionsReport[];
  /** CRM companies that could not be submitted to an enrichment. */
  readonly unusableCompanies: number;
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
  readonly byStatus: Readonly<Record<string, number>>;
  readonly byReason: Readonly<Record<string, number>>;
  /** Words of the answers that this version does not know, with how often they came. */
  readonly unknown: Readonly<Record<string, number>>;
  readonly crm: { readonly companies: OutcomeTally; readonly contacts: OutcomeTally };
  readonly files: readonly FileReport[];
  readonly findings: readonly Finding[];
}
