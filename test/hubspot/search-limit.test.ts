import { createSearchLimit } from '../../src/hubspot/account-limits.ts';

/** The times of searches in 20 seconds when a caller asks this often whether it may send one. */
function sentWhenAskedEvery(milliseconds: number, perSecond: number, refusals: number): number[] {
  const limit = createSearchLimit(perSecond);
  const sent: number[] = [];
  for (let refusal = 0; refusal < refusals; refusal += 1) limit.refused(0);
  for (let now = 0; now < 20_000; now += milliseconds) {
    if (limit.waitMs(now) > 0) continue;
    limit.finish(limit.start(now), now + 50);
    sent.push(now);
  }
  return sent;
}

describe('createSearchLimit', () => {
  it.each([
    ['a limit that is set low', 0.1, 0, 10_000],
    ['a limit that refusals have slowed', 4, 5, 2_000],
  ])('keeps %s however often callers ask', (_, perSecond, refusals, gap) => {
    const sent = sentWhenAskedEvery(100, perSecond, refusals);
    expect(sent.length).toBeGreaterThan(1);
    const gaps = sent.slice(1).map((at, index) => at - (sent[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(gap);
  });
});
