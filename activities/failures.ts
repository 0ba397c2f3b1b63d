/**
 * The one place that turns an error into a failure of Temporal: is it tried again, when, and what stands in the history.
 * Messages hold methods, paths, statuses, codes and field names, never values.
 */
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { ApplicationFailure, CancelledFailure, TemporalFailure } from '@temporalio/common';
import { HubSpotError } from '../src/hubspot/error.ts';
import { LedgerError, type LedgerErrorReason } from '../src/ledger/error.ts';
import { ProspectingError } from '../src/prospecting/error.ts';
import { SpreadsheetError } from '../src/spreadsheet/error.ts';

/** A day's limit is gone: there is no sense in asking before it is renewed, and no harm in asking each half hour. */
const dailyLimitDelaySeconds = 30 * 60;

/** A wait that a header asks for is kept up to this: a date years ahead would park the run. */
const longestDelaySeconds = 24 * 3_600;

/** The surroundings of the ledger, which somebody or time may mend. */
const passingReasons: readonly LedgerErrorReason[] = ['locked', 'full', 'unreachable'];

/** What the operating system refuses now and may allow later; a missing file or a broken row stays so. */
const passingFileCodes: readonly string[] = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EBUSY', 'EAGAIN', 'EIO'];

/** The same request was sent before and is being answered; or what the order calls published is not readable everywhere yet. */
const passingConflicts = ['IDEMPOTENCY_KEY_IN_USE', 'ORDER_RESULTS_NOT_READY'];

/** What the other side does not know how to do, it will not know on the next attempt. */
const notBuiltStatus = 501;

/** Errors of the program itself: the next attempt would meet them again. */
const faultsOfOurs = ['TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', '$ZodError', 'ZodError'];

/** Casts whatever an activity throws. */
export const castFailures: ActivityInboundCallsInterceptor = {
  async execute(input, next) {
    try {
      return await next(input);
    } catch (error) {
      throw toFailure(error);
    }
  },
};

export function toFailure(error: unknown): unknown {
  if (error instanceof TemporalFailure) return error;
  if (error instanceof ProspectingError) return fromProspecting(error);
  if (error instanceof HubSpotError) return fromHubSpot(error);
  if (error instanceof LedgerError) {
    return passingReasons.includes(error.reason) ? retryable(error, error.name) : final(error.name, error.message);
  }
  if (error instanceof SpreadsheetError) {
    return passingFileCodes.includes(error.code ?? '')
      ? retryable(error, error.name)
      : final(error.name, error.message);
  }
  const name = nameOf(error);
  if (name === 'AbortError') return new CancelledFailure('cancelled');
  // An error of nobody's: its message could hold anything, so that only its name is told.
  return ApplicationFailure.create({
    type: 'Unexpected',
    message: `unexpected ${name}`,
    nonRetryable: faultsOfOurs.includes(name),
  });
}

/** Not by instanceof: jest's Error is another than Node's own. */
function nameOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('name' in error)) return typeof error;
  return typeof error.name === 'string' ? error.name : 'object';
}

/** A failure that no further attempt mends: the run ends with it. */
export function final(type: string, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: true });
}

function fromProspecting(error: ProspectingError): unknown {
  const { kind, status, code, retryAfterSeconds } = error.facts;
  if (kind === 'cancelled') return new CancelledFailure('cancelled');
  const mayPass =
    error.isOutcomeUnknown ||
    status === 408 ||
    status === 429 ||
    (status === 409 && passingConflicts.includes(code ?? ''));
  return mayPass && status !== notBuiltStatus
    ? retryable(error, code ?? error.name, retryAfterSeconds)
    : final(code ?? error.name, error.message);
}

function fromHubSpot(error: HubSpotError): unknown {
  const { kind, status, policyName, retryAfterSeconds, code } = error;
  if (kind === 'cancelled') return new CancelledFailure('cancelled');
  const statusMayPass =
    status !== undefined && (status >= 500 || [408, 423, 429, 477].includes(status)) && status !== notBuiltStatus;
  // A property that cannot hold what is written, or a portal that was not meant, stays so until somebody changes it.
  const isAboutPortal = kind === 'answer' && /^(?:PROPERTY_|WRONG_PORTAL)/.test(code ?? '');
  if (kind === 'http' ? statusMayPass : !isAboutPortal) {
    return retryable(
      error,
      code ?? error.name,
      retryAfterSeconds ?? (policyName === 'DAILY' ? dailyLimitDelaySeconds : undefined),
    );
  }
  return final(code ?? error.name, error.message);
}

/** Without a delay the activity's own backoff counts; so it does where "now" is asked for, which would be a tight loop. */
function retryable(error: Error, type: string, delaySeconds = 0): ApplicationFailure {
  const delayMs = Math.round(Math.min(delaySeconds, longestDelaySeconds) * 1_000);
  return ApplicationFailure.create({
    type,
    message: error.message,
    ...(delayMs > 0 ? { nextRetryDelay: delayMs } : {}),
  });
}
