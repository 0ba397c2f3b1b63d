import { durationSchema, toMilliseconds } from '../../src/config/duration.ts';

describe('toMilliseconds', () => {
  it.each([
    ['500ms', 500],
    ['2s', 2_000],
    ['1.5h', 5_400_000],
    ['10m', 600_000],
  ])('reads %s', (text, milliseconds) => expect(toMilliseconds(text)).toBe(milliseconds));

  it.each(['5', '', 's', '-1s', '1 s', '1d', '1e3s', '9999999999s'])('has no number for %j', (text) =>
    expect(toMilliseconds(text)).toBeNull(),
  );
});

describe('durationSchema', () => {
  it('takes 1ms to 24h', () => {
    expect(durationSchema.parse('1ms')).toBe(1);
    expect(durationSchema.parse('24h')).toBe(86_400_000);
    expect(durationSchema.safeParse('0s').success).toBe(false);
    expect(durationSchema.safeParse('24.001h').success).toBe(false);
  });
});
