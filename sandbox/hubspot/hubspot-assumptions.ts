import type { Plan } from './limits/subscription-plans.ts';

/**
 * Behaviour that neither documentation nor a published probe of HubSpot answers with certainty. Each assumption is an option of the
 * sandbox; docs/sandbox.md numbers them.
 */
export interface HubSpotAssumptions {
  /** A unique conflict refuses the whole batch with 409 even when every input carries a trace id (seen for contact upserts), or only its row. */
  readonly uniqueConflict: 'whole-batch' | 'per-row';
  /**
   * A taken value of a custom unique property: a message that names both records (seen for emails), a validation error with details (seen
   * on another object type), or a 409 like a taken email.
   */
  readonly customUniqueConflict: 'value' | 'validation' | 'conflict';
  /** A single change to a taken email, or a create with a secondary one: the message that names both records, or the 409. */
  readonly singleEmailConflict: 'value' | 'conflict';
  /** A taken email in a batch: the 409 (seen for upserts), or the message that names both records as an error of its row. */
  readonly batchEmailConflict: 'conflict' | 'value';
  /** Custom unique values are compared without regard to case. */
  readonly uniqueIgnoresCase: boolean;
  /** A write that would move the lifecycle stage backwards: ignored without an error, or a validation error. */
  readonly backwardLifecycle: 'ignored' | 'refused';
  /** Batch update with idProperty=email: refused as non-unique (seen in 2024), or allowed (docs of 2026-03). */
  readonly batchUpdateByEmail: 'refused' | 'allowed';
  /** Batch update of an email without idProperty: ignored without an error (seen in 2024), or the row fails with OBJECT_NOT_FOUND. */
  readonly batchUpdateOfUnknownKind: 'silent' | 'not-found';
  /** Upsert by an address that is a secondary email of a contact: updates that contact, or is a conflict. */
  readonly upsertBySecondaryEmail: 'resolves' | 'conflict';
  /** Batch read, single read and single update by `idProperty=email` find a contact by a secondary address, or only by its primary one. */
  readonly readBySecondaryEmail: 'not-found' | 'found';
  /** An archived record still holds its unique values: no other record can have them. */
  readonly archivedHoldUniqueValues: boolean;
  /** A merge keeps the id of the primary record ("Primary ID Preservation", a beta); usually it makes a new one. */
  readonly mergeKeepsPrimaryId: boolean;
  /** The id of a merged record: resolved to the record that remains (HubSpot's changelog on merges), or not found. */
  readonly mergedIds: 'resolve' | 'gone';
  /** Success items echo the objectWriteTraceId of their input. */
  readonly echoTraceIds: boolean;
  /** A write that changes no value still moves the modified date. */
  readonly unchangedWriteMovesModifiedDate: boolean;
  /** A key of a search body that HubSpot does not know: refused, or ignored, which returns more records (seen: `filter_groups` returns all). */
  readonly unknownSearchKeys: 'refused' | 'ignored';
  /** A search with `limit` 0: refused, or answered with the total alone. */
  readonly searchLimitZero: 'refused' | 'answered';
  /** A new property whose name begins with `hs_`, as those of HubSpot do. */
  readonly reservedPropertyNames: 'refused' | 'allowed';
  /** NEQ, NOT_IN and NOT_CONTAINS_TOKEN also match records without a value. */
  readonly negativeFiltersMatchEmpty: boolean;
  /** Inputs of one associations batch that creates or archives. */
  readonly associationCreateLimit: number;
  /** Associations of one record on a page. */
  readonly associationPageLimit: number;
  /** Linked records of one type that the query parameter `associations` shows with a record. */
  readonly inlineAssociationLimit: number;
  /** The first company that is linked to a contact or deal becomes its primary company. */
  readonly firstCompanyBecomesPrimary: boolean;
  /** Record ids in answers about associations are JSON numbers (older docs) instead of strings (SDK 14). */
  readonly associationIdsAsNumbers: boolean;
  /** Members of a list on a page; 100 is the documented default. */
  readonly listMembershipLimit: number;
  /** An address that unsubscribed can be subscribed again through the API, or never (documented for v1, seen on v3). */
  readonly resubscribing: 'refused' | 'allowed';
  /** Data privacy settings are turned on: legacy paths require a legal basis with a subscription status. */
  readonly gdpr: boolean;
  /** Inputs of one batch of properties. */
  readonly propertyBatchLimit: number;
  /** The first version that enforces the required properties of a portal; seen on a dated path whose version is not known. */
  readonly requiredSince: '2026-03' | '2026-09';
  /** Status of a batch on 2026-09 in which some rows failed. Earlier versions answer 207. */
  readonly partialFailureStatus: 200 | 207;
  /** Searches count towards the general limit as well as towards their own. */
  readonly searchCountsTowardBurst: boolean;
  /** Association calls have the limits of their own that the plan says, or count towards the general limit. */
  readonly associationLimits: 'own' | 'general';
  /** Calls refused with 429 count towards the limit too, so a client must pause. */
  readonly refusedCallsCount: boolean;
  /** A 429 has a Retry-After header, in seconds. */
  readonly rateLimitRetryAfter: boolean;
  /** Custom properties of one object type, by the portal's plan. */
  readonly customProperties: Readonly<Record<Plan, number>>;
  /** Reserved top-level domains that are accepted in emails, so that test data can use them. */
  readonly reservedTopLevelDomains: readonly string[];
}

export const defaultAssumptions: HubSpotAssumptions = {
  uniqueConflict: 'whole-batch',
  customUniqueConflict: 'value',
  singleEmailConflict: 'value',
  batchEmailConflict: 'conflict',
  uniqueIgnoresCase: true,
  backwardLifecycle: 'ignored',
  batchUpdateByEmail: 'refused',
  batchUpdateOfUnknownKind: 'silent',
  upsertBySecondaryEmail: 'resolves',
  readBySecondaryEmail: 'not-found',
  archivedHoldUniqueValues: false,
  mergeKeepsPrimaryId: false,
  mergedIds: 'resolve',
  echoTraceIds: false,
  unchangedWriteMovesModifiedDate: true,
  unknownSearchKeys: 'refused',
  searchLimitZero: 'refused',
  reservedPropertyNames: 'refused',
  negativeFiltersMatchEmpty: false,
  associationCreateLimit: 2000,
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
  associationLimits: 'own',
  refusedCallsCount: false,
  rateLimitRetryAfter: false,
  customProperties: { none: 1000, free: 10, professional: 1000, enterprise: 1000 },
  reservedTopLevelDomains: ['example', 'test'],
};
