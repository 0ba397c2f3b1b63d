import type { Plan } from './limits/subscription-plans.ts';

/** Behaviour that neither documentation nor a published probe of HubSpot answers. Each assumption is an option of the sandbox. */
export interface HubSpotAssumptions {
  /** A unique conflict refuses the whole batch with 409 even when every input carries a trace id (seen for contact upserts), or only its row. */
  readonly uniqueConflict: 'whole-batch' | 'per-row';
  /** A taken value of a custom unique property is a validation error of its row, or a 409 like a taken email. */
  readonly customUniqueConflict: 'validation' | 'conflict';
  /** Custom unique values are compared without regard to case. */
  readonly uniqueIgnoresCase: boolean;
  /** A lifecycle stage that would go backwards is dropped in silence, or is a validation error. */
  readonly backwardLifecycle: 'ignored' | 'refused';
  /** Batch update with idProperty=email: refused as non-unique (seen in 2024), or allowed (docs of 2026-03). */
  readonly batchUpdateByEmail: 'refused' | 'allowed';
  /** Batch update of an email without idProperty: nothing happens and nothing is said (seen in 2024), or the row is OBJECT_NOT_FOUND. */
  readonly batchUpdateOfUnknownKind: 'silent' | 'not-found';
  /** Upsert by an address that is a secondary email of a contact: updates that contact, or is a conflict. */
  readonly upsertBySecondaryEmail: 'resolves' | 'conflict';
  /** Batch read, single read and single update by `idProperty=email` find a contact by a secondary address, or only by its primary one. */
  readonly readBySecondaryEmail: 'not-found' | 'found';
  /** An archived record still holds its unique values: no other record can have them. */
  readonly archivedHoldUniqueValues: boolean;
  /** A merge keeps the id of the primary record ("Primary ID Preservation", a beta); usually it makes a new one. */
  readonly mergeKeepsPrimaryId: boolean;
  /** The id of a merged record is not found, or finds the record that it became. */
  readonly mergedIds: 'gone' | 'resolve';
  /** Success items echo the objectWriteTraceId of their input. */
  readonly echoTraceIds: boolean;
  /** A write that changes no value still moves the modified date. */
  readonly unchangedWriteMovesModifiedDate: boolean;
  /** NEQ, NOT_IN and NOT_CONTAINS_TOKEN also match records without a value. */
  readonly negativeFiltersMatchEmpty: boolean;
  /** Inputs of one associations batch create; 1,000 is documented for reading only. */
  readonly associationCreateLimit: number;
  /** Associations of one record on a page. */
  readonly associationPageLimit: number;
  /** Linked records of one type that the query parameter `associations` shows with a record. */
  readonly inlineAssociationLimit: number;
  /** The first company of a contact or deal becomes its primary company without being asked to. */
  readonly firstCompanyBecomesPrimary: boolean;
  /** Record ids in answers about associations are JSON numbers (older docs) instead of strings (SDK 14). */
  readonly associationIdsAsNumbers: boolean;
  /** Members of a list on a page; 100 is the documented default. */
  readonly listMembershipLimit: number;
  /** An address that unsubscribed can be subscribed again through the API, or never (documented for v1, seen on v3). */
  readonly resubscribing: 'refused' | 'allowed';
  /** Accounts have data privacy settings turned on: legacy paths want a legal basis with a subscription status. */
  readonly gdpr: boolean;
  /** Inputs of one batch of properties. */
  readonly propertyBatchLimit: number;
  /** The first version that enforces the required properties of a portal; seen on a dated path, which one is not said. */
  readonly requiredSince: '2026-03' | '2026-09';
  /** Status of a batch on 2026-09 in which some rows failed. Earlier versions answer 207. */
  readonly partialFailureStatus: 200 | 207;
  /** A search is a call among the others too, beside its own limit. */
  readonly searchCountsTowardBurst: boolean;
  /** Calls about associations in ten seconds, where they are counted apart from the others; null: they are not. */
  readonly associationBurst: number | null;
  /** A call that was refused with 429 counts too, so a client must pause to be allowed again. */
  readonly refusedCallsCount: boolean;
  /** A 429 says in Retry-After, in seconds, when the next call may be let through. */
  readonly rateLimitRetryAfter: boolean;
  /** Custom properties of one object type, by the portal's plan. */
  readonly customProperties: Readonly<Record<Plan, number>>;
  /** Top-level domains that no registry has but an email may carry here, so that test data can use reserved names. */
  readonly reservedTopLevelDomains: readonly string[];
}

export const defaultAssumptions: HubSpotAssumptions = {
  uniqueConflict: 'whole-batch',
  customUniqueConflict: 'validation',
  uniqueIgnoresCase: true,
  backwardLifecycle: 'ignored',
  batchUpdateByEmail: 'refused',
  batchUpdateOfUnknownKind: 'silent',
  upsertBySecondaryEmail: 'resolves',
  readBySecondaryEmail: 'not-found',
  archivedHoldUniqueValues: false,
  mergeKeepsPrimaryId: false,
  mergedIds: 'gone',
  echoTraceIds: false,
  unchangedWriteMovesModifiedDate: true,
  negativeFiltersMatchEmpty: false,
  associationCreateLimit: 1000,
  associationPageLimit: 500,
  inlineAssociationLimit: 100,
  firstCompanyBecomesPrimary: false,
  associationIdsAsNumbers: false,
  listMembershipLimit: 250,
  resubscribing: 'refused',
  gdpr: false,
  propertyBatchLimit: 100,
  requiredSince: '2026-03',
  partialFailureStatus: 200,
  searchCountsTowardBurst: true,
  associationBurst: null,
  refusedCallsCount: false,
  rateLimitRetryAfter: false,
  customProperties: { none: 1000, free: 10, professional: 1000, enterprise: 1000 },
  reservedTopLevelDomains: ['example', 'test'],
};
