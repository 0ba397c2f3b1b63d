import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { z } from 'zod';
import { final, toFailure } from '../../activities/failures.ts';
import { HubSpotError, type HubSpotErrorFacts } from '../../src/hubspot/error.ts';
import { LedgerError, type LedgerErrorReason } from '../../src/ledger/error.ts';
import { ProspectingError } from '../../src/prospecting/error.ts';
import { SpreadsheetError } from '../../src/spreadsheet/error.ts';

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

const day = 24 * 3_600_000;

describe('toFailure', () => {
  it.each<[string, Error, number | undefined]>([
    ['no connection to the service', service({ kind: 'connection' }), undefined],
    ['no answer of the service in time', service({ kind: 'timeout' }), undefined],
    ['an unreadable answer', service({ kind: 'unreadable' }), undefined],
    ['408', service({ status: 408 }), undefined],
    ['429', service({ status: 429, code: 'RATE_LIMITED' }), undefined],
    ['429 with a wait', service({ status: 429, retryAfterSeconds: 12 }), 12_000],
    [
      '429 with a wait of nothing, which would be a tight loop',
      service({ status: 429, retryAfterSeconds: 0 }),
      undefined,
    ],
    ['429 with a wait of years', service({ status: 429, retryAfterSeconds: 1e12 }), day],
    ['a key that is just being used', service({ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' }), undefined],
    ['results that are not ready yet', service({ status: 409, code: 'ORDER_RESULTS_NOT_READY' }), undefined],
    ['500', service({ status: 500 }), undefined],
    ['502', service({ status: 502 }), undefined],
    ['503 with a wait', service({ status: 503, retryAfterSeconds: 3 }), 3_000],
    ['504', service({ status: 504 }), undefined],
    ['no connection to the CRM', crm({ kind: 'connection', code: 'ECONNRESET' }), undefined],
    ['no answer of the CRM in time', crm({ kind: 'timeout' }), undefined],
    ['an answer of the CRM that is not JSON', crm({ kind: 'answer', code: 'UNREADABLE_ANSWER' }), undefined],
    ['a page of the CRM out of order', crm({ kind: 'answer', code: 'PAGE_OUT_OF_ORDER' }), undefined],
    ['423 of the CRM', crm({ status: 423, retryAfterSeconds: 2 }), 2_000],
    ['429 of the CRM within a second', crm({ status: 429, policyName: 'SECONDLY', retryAfterSeconds: 0.5 }), 500],
    ['429 of the CRM for the day', crm({ status: 429, policyName: 'DAILY' }), 1_800_000],
    [
      '429 of the CRM for the day, with a wait',
      crm({ status: 429, policyName: 'DAILY', retryAfterSeconds: 60 }),
      60_000,
    ],
    ['477 of the CRM', crm({ status: 477 }), undefined],
    [
      'a call that was not sent since the day is spent',
      crm({ kind: 'held', policyName: 'DAILY', retryAfterSeconds: 3_600 }),
      3_600_000,
    ],
    ['524 of the CRM', crm({ status: 524 }), undefined],
    ['502 of the CRM', crm({ status: 502 }), undefined],
    ['a locked ledger', ledger('locked'), undefined],
    ['a full disk under the ledger', ledger('full'), undefined],
    ['a database out of reach', ledger('unreachable'), undefined],
    ['a full disk under a file', file('ENOSPC'), undefined],
    ['too many open files', file('EMFILE'), undefined],
  ])('has %s tried again', (_, error, delay) => {
    const failure = toFailure(error) as ApplicationFailure;
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure.nonRetryable).toBe(false);
    expect(failure.nextRetryDelay).toBe(delay);
    expect(failure.message).toBe(error.message);
  });

  it.each<[string, Error, string]>([
    ['a request that breaks a rule', service({ kind: 'request', detail: 'name: too long' }), 'ProspectingError'],
    ['an answer that breaks the contract', service({ kind: 'contract' }), 'ProspectingError'],
    ['400', service({ status: 400 }), 'ProspectingError'],
    ['401', service({ status: 401, code: 'UNAUTHORIZED' }), 'UNAUTHORIZED'],
    ['403', service({ status: 403, code: 'AUTHORIZATION_ERROR' }), 'AUTHORIZATION_ERROR'],
    ['404', service({ status: 404, code: 'ORDER_NOT_FOUND' }), 'ORDER_NOT_FOUND'],
    ['409', service({ status: 409, code: 'IDEMPOTENCY_KEY_CONFLICT' }), 'IDEMPOTENCY_KEY_CONFLICT'],
    ['422', service({ status: 422 }), 'ProspectingError'],
    ['501', service({ status: 501, code: 'SANDBOX_NOT_BUILT' }), 'SANDBOX_NOT_BUILT'],
    ['a wrong token of the CRM', crm({ status: 401, category: 'INVALID_AUTHENTICATION' }), 'HubSpotError'],
    ['a missing scope of the CRM', crm({ status: 403, code: 'MISSING_SCOPES' }), 'MISSING_SCOPES'],
    ['400 of the CRM', crm({ status: 400, code: 'NON_UNIQUE_ID_PROPERTY' }), 'NON_UNIQUE_ID_PROPERTY'],
    ['501 of the CRM', crm({ status: 501 }), 'HubSpotError'],
    [
      'a property of the portal that is taken',
      crm({ kind: 'answer', code: 'PROPERTY_NOT_UNIQUE', property: 'prospect_sync_company_key' }),
      'PROPERTY_NOT_UNIQUE',
    ],
    [
      'another portal than was meant',
      crm({ kind: 'answer', code: 'WRONG_PORTAL', portal: { expected: '8', found: '7' } }),
      'WRONG_PORTAL',
    ],
    [
      'a portal of another kind',
      crm({ kind: 'answer', code: 'WRONG_PORTAL_TYPE', portal: { expected: 'SANDBOX', found: 'STANDARD' } }),
      'WRONG_PORTAL_TYPE',
    ],
    ['a database that refuses the password', ledger('refused'), 'LedgerError'],
    ['a damaged ledger', ledger('damaged'), 'LedgerError'],
    ['a newer ledger', ledger('newer'), 'LedgerError'],
    ['a published set that changed', ledger('changed'), 'LedgerError'],
    ['a row that is not there', ledger('unknown'), 'LedgerError'],
    ['a refused statement', ledger('failed'), 'LedgerError'],
    ['a missing file', file('ENOENT'), 'SpreadsheetError'],
    ['a forbidden file', file('EACCES'), 'SpreadsheetError'],
    ['a broken line', file(undefined, 7), 'SpreadsheetError'],
    ['an empty file', file(), 'SpreadsheetError'],
  ])('ends the run at %s', (_, error, type) => {
    const failure = toFailure(error) as ApplicationFailure;
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect({ type: failure.type, nonRetryable: failure.nonRetryable }).toEqual({ type, nonRetryable: true });
    expect(failure.message).toBe(error.message);
  });

  it.each<[string, unknown]>([
    ['the client of the service', service({ kind: 'cancelled' })],
    ['the client of the CRM', crm({ kind: 'cancelled' })],
    ['a signal', AbortSignal.abort().reason],
  ])('knows a cancellation told by %s', (_, error) => {
    expect(toFailure(error)).toBeInstanceOf(CancelledFailure);
  });

  it('leaves failures of Temporal as they are', () => {
    const failure = final('NoCompanies', 'nobody');
    expect(toFailure(failure)).toBe(failure);
  });

  it.each<[string, unknown, boolean, string]>([
    ['an error', new Error('Geheim'), false, 'unexpected Error'],
    ['an error of the program', new TypeError("Cannot read properties of 'Geheim'"), true, 'unexpected TypeError'],
    ['an index out of range', new RangeError('Geheim'), true, 'unexpected RangeError'],
    ['text that is no JSON', thrown(() => JSON.parse('Geheim')), true, 'unexpected SyntaxError'],
    ['a value against its schema', thrown(() => z.literal('a').parse('Geheim')), true, 'unexpected ZodError'],
    ['the same, not thrown', z.literal('a').safeParse('Geheim').error, true, 'unexpected ZodError'],
    ['a text', 'Geheim', false, 'unexpected string'],
  ])('tells nothing but the name of %s that nobody expected', (_, error, nonRetryable, message) => {
    const failure = toFailure(error) as ApplicationFailure;
    expect(failure).toMatchObject({ type: 'Unexpected', nonRetryable, message });
  });

  it('carries no cause, in which a body could stand', () => {
    const cause = new SyntaxError('Unexpected token G in Geheim');
    for (const error of [service({ kind: 'connection', cause }), new Error('Geheim', { cause })]) {
      const failure = toFailure(error) as ApplicationFailure;
      expect(failure.cause).toBeUndefined();
      expect(JSON.stringify([failure.message, failure.type, failure.details])).not.toContain('Geheim');
    }
  });
});
