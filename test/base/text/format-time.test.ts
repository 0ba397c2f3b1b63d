import { formatTime, formatDateTime, formatDuration } from '../../../src/base/text/format-time.ts';

const at = new Date('2026-11-23T09:15:59.999Z');

describe('formatDateTime and formatTime', () => {
  it('return minutes in UTC', () => {
    expect(formatDateTime(at)).toBe('2026-11-23 09:15 UTC');
    expect(formatTime(at)).toBe('09:15 UTC');
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '1 s'],
    [10, '1 s'],
    [60_000, '60 s'],
    [119_001, '2 min'],
    [8 * 60_000, '8 min'],
    [8 * 60_000 + 1, '9 min'],
    [3 * 3_600_000, '3 h'],
    [30 * 86_400_000, '30 days'],
  ])('rounds %i ms up to %s', (milliseconds, words) => expect(formatDuration(milliseconds)).toBe(words));
});
