/**
 * Converts errors to Temporal failures: decides whether and when an activity is retried, and what the history contains. Messages have
 * methods, paths, statuses, codes and field names, never values.
 */
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { pausingStatuses } from '../hubspot/account-limits.ts';
import { ApplicationFailure, ApplicationFailureCategory, CancelledFailure, TemporalFailure } from '@temporalio/common';
import { nonRetryable, withRemedy } from '../base/failures/application-failure.ts';
import { errorCodes, type ErrorCode } from '../service/contract/index.ts';
import { hubspotFailures } from '../base/failures/hubspot-failures.ts';
import { isFailureType, type FailureType } from '../base/failures/failure-descriptions.ts';
import { ledgerTypes } from '../base/failures/infrastructure-failures.ts';
import { SqlError } from '../companies/sources/sql/sql-error.ts';
import { ItemUnsettledError } from '../hubspot/engagements.ts';
import { HubSpotError } from '../hubspot/hubspot-error.ts';
import { LedgerError, type LedgerErrorReason } from '../ledger/ledger-error.ts';
import { toPrintable, toPrintableLines } from '../base/text/printable-text.ts';
import { ProspectingError } from '../service/client/prospecting-error.ts';
import { overLimit, SpreadsheetError, temporaryFileGone } from '../base/spreadsheet/spreadsheet-error.ts';

/** Between attempts while the daily limit is exceeded. */
const dailyLimitDelaySeconds = 30 * 60;

/** How long the service may still carry out a request without a key that it did not answer in time. Its retry reads first. */
const settleSeconds = 60;

/** Longest wait that a Retry-After header may request. */
const longestDelaySeconds = 24 * 3_600;

/** Problems of the infrastructure, which may be resolved without a change here. */
const retryableReasons: readonly LedgerErrorReason[] = ['locked', 'full', 'unreachable'];

/** Temporary errors of the operating system. ESTALE: another machine has deleted the file, which is on a network file system. */
const fullDiskCodes: readonly string[] = ['ENOSPC', 'EDQUOT'];
const busyFileCodes: readonly string[] = ['EMFILE', 'ENFILE', 'EBUSY', 'EAGAIN', 'EIO', 'ESTALE', temporaryFileGone];

/** The first request of the key is still in progress, or published data is not readable everywhere yet. */
const retryableConflicts = ['IDEMPOTENCY_KEY_IN_USE', 'ORDER_RESULTS_NOT_READY', 'EXPORT_NOT_READY'];

/** Not Implemented: the only 5xx status that is not retried. */
const notImplementedStatus = 501;

/** Programming errors, which every attempt would repeat. */
const programmingErrors = ['TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', '$ZodError', 'ZodError'];

const unexpected = 'Unexpected' satisfies FailureType;

/** Converts whatever an activity throws, with a printable message. */
export const convertFailures: ActivityInboundCallsInterceptor = {
  async execute(input, next) {
    try {
      return await next(input);
    } catch (error) {
      throw boundMessage(withPrintableText(toFailure(error)));
    }
  },
};

/** Limit in UTF-16 units. Single texts are bounded where they are read; this bounds their sum. */
const longestMessage = 10_000;

/** Keeps the end, which has the remedy. */
function boundMessage(failure: unknown): unknown {
  if (!(failure instanceof ApplicationFailure) || failure.message.length <= longestMessage) return failure;
  const { message, type, nonRetryable, nextRetryDelay, category } = failure;
  const half = longestMessage / 2;
  const cut = `${message.slice(0, half)} … ${message.slice(-half)}`.toWellFormed();
  return ApplicationFailure.create({
    message: cut,
    ...(type ? { type } : {}),
    ...(nonRetryable ? { nonRetryable } : {}),
    ...(nextRetryDelay ? { nextRetryDelay } : {}),
    ...(category ? { category } : {}),
  });
}

export function toFailure(error: unknown): unknown {
  if (error instanceof TemporalFailure) return error;
  if (error instanceof ProspectingError) return fromProspecting(error);
  if (error instanceof HubSpotError) return fromHubSpot(error);
  if (error instanceof LedgerError) {
    const type = ledgerTypes[error.reason];
    // Its message contains the remedy.
    return ApplicationFailure.create({
      type,
      message: toPrintable(error.message),
      nonRetryable: !retryableReasons.includes(error.reason),
    });
  }
  if (error instanceof ItemUnsettledError)
    return ApplicationFailure.create({
      type: 'ItemUnsettled' satisfies FailureType,
      message: error.message,
      nextRetryDelay: error.waitMs,
      category: ApplicationFailureCategory.BENIGN,
    });
  if (error instanceof SpreadsheetError) return fromSpreadsheet(error);
  if (error instanceof SqlError)
    return error.reason === 'unreachable'
      ? retryable('SourceUnreachable', error.message)
      : nonRetryable('QueryRefused', error.message);
  const name = nameOf(error);
  if (name === 'AbortError') return new CancelledFailure('cancelled');
  // Unexpected errors: only the name is used, because the message may contain personal data.
  return ApplicationFailure.create({
    type: unexpected,
    message: withRemedy(unexpected, `unexpected ${name}`),
    nonRetryable: programmingErrors.includes(name),
  });
}

/** The stack repeats the message, which may contain texts of HubSpot or the service. */
function withPrintableText(failure: unknown): unknown {
  if (!(failure instanceof ApplicationFailure)) return failure;
  failure.message = toPrintable(failure.message);
  if (failure.stack !== undefined) failure.stack = toPrintableLines(failure.stack);
  return failure;
}

/** Without instanceof, because jest has its own Error class. */
function nameOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('name' in error)) return typeof error;
  return typeof error.name === 'string' ? error.name : 'object';
}

function fromSpreadsheet({ code, message }: SpreadsheetError): ApplicationFailure {
  if (code === overLimit) return nonRetryable('FileTooLarge', message);
  if (fullDiskCodes.includes(code ?? '')) return retryable('DiskFull', message);
  return busyFileCodes.includes(code ?? '') ? retryable('FileBusy', message) : nonRetryable('FileFailed', message);
}

function fromProspecting(error: ProspectingError): unknown {
  const { kind, status, code, retryAfterSeconds } = error.facts;
  if (kind === 'cancelled') return new CancelledFailure('cancelled');
  const isTemporary =
    error.isOutcomeUnknown ||
    status === 408 ||
    (status === 429 && !isExhausted(error)) ||
    (status === 409 && retryableConflicts.includes(code ?? ''));
  const isRetryable = isTemporary && status !== notImplementedStatus;
  const type = toServiceType(error, { isRetryable });
  const delaySeconds = Math.max(retryAfterSeconds ?? 0, isUnsettled(error) ? settleSeconds : 0);
  return isRetryable ? retryable(type, error.message, delaySeconds) : nonRetryable(type, error.message);
}

/** POST requests without an Idempotency-Key. */
const keylessRoute = /\/api\/v1\/blacklists(?:\/[^/]+\/entries)?$/;

function isUnsettled({ facts: { kind, method, path, status } }: ProspectingError): boolean {
  const gatewayTimeout = 504;
  return (kind === 'timeout' || status === gatewayTimeout) && method === 'POST' && keylessRoute.test(path);
}

const serviceTypes = {
  request: 'RequestRefused',
  connection: 'ServiceUnreachable',
  timeout: 'ServiceTimeout',
  redirect: 'ServiceRedirect',
  api_redirect: 'ServiceApiRedirect',
  unreadable: 'ServiceUnreadable',
  contract: 'ServiceContract',
} as const;

/** The service's code, if it is a known one. */
function toServiceType({ facts }: ProspectingError, { isRetryable }: { isRetryable: boolean }): FailureType {
  const { kind, status, code = '' } = facts;
  if (kind !== 'http' && kind !== 'cancelled') return serviceTypes[kind];
  if (isKnownCode(code) && isFailureType(code) && isOfItsFamily(code, status)) return code;
  if (status === 401) return 'UNAUTHORIZED';
  if (status === 429 && isRetryable) return 'RATE_LIMITED';
  if (isRetryable) return 'ServiceFault';
  if (status === 402 || quotaCode.test(code)) return 'ServiceQuota';
  if (status === 403) return 'ServiceForbidden';
  if (status === 404 || status === 410) return 'ServiceNotFound';
  if (status === 409) return 'ServiceConflict';
  return status !== undefined && status >= 500 ? 'ServiceNotImplemented' : 'ServiceRefused';
}

function isKnownCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}

/** A known code with a status of another family would get a remedy that does not fit, such as a promise of retries. */
function isOfItsFamily(code: ErrorCode, status = 0): boolean {
  const isRateLimit = (each: number) => each === 429;
  const specified = errorCodes[code].status;
  return Math.floor(specified / 100) === Math.floor(status / 100) && isRateLimit(specified) === isRateLimit(status);
}

/** Codes that name an allowance of the account, in words that services use. */
const quotaCode = /(?:^|_)(?:QUOTA|CREDITS?|BALANCE|PAYMENT|BILLING|SUBSCRIPTION)(?:_|$)/i;

/** 429 for an allowance that is used up: waiting helps only if the service says how long. */
function isExhausted({ facts: { code = '', retryAfterSeconds } }: ProspectingError): boolean {
  return quotaCode.test(code) && retryAfterSeconds === undefined;
}

function fromHubSpot(error: HubSpotError): unknown {
  const { kind, status, policyName, retryAfterSeconds, code } = error;
  if (kind === 'cancelled') return new CancelledFailure('cancelled');
  // An incompatible property, a wrong portal or a forbidden answer remains until a user changes something.
  const isPermanent = kind === 'answer' && /^(?:PROPERTY_|WRONG_PORTAL|ANSWER_)/.test(code ?? '');
  const type = toHubSpotFailureType(error);
  if (kind === 'http' ? isRetryableHubSpotStatus(status) : !isPermanent) {
    const delaySeconds = retryAfterSeconds ?? (policyName === 'DAILY' ? dailyLimitDelaySeconds : undefined);
    return retryable(type, error.message, delaySeconds);
  }
  return nonRetryable(type, error.message);
}

function isRetryableHubSpotStatus(status = 0): boolean {
  return (status >= 500 || [408, ...pausingStatuses].includes(status)) && status !== notImplementedStatus;
}

/** HubSpot has very many codes: those with their own remedy are types, the others are only in the message. */
function toHubSpotFailureType({ kind, status = 0, code, category }: HubSpotError): FailureType {
  if (kind === 'connection') return 'HubSpotUnreachable';
  if (kind === 'timeout') return 'HubSpotTimeout';
  if (kind === 'postponed' || status === 429) return 'HubSpotLimit';
  const known = [code, category].find((word) => word !== undefined && Object.hasOwn(hubspotFailures, word));
  if (known !== undefined && isFailureType(known)) return known;
  if (kind === 'answer' || isRetryableHubSpotStatus(status)) return 'HubSpotFault';
  if (status === 401) return 'HubSpotUnauthorized';
  return status === 403 ? 'HubSpotForbidden' : 'HubSpotRefused';
}

/** Without a delay, or with a delay of 0, the backoff of the activity applies. */
function retryable(type: FailureType, message: string, delaySeconds = 0): ApplicationFailure {
  const delayMs = Math.round(Math.min(delaySeconds, longestDelaySeconds) * 1_000);
  return ApplicationFailure.create({
    type,
    message: withRemedy(type, message),
    ...(delayMs > 0 ? { nextRetryDelay: delayMs } : {}),
  });
}
