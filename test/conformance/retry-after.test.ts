import { parseRetryAfter } from '../../conformance/probe/caller.ts';

const now = Date.UTC(2026, 10, 21, 12);

describe('parseRetryAfter', () => {
  it.each([
    ['seconds', '120', 120],
    ['no seconds', '0', 0],
    ['seconds between spaces', ' 7 ', 7],
    ['a date to come', 'Sat, 21 Nov 2026 12:00:30 GMT', 30],
    ['a date that has passed', 'Sat, 21 Nov 2026 11:59:59 GMT', 0],
    ['nothing', null, undefined],
    ['an empty text', '', undefined],
    ['a negative number', '-5', undefined],
    ['a fraction', '1.5', undefined],
    ['a word', 'soon', undefined],
    ['a date in another form', '2026-11-21T12:00:30Z', undefined],
    ['a date that does not exist', 'Sat, 41 Nov 2026 12:00:30 GMT', undefined],
  ])('reads %s', (_, header, seconds) => {
    expect(parseRetryAfter(header, now)).toBe(seconds);
  });

  it('rounds up, so that the retry is never too early', () => {
    expect(parseRetryAfter('Sat, 21 Nov 2026 12:00:30 GMT', now + 1)).toBe(30);
    expect(parseRetryAfter('Sat, 21 Nov 2026 12:00:30 GMT', now + 29_999)).toBe(1);
  });
});
