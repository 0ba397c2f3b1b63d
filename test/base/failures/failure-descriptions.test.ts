import { ApplicationFailure } from '@temporalio/common';
import { nonRetryable } from '../../../src/base/failures/application-failure.ts';
import { failureDescriptions, isFailureType } from '../../../src/base/failures/failure-descriptions.ts';

describe('failureDescriptions', () => {
  it('have names that fit the search attribute and a filter', () => {
    for (const type of Object.keys(failureDescriptions)) expect(type).toMatch(/^[A-Za-z_]{4,40}$/);
    expect(isFailureType('OrderRejected')).toBe(true);
    expect(isFailureType('toString')).toBe(false);
  });

  it.each(Object.entries(failureDescriptions))('describe %s and its remedy in full sentences', (_, description) => {
    for (const text of Object.values(description)) expect(text).toMatch(/^[A-Z][^]*\.$/);
  });
});

describe('nonRetryable', () => {
  it('contains what happened and what to do, and is not retried', () => {
    const failure = nonRetryable('OrderNotCollected', 'order 1 is not in the ledger');
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({
      type: 'OrderNotCollected',
      nonRetryable: true,
      message: 'order 1 is not in the ledger. Run `prospect-sync ingest ORDER` first.',
    });
  });
});
