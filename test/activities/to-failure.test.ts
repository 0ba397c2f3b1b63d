import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { z } from 'zod';
import { toFailure } from '../../src/worker/to-failure.ts';
import { nonRetryable } from '../../src/base/failures/application-failure.ts';
import { failureDescriptions, type FailureType } from '../../src/base/failures/failure-descriptions.ts';
import { HubSpotError, type HubSpotErrorFacts } from '../../src/hubspot/hubspot-error.ts';
import { LedgerError, type LedgerErrorReason } from '../../src/ledger/ledger-error.ts';
import { ProspectingError } from '../../src/service/client/prospecting-error.ts';
import { SpreadsheetError, temporaryFileGone } from '../../src/base/spreadsheet/spreadsheet-error.ts';

type ProspectingFacts = ConstructorParameters<typeof ProspectingError>[0];

const service = (facts: Partial<ProspectingFacts>) =>
  new ProspectingError({ kind: 'http', method: 'GET', path: '/api/v1/orders/1', ...facts });
const crm = (facts: Partial<HubSpotErrorFacts>) =>
  new HubSpotError({ kind: 'http', method: 'POST', path: '/crm/v3/objects/contacts/batch/read', ...facts });
const ledger = (reason: LedgerErrorReason) => new LedgerError(reason, `the ledger is ${reason}`);
const file = (code?: string, line?: number) =>
  new SpreadsheetError({
    path: '/data/companies.csv',
    action: 'reading',
    problem: 'it does not work',
    ...(code === undefined ? {} : { code }),
    ...(line === undefined ? {} : { line }),
  });

function thrown(throwing: () => unknown): unknown {
  try {
    return throwing();
  } catch (error) {
    return error;
  }
}

/** Messages of the ledger contain their remedy. */
function expectRemedy({ type, message }: ApplicationFailure, error: Error) {
  const { remedy } = failureDescriptions[type as FailureType];
  const expected = error instanceof LedgerError ? error.message : `${error.message}. ${remedy}`;
  expect(message).toBe(expected);
}

const day = 24 * 3_600_000;

describe('toFailure', () => {
  it.each<[string, Error, string, number?]>([
    ['an unreachable service', service({ kind: 'connection' }), 'ServiceUnreachable'],
    ['a timeout of the service', service({ kind: 'timeout' }), 'ServiceTimeout'],
    ['an unreadable response', service({ kind: 'unreadable' }), 'ServiceUnreadable'],
    ['status 408', service({ status: 408 }), 'ServiceFault'],
    ['429', service({ status: 429, code: 'RATE_LIMITED' }), 'RATE_LIMITED'],
    ['429 with Retry-After', service({ status: 429, retryAfterSeconds: 12 }), 'RATE_LIMITED', 12_000],
    ['429 with Retry-After 0, which is ignored', service({ status: 429, retryAfterSeconds: 0 }), 'RATE_LIMITED'],
    ['429 with Retry-After of years', service({ status: 429, retryAfterSeconds: 1e12 }), 'RATE_LIMITED', day],
    [
      'an exhausted quota that names a time',
      service({ status: 429, code: 'DAILY_QUOTA_EXCEEDED', retryAfterSeconds: 60 }),
      'RATE_LIMITED',
      60_000,
    ],
    [
      'an idempotency key that is in use',
      service({ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' }),
      'IDEMPOTENCY_KEY_IN_USE',
    ],
    [
      'results that are not ready yet',
      service({ status: 409, code: 'ORDER_RESULTS_NOT_READY' }),
      'ORDER_RESULTS_NOT_READY',
    ],
    ['a file that is not ready yet', service({ status: 409, code: 'EXPORT_NOT_READY' }), 'EXPORT_NOT_READY'],
    ['500', service({ status: 500 }), 'ServiceFault'],
    ['502', service({ status: 502 }), 'ServiceFault'],
    ['503 with Retry-After', service({ status: 503, retryAfterSeconds: 3 }), 'ServiceFault', 3_000],
    ['504', service({ status: 504 }), 'ServiceFault'],
    [
      'a timeout of a request without a key, whose retry must read first',
      service({ kind: 'timeout', method: 'POST', path: '/api/v1/blacklists' }),
      'ServiceTimeout',
      60_000,
    ],
    [
      '504 of a request without a key',
      service({ status: 504, method: 'POST', path: '/proxy/api/v1/blacklists/1/entries' }),
      'ServiceFault',
      60_000,
    ],
    ['504 of a request with a key', service({ status: 504, method: 'POST', path: '/api/v1/orders' }), 'ServiceFault'],
    ['an unreachable HubSpot', crm({ kind: 'connection', code: 'ECONNRESET' }), 'HubSpotUnreachable'],
    ['a timeout of HubSpot', crm({ kind: 'timeout' }), 'HubSpotTimeout'],
    ['a response of HubSpot that is not JSON', crm({ kind: 'answer', code: 'UNREADABLE_ANSWER' }), 'HubSpotFault'],
    ['an unsorted page of HubSpot', crm({ kind: 'answer', code: 'PAGE_OUT_OF_ORDER' }), 'HubSpotFault'],
    ['423 of HubSpot', crm({ status: 423, retryAfterSeconds: 2 }), 'HubSpotFault', 2_000],
    [
      '429 of HubSpot with Retry-After',
      crm({ status: 429, policyName: 'SECONDLY', retryAfterSeconds: 0.5 }),
      'HubSpotLimit',
      500,
    ],
    ['429 of HubSpot for the daily limit', crm({ status: 429, policyName: 'DAILY' }), 'HubSpotLimit', 1_800_000],
    [
      '429 of HubSpot for the daily limit, with Retry-After',
      crm({ status: 429, policyName: 'DAILY', retryAfterSeconds: 60 }),
      'HubSpotLimit',
      60_000,
    ],
    ['477 of HubSpot', crm({ status: 477 }), 'HubSpotFault'],
    [
      'a request held back because the daily limit is used up',
      crm({ kind: 'postponed', policyName: 'DAILY', retryAfterSeconds: 3_600 }),
      'HubSpotLimit',
      3_600_000,
    ],
    ['524 of HubSpot', crm({ status: 524 }), 'HubSpotFault'],
    ['502 of HubSpot', crm({ status: 502 }), 'HubSpotFault'],
    ['a locked ledger', ledger('locked'), 'LedgerLocked'],
    ['a full disk under the ledger', ledger('full'), 'DiskFull'],
    ['an unreachable database', ledger('unreachable'), 'LedgerUnreachable'],
    ['a full disk under a file', file('ENOSPC'), 'DiskFull'],
    ['too many open files', file('EMFILE'), 'FileBusy'],
    ['a file that another machine has deleted', file('ESTALE'), 'FileBusy'],
    ['a temporary file that was deleted', file(temporaryFileGone), 'FileBusy'],
  ])('returns a retryable failure for %s', (_, error, type, ...[delay]) => {
    const failure = toFailure(error) as ApplicationFailure;
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect({ type: failure.type, nonRetryable: failure.nonRetryable }).toEqual({ type, nonRetryable: false });
    expect(failure.nextRetryDelay).toBe(delay);
    expectRemedy(failure, error);
  });

  it.each<[string, Error, string]>([
    ['a request that breaks a rule', service({ kind: 'request', detail: 'name: too long' }), 'RequestRefused'],
    ['an answer that breaks the contract', service({ kind: 'contract' }), 'ServiceContract'],
    ['a redirect', service({ kind: 'redirect' }), 'ServiceRedirect'],
    ['400', service({ status: 400 }), 'ServiceRefused'],
    ['401', service({ status: 401, code: 'UNAUTHORIZED' }), 'UNAUTHORIZED'],
    ['401 without a code', service({ status: 401 }), 'UNAUTHORIZED'],
    ['an unknown code', service({ status: 409, code: 'ORDER_RESULTS_WITHDRAWN' }), 'ServiceConflict'],
    ['402', service({ status: 402, code: 'CREDITS_USED_UP' }), 'ServiceQuota'],
    ['a quota of any status', service({ status: 400, code: 'MONTHLY_QUOTA_EXCEEDED' }), 'ServiceQuota'],
    ['429 of a quota without a time', service({ status: 429, code: 'QUOTA_EXCEEDED' }), 'ServiceQuota'],
    ['a rate limit code with another status', service({ status: 400, code: 'RATE_LIMITED' }), 'ServiceRefused'],
    ['an unknown code of 403', service({ status: 403, code: 'PLAN_TOO_SMALL' }), 'ServiceForbidden'],
    ['an unknown code of 404', service({ status: 404, code: 'NO_SUCH_SEARCH' }), 'ServiceNotFound'],
    ['403', service({ status: 403, code: 'AUTHORIZATION_ERROR' }), 'AUTHORIZATION_ERROR'],
    ['404', service({ status: 404, code: 'ORDER_NOT_FOUND' }), 'ORDER_NOT_FOUND'],
    ['409', service({ status: 409, code: 'IDEMPOTENCY_KEY_CONFLICT' }), 'IDEMPOTENCY_KEY_CONFLICT'],
    ['422', service({ status: 422 }), 'ServiceRefused'],
    ['501', service({ status: 501, code: 'SANDBOX_NOT_BUILT' }), 'ServiceNotImplemented'],
    ['an invalid HubSpot token', crm({ status: 401, category: 'INVALID_AUTHENTICATION' }), 'HubSpotUnauthorized'],
    [
      'a missing scope that HubSpot names as a category',
      crm({ status: 403, category: 'MISSING_SCOPES' }),
      'MISSING_SCOPES',
    ],
    ['another 403 of HubSpot', crm({ status: 403 }), 'HubSpotForbidden'],
    ['a missing scope of HubSpot', crm({ status: 403, code: 'MISSING_SCOPES' }), 'MISSING_SCOPES'],
    ['400 of HubSpot', crm({ status: 400, code: 'NON_UNIQUE_ID_PROPERTY' }), 'HubSpotRefused'],
    ['501 of HubSpot', crm({ status: 501 }), 'HubSpotRefused'],
    [
      'a property that exists without unique values',
      crm({ kind: 'answer', code: 'PROPERTY_NOT_UNIQUE', property: 'prospect_sync_company_key' }),
      'PROPERTY_NOT_UNIQUE',
    ],
    [
      'another portal than expected',
      crm({ kind: 'answer', code: 'WRONG_PORTAL', portal: { expected: '8', found: '7' } }),
      'WRONG_PORTAL',
    ],
    [
      'a portal of another type than expected',
      crm({ kind: 'answer', code: 'WRONG_PORTAL_TYPE', portal: { expected: 'SANDBOX', found: 'STANDARD' } }),
      'WRONG_PORTAL_TYPE',
    ],
    ['a database that refuses the password', ledger('refused'), 'LedgerRefused'],
    ['a damaged ledger', ledger('damaged'), 'LedgerDamaged'],
    ['a newer ledger', ledger('newer'), 'LedgerNewer'],
    ['a published set that changed', ledger('changed'), 'ResultsChanged'],
    ['an order that is not in the ledger', ledger('unknown'), 'OrderNotCollected'],
    ['a refused statement', ledger('failed'), 'LedgerFailed'],
    ['a missing file', file('ENOENT'), 'FileFailed'],
    ['a forbidden file', file('EACCES'), 'FileFailed'],
    ['an invalid line', file(undefined, 7), 'FileFailed'],
    ['an empty file', file(), 'FileFailed'],
  ])('returns a non-retryable failure for %s', (_, error, type) => {
    const failure = toFailure(error) as ApplicationFailure;
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect({ type: failure.type, nonRetryable: failure.nonRetryable }).toEqual({ type, nonRetryable: true });
    expectRemedy(failure, error);
  });

  it.each<[string, unknown]>([
    ['the client of the service', service({ kind: 'cancelled' })],
    ['the client of HubSpot', crm({ kind: 'cancelled' })],
    ['a signal', AbortSignal.abort().reason],
  ])('recognises a cancellation from %s', (_, error) => {
    expect(toFailure(error)).toBeInstanceOf(CancelledFailure);
  });

  it('returns failures of Temporal unchanged', () => {
    const failure = nonRetryable('NoCompanies', 'nobody');
    expect(toFailure(failure)).toBe(failure);
  });

  it.each<[string, unknown, boolean, string]>([
    ['an error', new Error('Geheim'), false, 'unexpected Error'],
    ['a programming error', new TypeError("Cannot read properties of 'Geheim'"), true, 'unexpected TypeError'],
    ['an index out of range', new RangeError('Geheim'), true, 'unexpected RangeError'],
    ['invalid JSON', thrown(() => JSON.parse('Geheim')), true, 'unexpected SyntaxError'],
    ['a value against its schema', thrown(() => z.literal('a').parse('Geheim')), true, 'unexpected ZodError'],
    ['a schema error that was not thrown', z.literal('a').safeParse('Geheim').error, true, 'unexpected ZodError'],
    ['a string', 'Geheim', false, 'unexpected string'],
  ])('shows only the name of %s when it is unexpected', (_, error, nonRetryable, message) => {
    const failure = toFailure(error) as ApplicationFailure;
    expect(failure).toMatchObject({ type: 'Unexpected', nonRetryable });
    expect(failure.message).toMatch(new RegExp(`^${message}\\. Check the log`));
  });

  it('contains no cause, because a cause could contain a response body', () => {
    const cause = new SyntaxError('Unexpected token G in Geheim');
    for (const error of [service({ kind: 'connection', cause }), new Error('Geheim', { cause })]) {
      const failure = toFailure(error) as ApplicationFailure;
      expect(failure.cause).toBeUndefined();
      expect(JSON.stringify([failure.message, failure.type, failure.details])).not.toContain('Geheim');
    }
  });
});
