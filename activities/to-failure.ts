/**
 * The one place that turns an error into a failure of Temporal: is it tried again, when, and what stands in the history.
 * Messages hold methods, paths, statuses, codes and field names, never values.
 */
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { ApplicationFailure, CancelledFailure, TemporalFailure } from '@temporalio/common';
import { nonRetryable, withRemedy } from '../src/failures/non-retryable.ts';
import { hubspotFailures } from '../src/failures/hubspot-failures.ts';
import { isFailureType, type FailureType } from '../src/failures/failure-descriptions.ts';
import { serviceCodes } from '../src/failures/service-failures.ts';
import { ledgerTypes } from '../src/failures/infrastructure-failures.ts';
import { HubSpotError } from '../src/hubspot/hubspot-error.ts';
import { LedgerError, type LedgerErrorReason } from '../src/ledger/ledger-error.ts';
import { toPrintable, toPrintableLines } from '../src/text/printable-text.ts';
import { ProspectingError } from '../src/prospecting/prospecting-error.ts';
import { overLimit, SpreadsheetError } from '../src/spreadsheet/spreadsheet-error.ts';

/** A day's limit is gone: there is no sense in asking before it is renewed, and no harm in asking each half hour. */
const dailyLimitDelaySeconds = 30 * 60;

/** A wait that a header asks for is kept up to this: a date years ahead would park the run. */
const longestDelaySeconds = 24 * 3_600;

/** The surroundings of the ledger, which somebody or time may mend. */
const passingReasons: readonly LedgerErrorReason[] = ['locked', 'full', 'unreachable'];

/** What the operating system refuses now and may allow later; a missing file or a broken row stays so. */
const fullDiskCodes: readonly string[] = ['ENOSPC', 'EDQUOT'];
const passingFileCodes: readonly string[] = [...fullDiskCodes, 'EMFILE', 'ENFILE', 'EBUSY', 'EAGAIN', 'EIO'];

/** The same request was sent before and is being answered; or what is published or complete is not readable everywhere yet. */
const passingConflicts = ['IDEMPOTENCY_KEY_IN_USE', 'ORDER_RESULTS_NOT_READY', 'EXPORT_NOT_READY'];

/** What the other side does not know how to do, it will not know on the next attempt. */
const notBuiltStatus = 501;

/** Errors of the program itself: the next attempt would meet them again. */
const faultsOfOurs = ['TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', '$ZodError', 'ZodError'];

const unexpected = 'Unexpected' satisfies FailureType;

/** Casts whatever an activity throws; what it says is printable in every case. */
export const convertFailures: ActivityInboundCallsInterceptor = {
  async execute(input, next) {
    try {
      return await next(input);
    } catch (error) {
      throw boundMessage(withPrintableText(toFailure(error)));
    }
  },
};

/** In UTF-16 units; texts of others are bounded where they are read, this is for what they add up to. */
const longestMessage = 10_000;

/** The end stays, which says what to do. */
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
      nonRetryable: !passingReasons.includes(error.reason),
    });
  }
  if (error instanceof SpreadsheetError) return fromSpreadsheet(error);
  const name = nameOf(error);
  if (name === 'AbortError') return new CancelledFailure('cancelled');
  // An error of nobody's: its message could hold anything, so that only its name is told.
  return ApplicationFailure.create({
    type: unexpected,
    message: withRemedy(unexpected, `unexpected ${name}`),
    nonRetryable: faultsOfOurs.includes(name),
  });
}

/** Statuses and names of others may stand in messages, which the stack repeats. */
function withPrintableText(failure: unknown): unknown {
  if (!(failure instanceof ApplicationFailure)) return failure;
  failure.message = toPrintable(failure.message);
  if (failure.stack !== undefined) failure.stack = toPrintableLines(failure.stack);
  return failure;
}

/** Not by instanceof: jest's Error is another than Node's own. */
function nameOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('name' in error)) return typeof error;
  return typeof error.name === 'string' ? error.name : 'object';
}

function fromSpreadsheet({ code, message }: SpreadsheetError): ApplicationFailure {
  if (code === overLimit) return nonRetryable('FileTooLarge', message);
  if (!passingFileCodes.includes(code ?? '')) return nonRetryable('FileFailed', message);
  return retryable(fullDiskCodes.includes(code ?? '') ? 'DiskFull' : 'FileBusy', message);
}

function fromProspecting(error: ProspectingError): unknown {
  const { kind, status, code, retryAfterSeconds } = error.facts;
  if (kind === 'cancelled') return new CancelledFailure('cancelled');
  const passes =
    error.isOutcomeUnknown ||
    status === 408 ||
    status === 429 ||
    (status === 409 && passingConflicts.includes(code ?? ''));
  const mayPass = passes && status !== notBuiltStatus;
  const type = toServiceType(error, { mayPass });
  return mayPass ? retryable(type, error.message, retryAfterSeconds) : nonRetryable(type, error.message);
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

/** The service's own code where it is a known one. */
function toServiceType({ facts }: ProspectingError, { mayPass }: { mayPass: boolean }): FailureType {
  const { kind, status, code = '' } = facts;
  if (kind !== 'http' && kind !== 'cancelled') return serviceTypes[kind];
  if (Object.hasOwn(serviceCodes, code) && isFailureType(code)) return code;
  if (status === 401) return 'UNAUTHORIZED';
  if (status === 429) return 'RATE_LIMITED';
  return mayPass ? 'ServiceFault' : 'ServiceRefused';
}

function fromHubSpot(error: HubSpotError): unknown {
  const { kind, status, policyName, retryAfterSeconds, code } = error;
  if (kind === 'cancelled') return new CancelledFailure('cancelled');
  // A property that cannot hold what is written, a portal that was not meant, or an answer that must not be read stays so
  // until somebody changes it.
  const isLasting = kind === 'answer' && /^(?:PROPERTY_|WRONG_PORTAL|ANSWER_)/.test(code ?? '');
  const type = toHubSpotType(error);
  if (kind === 'http' ? hubspotMayPass(status) : !isLasting) {
    const delaySeconds = retryAfterSeconds ?? (policyName === 'DAILY' ? dailyLimitDelaySeconds : undefined);
    return retryable(type, error.message, delaySeconds);
  }
  return nonRetryable(type, error.message);
}

function hubspotMayPass(status = 0): boolean {
  return (status >= 500 || [408, 423, 429, 477].includes(status)) && status !== notBuiltStatus;
}

/** HubSpot's codes are without number: those that have a remedy of their own are types, the others stand in the message. */
function toHubSpotType({ kind, status = 0, code, category }: HubSpotError): FailureType {
  if (kind === 'connection') return 'HubSpotUnreachable';
  if (kind === 'timeout') return 'HubSpotTimeout';
  if (kind === 'held' || status === 429) return 'HubSpotLimit';
  const known = [code, category].find((word) => word !== undefined && Object.hasOwn(hubspotFailures, word));
  if (known !== undefined && isFailureType(known)) return known;
  if (kind === 'answer' || hubspotMayPass(status)) return 'HubSpotFault';
  if (status === 401) return 'HubSpotUnauthorized';
  return status === 403 ? 'HubSpotForbidden' : 'HubSpotRefused';
}

/** Without a delay the activity's own backoff counts; so it does where "now" is asked for, which would be a tight loop. */
function retryable(type: FailureType, message: string, delaySeconds = 0): ApplicationFailure {
  const delayMs = Math.round(Math.min(delaySeconds, longestDelaySeconds) * 1_000);
  return ApplicationFailure.create({
    type,
    message: withRemedy(type, message),
    ...(delayMs > 0 ? { nextRetryDelay: delayMs } : {}),
  });
}
