/** `slot`: `ref` is the order. `excluded_row`: the draft. `entry`: the entry, at position 0. */
export const companyPlaces = ['slot', 'excluded_row', 'entry'] as const;

/** The tables of exclusions: blacklists, their entries, and companies that they exclude. */
export interface ExclusionTables {
  /** Where a company is held, by domain and name in comparable form. See company-index.ts. */
  companyIndex: {
    place: (typeof companyPlaces)[number];
    ref: string;
    position: number;
    domain: string | null;
    name: string | null;
  };
  /** Blacklists that prospect-sync created or adopted, by name. */
  blacklists: { name: string; blacklistId: string };
  /** Existing blacklists of `existing`, which are never changed. `reference`: the configured name or id. */
  attachedBlacklists: { exclusion: string; reference: string; blacklistId: string };
  /** Assignments that prospect-sync has made. */
  searchAssignments: { prospectSearchId: string; blacklistId: string };
  exclusionsWanted: {
    syncId: string;
    hash: string;
    json: string;
    matchKey: string;
    externalId: string;
    strength: number;
  };
  exclusionsExisting: {
    syncId: string;
    entryId: string;
    hash: string;
    matchKey: string;
    externalId: string;
    strength: number;
  };
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
  /** `lastSeenAt`: when a snapshot listed it last. */
  frozenEntries: { entryId: string; blacklistId: string; lastSeenAt: string; json: string };
  orderBlacklists: {
    orderId: string;
    blacklistId: string;
    digest: string;
    orderedAt: string;
    matchedDigest: string | null;
  };
  leaks: { orderId: string; position: number; verdict: 'LEAK' | 'LATE' | 'WEAK'; tier: string; entryId: string };
}
