import { boundTally, boundWord, boundWords } from '../../../src/base/text/bound-text.ts';

describe('boundWord', () => {
  it('keeps words of up to 60 characters, and marks shortened ones', () => {
    expect(boundWord('A'.repeat(60))).toBe('A'.repeat(60));
    expect(boundWord('A'.repeat(61))).toBe(`${'A'.repeat(59)}…`);
  });

  it('never splits a character', () => {
    expect(boundWord(`${'A'.repeat(58)}😀${'B'.repeat(9)}`).isWellFormed()).toBe(true);
  });
});

describe('boundWords', () => {
  it('merges long words with the same beginning, and keeps the first 100 words', () => {
    expect(boundWords([`${'A'.repeat(70)}1`, `${'A'.repeat(70)}2`])).toEqual([`${'A'.repeat(59)}…`]);
    expect(boundWords(Array.from({ length: 300 }, (_, index) => `W${index}`))).toHaveLength(100);
  });
});

describe('boundTally', () => {
  const counts = Array.from({ length: 150 }, (_, index) => [`W${index}`, index + 2] as const);

  it('keeps known words and the 100 most frequent others, and sums the rest', () => {
    const tally = boundTally([['ENRICHED', 1], ...counts], ['ENRICHED']);
    expect(Object.keys(tally)).toHaveLength(102);
    expect(tally).toMatchObject({ ENRICHED: 1, W149: 151, W50: 52, others: (2 + 51) * 25 });
    expect(tally).not.toHaveProperty('W49');
  });

  it('adds up long words with the same beginning, and accepts names of inherited properties', () => {
    const tally = boundTally(
      [
        [`${'A'.repeat(70)}1`, 3],
        [`${'A'.repeat(70)}2`, 4],
        ['__proto__', 5],
      ],
      [],
    );
    expect(Object.entries(tally)).toEqual([
      [`${'A'.repeat(59)}…`, 7],
      ['__proto__', 5],
    ]);
  });
});
