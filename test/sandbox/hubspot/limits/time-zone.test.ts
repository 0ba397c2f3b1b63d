import * as fc from 'fast-check';
import { nextMidnight, offsetMs, offsetText } from '../../../../sandbox/hubspot/limits/time-zone.ts';

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'America/St_Johns', 'Asia/Kolkata', 'Pacific/Auckland'];

describe('nextMidnight', () => {
  it('is the first instant of the next day in the time zone', () => {
    const time = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2031, 0) });
    fc.assert(
      fc.property(time, fc.constantFrom(...zones), (at, timeZone) => {
        const midnight = nextMidnight(at, timeZone);
        const place = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
        expect(place.format(midnight)).toMatch(/00:00:00$/);
        expect(place.format(midnight - 1).slice(0, 10)).toBe(place.format(at).slice(0, 10));
        expect(midnight).toBeGreaterThan(at);
      }),
    );
  });

  it('handles days of 23 and 25 hours', () => {
    const day = (from: string) => (nextMidnight(Date.parse(from), 'Europe/Berlin') - Date.parse(from)) / 3_600_000;
    expect([day('2026-03-28T23:00:00Z'), day('2026-10-24T22:00:00Z'), day('2026-06-01T22:00:00Z')]).toEqual([
      23, 25, 24,
    ]);
  });
});

describe('offsetText', () => {
  it.each([
    ['Europe/Berlin', '2026-11-21T12:00:00Z', '+01:00', 3_600_000],
    ['Europe/Berlin', '2026-07-21T12:00:00Z', '+02:00', 7_200_000],
    ['America/St_Johns', '2026-11-21T12:00:00Z', '-03:30', -12_600_000],
    ['UTC', '2026-11-21T12:00:00Z', '+00:00', 0],
  ])('%s', (timeZone, at, text, ms) => {
    expect([offsetText(Date.parse(at), timeZone), offsetMs(Date.parse(at), timeZone) + 0]).toEqual([text, ms]);
  });
});
