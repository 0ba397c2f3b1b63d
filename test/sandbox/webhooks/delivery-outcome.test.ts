import * as fc from 'fast-check';
import { classifyAnswer } from '../../../sandbox/webhooks/delivery-outcome.ts';
import type { DeliveryError } from '../../../sandbox/state/webhook-records.ts';
import { runsOf } from '../../helpers/sample.ts';

function classify(status: number, text = '') {
  const { outcome, reason } = classifyAnswer({ kind: 'answer', status, text });
  return `${outcome}: ${reason}`;
}

describe('classifyAnswer', () => {
  // Which statuses are retried, delivered and paused is shown for all of them below.
  it.each([
    [200, 'delivered: answered'],
    [301, 'failed: redirected'],
    [400, 'failed: refused'],
    [401, 'failed: receiver_wants_key'],
    [403, 'failed: receiver_wants_key'],
    [404, 'failed: not_found'],
    [408, 'retry: receiver_timed_out'],
    [410, 'failed_and_pause: gone'],
    [429, 'retry: too_many_requests'],
    [500, 'retry: server_error'],
    [101, 'retry: no_usable_answer'],
    [0, 'retry: server_error'],
    [600, 'retry: server_error'],
    [999, 'retry: server_error'],
  ])('classifies %i as %s', (status, expected) => {
    expect(classify(status)).toBe(expected);
  });

  it.each([
    ['timeout', 'retry', 'no_answer_in_time'],
    ['dns', 'retry', 'unreachable'],
    ['connect', 'retry', 'unreachable'],
    ['reset', 'retry', 'unreachable'],
    ['protocol', 'retry', 'no_usable_answer'],
    ['certificate', 'failed', 'invalid_certificate'],
    ['private_address', 'failed', 'private_address'],
    ['invalid_address', 'failed', 'invalid_address'],
  ] satisfies [DeliveryError, string, string][])('classifies the error %s as %s', (error, outcome, reason) => {
    expect(classifyAnswer({ kind: 'error', error })).toEqual({ outcome, reason });
  });

  it.each(['Queue is full.', '{"message":"queue is full"}', 'Error: QUEUE_IS_FULL', 'The webhook queue full'])(
    'tells a full queue by its words: %s',
    (text) => {
      expect(classify(400, text)).toBe('failed: receiver_queue_full');
      expect(classify(422, text)).toBe('failed: refused');
      expect(classify(429, text)).toBe('retry: too_many_requests');
    },
  );

  it.each(['The queue is fully drained', 'full', 'queueisfull'])('does not accept other words: %s', (text) => {
    expect(classify(400, text)).toBe('failed: refused');
  });

  it('decides by the status only, retries temporary errors, and pauses for 410 only', () => {
    const retried = (status: number) => status < 200 || status >= 500 || status === 408 || status === 429;
    const property = fc.property(fc.integer({ min: 100, max: 599 }), fc.string(), (status, text) => {
      const { outcome } = classifyAnswer({ kind: 'answer', status, text });
      expect(outcome).toBe(classifyAnswer({ kind: 'answer', status, text: '' }).outcome);
      expect(outcome === 'retry').toBe(retried(status));
      expect(outcome === 'delivered').toBe(Math.floor(status / 100) === 2);
      expect(outcome === 'failed_and_pause').toBe(status === 410);
    });
    fc.assert(property, { numRuns: runsOf(1_000) });
  });
});
