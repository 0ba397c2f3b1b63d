import { toRanges } from '../../workflows/slot-ranges.ts';

describe('toRanges', () => {
  it('contains all slots without gaps, with labels that start at 1', () => {
    expect(toRanges(12_001)).toEqual([
      { from: 0, to: 5_000, label: '1 to 5,000 of 12,001' },
      { from: 5_000, to: 10_000, label: '5,001 to 10,000 of 12,001' },
      { from: 10_000, to: 12_001, label: '10,001 to 12,001 of 12,001' },
    ]);
  });

  it('is empty without slots', () => expect(toRanges(0)).toEqual([]));
});
