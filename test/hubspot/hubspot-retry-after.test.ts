import { toRetryAfterSeconds } from '../../src/hubspot/hubspot-transport.ts';

describe('toRetryAfterSeconds', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const interval = { 'x-hubspot-ratelimit-interval-milliseconds': '10000' };

  it.each([
    ['seconds that HubSpot states', 429, { 'retry-after': '7' }, 'TEN_SECONDLY_ROLLING', 7],
    ['a date that HubSpot states', 429, { 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' }, undefined, 30],
    ['a date in the past', 503, { 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }, undefined, 0],
    [
      'the window of the burst limit',
      429,
      { 'x-hubspot-ratelimit-interval-milliseconds': '4000' },
      'TEN_SECONDLY_ROLLING',
      4,
    ],
    ['the burst limit without headers', 429, {}, 'TEN_SECONDLY_ROLLING', 10],
    ['an unreadable window', 429, { 'x-hubspot-ratelimit-interval-milliseconds': 'soon' }, 'TEN_SECONDLY_ROLLING', 10],
    ['the search limit', 429, {}, 'SECONDLY', 1],
    ['the daily limit, whose end is not told', 429, interval, 'DAILY', undefined],
    ['a limit without a name', 429, interval, undefined, undefined],
    ['an unreadable Retry-After', 429, { 'retry-after': 'soon' }, 'SECONDLY', 1],
    ['a Retry-After that is no date though it parses as one', 429, { 'retry-after': '-5' }, 'SECONDLY', 1],
    ['a locked record', 423, {}, undefined, 2],
    ['a locked record that asks for too little', 423, { 'retry-after': '1' }, undefined, 2],
    ['a locked record that asks for more', 423, { 'retry-after': '5' }, undefined, 5],
    ['a move to another data centre', 477, { 'retry-after': '86400' }, undefined, 86_400],
    ['a failure of the server', 502, interval, undefined, undefined],
  ])('returns the delay for %s', (_what, status, headers, policyName, expected) => {
    expect(
      toRetryAfterSeconds({ status, headers: new Headers(headers as Record<string, string>), policyName, now }),
    ).toBe(expected);
  });
});
