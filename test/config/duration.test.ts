import { durationBetween, durationSchema, toDurationText, toMilliseconds } from '../../src/config/duration.ts';

describe('toMilliseconds', () => {
  it.each([
    ['500ms', 500],
    ['2s', 2_000],
    ['1.5h', 5_400_000],
    ['10m', 600_000],
    ['2d', 172_800_000],
  ])('reads %s', (text, milliseconds) => expect(toMilliseconds(text)).toBe(milliseconds));

  it.each(['5', '', 's', '-1s', '1 s', '1w', '1e3s', '9999999999s'])('returns null for %j', (text) =>
    expect(toMilliseconds(text)).toBeNull(),
  );
});

describe('durationSchema', () => {
  it('accepts 1ms to 24h', () => {
    expect(durationSchema.parse('1ms')).toBe(1);
    expect(durationSchema.parse('24h')).toBe(86_400_000);
    expect(durationSchema.safeParse('0s').success).toBe(false);
    expect(durationSchema.safeParse('24.001h').success).toBe(false);
  });
});

describe('durationBetween', () => {
  it('accepts durations between its limits, and names the limits otherwise', () => {
    const schema = durationBetween('10s', '7d');
    expect([schema.parse('10s'), schema.parse('7d')]).toEqual([10_000, 604_800_000]);
    expect(schema.safeParse('9s').error?.issues[0]?.message).toBe('must lie between 10s and 7d');
    expect(schema.safeParse('7.001d').success).toBe(false);
    const rule = (limits: readonly [string, string]) =>
      durationBetween(...limits).safeParse(null).error?.issues[0]?.message;
    expect(rule(['0s', '365d'])).toBe('must be a duration such as 2s, 10m, 1h or 7d');
    expect(rule(['1ms', '24h'])).toBe('must be a duration such as 500ms, 2s, 10m or 1h');
    expect(rule(['1s', '10m'])).toBe('must be a duration such as 2s or 10m');
  });
});

describe('a number without its unit', () => {
  it.each([
    [7, '0s', '365d', 'must be a duration such as 2s, 10m, 1h or 7d; write 7d'],
    ['7', '0s', '365d', 'must be a duration such as 2s, 10m, 1h or 7d; write 7d'],
    [0.5, '1s', '366d', 'must be a duration such as 2s, 10m, 1h or 7d; write 0.5d'],
    [30, '1ms', '24h', 'must be a duration such as 500ms, 2s, 10m or 1h; write 30s or 30m'],
    [7, '1ms', '24h', 'must be a duration such as 500ms, 2s, 10m or 1h; write 7s, 7m or 7h'],
    [400, '0s', '365d', 'must be a duration such as 2s, 10m, 1h or 7d'],
    ['seven', '0s', '365d', 'must be a duration such as 2s, 10m, 1h or 7d'],
  ] as const)(
    'is refused with what to write instead, which is accepted: %j from %s to %s',
    (input, shortest, longest, expected) => {
      const schema = durationBetween(shortest, longest);
      const rule = schema.safeParse(input).error?.issues[0]?.message ?? '';
      expect(rule).toBe(expected);
      const written = rule.split('; write ')[1]?.split(/, | or /) ?? [];
      for (const text of written) expect(schema.safeParse(text).success).toBe(true);
    },
  );
});

describe('toDurationText', () => {
  it.each(['0s', '1ms', '10s', '90m', '7d', '25h'])('formats %s', (text) =>
    expect(toDurationText(toMilliseconds(text) ?? -1)).toBe(text),
  );
});
