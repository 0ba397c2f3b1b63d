import type { ExclusionPlan } from '../../src/config/run-plan.ts';

/** Its safety limits allow all removals by default. */
export function exclusionPlan(changes: Partial<ExclusionPlan> = {}): ExclusionPlan {
  return {
    name: 'customers',
    blacklist: 'CRM exclusions',
    existing: undefined,
    description: null,
    attach: undefined,
    source: exclusionSource(),
    reasons: {
      lifecycle_stages: 'Customer',
      open_deals: 'Open deal',
      closed_won: 'Won within {days} days',
      lists: 'List {list}',
      do_not_contact: 'Do not contact',
      csv: 'Customer',
      xlsx: 'Customer',
    },
    removals: { maxPercent: 100, maxEntries: 100_000 },
    fullScanEveryMs: null,
    deltaOverlapMs: 600_000,
    adopt: false,
    ...changes,
  };
}

/** A source that selects nothing by default. */
export function exclusionSource(changes: Partial<ExclusionPlan['source']> = {}): ExclusionPlan['source'] {
  return {
    lifecycleStages: [],
    openDeals: false,
    closedWonWithinDays: null,
    lists: [],
    doNotContact: null,
    csv: null,
    xlsx: null,
    sheet: undefined,
    headerRow: undefined,
    externalIdForm: undefined,
    columns: undefined,
    suppressions: undefined,
    delivered: undefined,
    ...changes,
  };
}
