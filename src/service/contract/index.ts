import { blacklistOperations } from './blacklist.ts';
import { deliveryOperations } from './delivery-operations.ts';
import { orderOperations } from './order-operations.ts';
import { outputOperations } from './output-operations.ts';
import { profileOperations } from './profile.ts';

export { assumptions, closedRoutes, orderTypes, prospectSearchIdOf } from './assumptions.ts';
export { entryInputSchema, websiteUrlPattern, type Blacklist, type Entry, type EntryInput } from './blacklist.ts';
export { errorCodes, type ErrorCode } from './errors.ts';
export { limits } from './limits.ts';
export {
  comparableName,
  createBlacklistIndex,
  domainOf,
  matchingTiers,
  type BlacklistIndex,
  type BlacklistMatch,
  type Comparable,
  type MatchingTier,
} from './matching.ts';
export { companyRowSchema, orderInputSchema, type CompanyRow, type Order, type OrderInput } from './order.ts';
export { profileInputSchema, type ProfileCreation, type ProfileInput } from './profile.ts';
export { isKnownReasonCode, reasonCodes, type ReasonCodeName } from './reason-codes.ts';
export { listingPageSize, websiteMarkdownSchema } from './delivery-operations.ts';
export {
  listedOutputSchema,
  listedOutputsSchema,
  outputReceiptSchema,
  type ListedOutput,
  type Output,
  type OutputInput,
  type OutputReceipt,
} from './output-operations.ts';
export { replyDataSchema, replyWebhookSchema } from './reply.ts';
export {
  resultSummarySchema,
  slotSchema,
  type Company,
  type Prospect,
  type ResultSummary,
  type Slot,
} from './result.ts';
export { toStrict } from './schema.ts';
export { beyondQuantity, discoveryRule, isDuplicateOfResolved, slotRules } from './slot-rules.ts';
export { createUnknownReader, describeViolation, violations, type Violation } from './violations.ts';
export {
  activeOrderStatuses,
  features,
  orderStatuses,
  outputStatuses,
  outputTypes,
  profileCreationStatuses,
  replyClassifications,
  scopes,
  slotStatuses,
  unsuccessfulOrderStatuses,
  type OrderStatus,
  type Scope,
  type SlotStatus,
} from './enum-values.ts';

/** The operations of the service. openapi.json, the types of the client and the checks of the sandbox come from this table. */
export const operations = {
  ...blacklistOperations,
  ...profileOperations,
  ...orderOperations,
  ...outputOperations,
  ...deliveryOperations,
} as const;
