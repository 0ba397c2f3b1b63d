/** The known values of enumerated fields. Readers also accept values that are not listed here (`openEnum`). */

export const profileCreationStatuses = ['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED'] as const;

export const orderStatuses = [
  'RECEIVED',
  'ACCEPTED',
  'IN_PROGRESS',
  'COMPLETED',
  'REJECTED',
  'FAILED',
  'CANCELLED',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** Orders are polled only in these statuses; all other known statuses are final ("Order status"). */
export const activeOrderStatuses = ['RECEIVED', 'ACCEPTED', 'IN_PROGRESS'] as const;
export const unsuccessfulOrderStatuses = ['REJECTED', 'FAILED', 'CANCELLED'] as const;

export const slotStatuses = ['ENRICHED', 'PARTIAL', 'UNRESOLVED', 'DUPLICATE', 'BLOCKED'] as const;
export type SlotStatus = (typeof slotStatuses)[number];

export const outputStatuses = ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED'] as const;
export const outputTypes = ['csv', 'xlsx', 'google_sheets'] as const;
export const features = ['COMPANY_DATA', 'CONTACTS', 'ANALYSIS'] as const;

export const scopes = [
  'orders:read',
  'orders:write',
  'companies:read',
  'prospects:read',
  'delivery:read',
  'prospect_searches:read',
  'blacklists:read',
  'blacklists:write',
] as const;
export type Scope = (typeof scopes)[number];

/** Values of email_delivery_quality that the specification gives as examples; there may be others. */
export const deliveryQualityExamples = [
  'client_deliverable',
  'generic_company_tier',
  'risky_internal_catchall',
] as const;

export const replyClassifications = [
  'interested',
  'not_interested',
  'referral',
  'out_of_office',
  'wrong_person',
  'do_not_contact',
  'unactionable',
] as const;

/** The version of the contract that prospect-sync implements ("Versioning"). */
export const contractVersion = '1.3.0';
