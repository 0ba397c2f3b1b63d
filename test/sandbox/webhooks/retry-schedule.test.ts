import * as fc from 'fast-check';
import { nextAttemptAt } from '../../../sandbox/webhooks/retry-schedule.ts';
import { runsOf } from '../../helpers/sample.ts';

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse('2026-11-23T08:00:00.000Z');

/** Times of the attempts, when attempt n is answered with `answers(n)` at once. */
function attemptTimes(answers: (attempt: number) => string | null): number[] {
  const made = [start];
  for (;;) {
    const now = made.at(-1) ?? start;
    const retryAfter = answers(made.length);
    const next = nextAttemptAt({ attempts: made.length, firstAttemptAt: start, now, retryAfter });
    if (next === null) return made;
    made.push(next);
    if (made.length > 1_000) throw new Error('does not end');
  }
}

function attemptMinutes(answers: (attempt: number) => string | null = () => null): number[] {
  return attemptTimes(answers).map((at) => (at - start) / minute);
}

function waitsOf(times: readonly number[]): number[] {
  return times.slice(1).map((at, index) => at - (times[index] ?? 0));
}

const schedule = [0, 1, 3, 7, 15, 31, 63, 127, 255, 495, 735];

/** The second attempt's time in minutes, after one answer with this header. */
function second(retryAfter: string | null): number {
  return attemptMinutes((attempt) => (attempt === 1 ? retryAfter : null))[1] ?? NaN;
}

describe('nextAttemptAt', () => {
  it('allows eleven attempts in about twelve hours', () => {
    const minutes = attemptMinutes();
    expect(minutes).toEqual(schedule);
    const waits = waitsOf(minutes);
    expect(waits.toSorted((a, b) => a - b)).toEqual(waits);
    expect(Math.max(...waits)).toBe(240);
  });

  it.each([
    ['600', 10],
    [' 600 ', 10],
    ['60', 1],
    ['59', 1],
    ['0', 1],
    [null, 1],
    ['43200', 720],
    ['43201', 720],
    ['9'.repeat(400), 720],
    ['Mon, 23 Nov 2026 08:10:00 GMT', 10],
    ['Monday, 23-Nov-26 08:10:00 GMT', 10],
    ['Mon, 23 Nov 2026 08:00:30 GMT', 1],
    ['Mon, 23 Nov 2020 08:10:00 GMT', 1],
    ['Mon, 23 Nov 2099 08:10:00 GMT', 720],
    ['', 1],
    ['soon', 1],
    ['-600', 1],
    ['600.5', 1],
    ['600s', 1],
    ['1e9', 1],
    ['0x258', 1],
    ['2026-11-23T08:10:00Z', 1],
    ['600, 600', 1],
  ])('reads Retry-After %j as %i minutes or the schedule', (retryAfter, minutes) => {
    expect(second(retryAfter)).toBe(minutes);
  });

  it('continues the schedule after a longer wait', () => {
    expect(attemptMinutes((attempt) => (attempt === 2 ? '3600' : null)).slice(0, 5)).toEqual([0, 1, 61, 65, 73]);
  });

  it('respects Retry-After beyond the twelve hours once, then gives up', () => {
    const minutes = attemptMinutes((attempt) => (attempt === 10 ? String(12 * 3_600) : null));
    expect(minutes).toEqual([...schedule.slice(0, 10), 495 + 720]);
    expect(attemptMinutes(() => String(12 * 3_600))).toEqual([0, 720]);
  });

  it('gives up when twelve hours have passed without attempts', () => {
    const late = (now: number) => nextAttemptAt({ attempts: 3, firstAttemptAt: start, now, retryAfter: null });
    expect(late(start + 12 * hour - 1)).toBe(start + 12 * hour - 1 + 4 * minute);
    expect(late(start + 12 * hour)).toBeNull();
  });

  it('ends with any headers, and never waits less than the schedule or more than twelve hours', () => {
    const header = fc.oneof(
      fc.constant(null),
      fc.nat({ max: 100_000 }).map(String),
      fc.string(),
      fc.nat({ max: 200_000 }).map((seconds) => new Date(start + seconds * 1_000).toUTCString()),
    );
    const property = fc.property(fc.array(header, { minLength: 11, maxLength: 11 }), (headers) => {
      const times = attemptTimes((attempt) => headers[attempt - 1] ?? null);
      expect(times.length).toBeLessThanOrEqual(schedule.length);
      expect(times.at(-2)).toBeLessThan(start + 12 * hour);
      expect(times.at(-1)).toBeGreaterThanOrEqual(start + 12 * hour);
      expect(times.at(-1)).toBeLessThan(start + 24 * hour);
      const planned = waitsOf(schedule);
      for (const [index, wait] of waitsOf(times).entries()) {
        expect(wait).toBeGreaterThanOrEqual((planned[index] ?? NaN) * minute);
        expect(wait).toBeLessThanOrEqual(12 * hour);
      }
    });
    fc.assert(property, { numRuns: runsOf(500) });
  });

  it('ends by the number of attempts when the clock is frozen', () => {
    const at = (attempts: number) => nextAttemptAt({ attempts, firstAttemptAt: start, now: start, retryAfter: null });
    expect(at(10)).toBe(start + 4 * hour);
    expect(at(11)).toBeNull();
  });
});
