import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { convertFailures } from '../../src/worker/to-failure.ts';
import { boundResults, largestResult } from '../../activities/result-size-limit.ts';
import { heartbeat } from '../../activities/activity-heartbeat.ts';
import { nonRetryable } from '../../src/base/failures/application-failure.ts';
import { failure } from './activity-harness.ts';

const logger = new DefaultLogger('ERROR', () => undefined);

/** Runs an activity like a worker. */
function perform<T>(activity: () => Promise<T>) {
  const interceptors = [() => ({ inbound: convertFailures }), () => ({ inbound: boundResults })];
  const environment = new MockActivityEnvironment({ activityType: 'findNames' }, { interceptors, logger });
  const beats: unknown[] = [];
  environment.on('heartbeat', (details: unknown) => beats.push(details));
  return { outcome: environment.run(activity), beats };
}

describe('boundResults', () => {
  it('returns a result that Temporal accepts, and an undefined one', async () => {
    const names = ['ä'.repeat(largestResult / 2 - 4)];
    expect(await perform(() => Promise.resolve(names)).outcome).toBe(names);
    expect(await perform(() => Promise.resolve(undefined)).outcome).toBeUndefined();
  });

  it('fails without retry when the result is too large, and names the activity', async () => {
    const { outcome } = perform(() => Promise.resolve({ ['A'.repeat(3_000_000)]: 1 }));
    const { type, nonRetryable, message } = await failure(outcome);
    expect({ type, nonRetryable }).toEqual({ type: 'ResultTooLarge', nonRetryable: true });
    expect(message).toMatch(/^findNames returned 3,000,006 bytes, and at most 524,288 enter Temporal\. Report /);
  });
});

describe('convertFailures', () => {
  it('shortens a long message in the middle', async () => {
    const tooLong = nonRetryable('FileRefused', 'A'.repeat(3_000_000));
    const { outcome } = perform(() => Promise.reject(tooLong));
    const { type, message, stack = '', ...failed } = await failure(outcome);
    expect({ type, isFinal: failed.nonRetryable }).toEqual({ type: 'FileRefused', isFinal: true });
    expect(message).toMatch(
      /^A+ … A+\. Correct the source or its settings, then repeat the command or start the run again\.$/,
    );
    expect(message.length).toBeLessThanOrEqual(10_003);
    expect(stack.length).toBeLessThan(20_000);
  });

  it('keeps the retry delay of a failure', async () => {
    const facts = { type: 'OrderNotPublished', message: 'A'.repeat(20_000), nextRetryDelay: 5_000 };
    const { outcome } = perform(() => Promise.reject(ApplicationFailure.create(facts)));
    expect(await failure(outcome)).toMatchObject({
      type: 'OrderNotPublished',
      nextRetryDelay: 5_000,
      nonRetryable: false,
    });
  });
});

describe('beat', () => {
  it('repeats the last accepted details instead of larger ones', async () => {
    const { outcome, beats } = perform(async () => {
      heartbeat({ next: 1 });
      heartbeat({ next: 2, names: 'A'.repeat(3_000_000) });
      heartbeat({ next: 3 });
    });
    await outcome;
    expect(beats).toEqual([{ next: 1 }, { next: 1 }, { next: 3 }]);
  });
});
