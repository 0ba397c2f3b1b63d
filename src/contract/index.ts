export { assumptions, closedRoutes, orderTypes, prospectSearchIdOf } from './assumed.ts';
export { entryInputSchema, websiteUrlPattern, type Blacklist, type Entry, type EntryInput } from './blacklist.ts';
export { type Company, type Prospect } from './company.ts';
export { errorCodes, type ErrorCode } from './errors.ts';
export { limits } from './limits.ts';
export {
  comparableName,
  createBlacklistIndex,
  domainOf,
  matchingTiers,
  type BlacklistIndex,
  type BlacklistMatch,
  type MatchingTier,
} from './matching.ts';
export { operations, type OperationId } from './operations.ts';
export { companyRowSchema, orderInputSchema, type CompanyRow, type Order, type OrderInput } from './order.ts';
export { profileInputSchema, type ProfileCreation, type ProfileInput } from './profile.ts';
export { isKnownReasonCode, reasonCodes, type ReasonCodeName } from './reason-codes.ts';
export { outputReceiptSchema, type Output, type OutputInput, type OutputReceipt } from './output.ts';
export { replyDataSchema, replyWebhookSchema } from './reply.ts';
export { resultSummarySchema, slotSchema, type ResultSummary, type Slot } from './result.ts';
export { toStrict } from './strict.ts';
export { createUnknownReader } from './violations.ts';
export { describeViolation, violations, type Violation } from './violations.ts';
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
} from './vocabulary.ts';
