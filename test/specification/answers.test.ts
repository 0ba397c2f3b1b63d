import { classifyAnswer } from '../../sandbox/webhooks/delivery-outcome.ts';
import { nextAttemptAt } from '../../sandbox/webhooks/retry-schedule.ts';
import { parseSecret, sign, verify } from '../../src/webhook/webhook-signature.ts';

const outcomeOf = (status: number, text = '') => classifyAnswer({ kind: 'answer', status, text }).outcome;
const statuses = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, place) => from + place);
const outcomesOf = (list: readonly number[]) => [...new Set(list.map((status) => outcomeOf(status)))];

const minute = 60_000;
const hour = 60 * minute;

/** The waits of a delivery that is never taken, in minutes. */
function waitsOf(retryAfter: string | null) {
  const waits: number[] = [];
  let now = 0;
  for (let attempts = 1; attempts < 100; attempts += 1) {
    const next = nextAttemptAt({ attempts, firstAttemptAt: 0, now, retryAfter });
    if (next === null) break;
    waits.push((next - now) / minute);
    now = next;
  }
  return { waits, hours: now / hour };
}

describe('Receiver answers and retries', () => {
  it('2xx: is delivered, whichever it is', () => {
    expect(outcomesOf(statuses(200, 299))).toEqual(['delivered']);
  });

  const retried = '408, 429, 5xx, no answer within 15 seconds, address unreachable';

  it(`${retried}: is retried`, () => {
    expect(outcomesOf([408, 429, ...statuses(500, 599)])).toEqual(['retry']);
    for (const error of ['timeout', 'dns', 'connect', 'reset'] as const)
      expect(classifyAnswer({ kind: 'error', error }).outcome).toBe('retry');
  });

  it(`${retried}: after about a minute, the wait doubling up to 4 hours, for about 12 hours, then it fails`, () => {
    const { waits, hours } = waitsOf(null);
    const [first = 0] = waits;
    expect(first).toBeGreaterThan(0.5);
    expect(first).toBeLessThan(2);
    const doubled = waits.map((_, place) => Math.min(first * 2 ** place, 240));
    expect(waits).toEqual(doubled);
    expect(Math.max(...waits)).toBe(240);
    expect(hours).toBeGreaterThanOrEqual(11);
    expect(hours).toBeLessThanOrEqual(13);
  });

  it(`${retried}: a Retry-After header sets a longer wait, never a shorter one`, () => {
    const next = (attempts: number, retryAfter: string) =>
      (nextAttemptAt({ attempts, firstAttemptAt: 0, now: 10 * minute, retryAfter }) ?? 0) / minute - 10;
    expect(next(1, '600')).toBe(10);
    expect(next(1, new Date(40 * minute).toUTCString())).toBe(30);
    expect(next(4, '1')).toBe(8);
    expect(next(4, 'soon')).toBe(8);
  });

  it('3xx: fails at once', () => {
    expect(outcomesOf(statuses(300, 399))).toEqual(['failed']);
  });

  it('401, 403: fails at once, and says that the receiver wants a key', () => {
    for (const status of [401, 403])
      expect(classifyAnswer({ kind: 'answer', status, text: '' })).toEqual({
        outcome: 'failed',
        reason: 'receiver_wants_key',
      });
  });

  it('404: fails at once', () => {
    expect(outcomeOf(404)).toBe('failed');
  });

  it('410: fails and pauses the address; nothing else pauses it', () => {
    expect(outcomeOf(410)).toBe('failed_and_pause');
    const others = statuses(100, 599).filter((status) => status !== 410);
    expect(outcomesOf(others)).not.toContain('failed_and_pause');
  });

  it('400 with a queue-is-full message from a workflow-automation tool: fails at once, with that reason', () => {
    expect(classifyAnswer({ kind: 'answer', status: 400, text: 'Queue is full.' })).toEqual({
      outcome: 'failed',
      reason: 'receiver_queue_full',
    });
    expect(outcomeOf(400, 'Bad request')).toBe('failed');
  });

  it('any other 4xx: fails at once', () => {
    const named = [401, 403, 404, 408, 410, 429];
    expect(outcomesOf(statuses(400, 499).filter((status) => !named.includes(status)))).toEqual(['failed']);
  });

  it('invalid certificate: fails at once', () => {
    expect(classifyAnswer({ kind: 'error', error: 'certificate' }).outcome).toBe('failed');
  });
});

describe('Limits', () => {
  it('webhook retry: waits 1 minute, doubles up to 4 hours, and gives up after about 12 hours', () => {
    const { waits, hours } = waitsOf(null);
    expect(waits.slice(0, 4)).toEqual([1, 2, 4, 8]);
    expect(waits.at(-1)).toBe(240);
    expect(Math.round(hours)).toBe(12);
  });

  it('webhook timestamp tolerance: takes 5 minutes on either side, refuses a second more', () => {
    const timestampSeconds = Date.parse('2026-11-20T12:00:00Z') / 1_000;
    const secrets = [parseSecret(`whsec_${Buffer.alloc(24, 7).toString('base64')}`)];
    const body = Buffer.from('{}');
    const headers = new Headers({
      'webhook-id': 'delivery-1',
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': sign({ id: 'delivery-1', timestampSeconds, body, secrets }),
    });
    const at = (seconds: number) => verify({ headers, body, secrets, nowSeconds: timestampSeconds + seconds }).ok;
    expect([-301, -300, 0, 300, 301].map(at)).toEqual([false, true, true, true, false]);
  });
});
