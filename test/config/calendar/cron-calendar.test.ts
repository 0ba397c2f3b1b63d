import * as fc from 'fast-check';
import {
  canFire,
  expand,
  parseCalendar,
  parseCron,
  parseField,
  toCronText,
  toFieldText,
  toNumberRanges,
  type Calendar,
} from '../../../src/config/calendar/cron-calendar.ts';

const canonical = (cron: string) => text(parseCron(cron));

const text = (calendar: Calendar | null) => (calendar === null ? null : toCronText(calendar));
const fires = (calendar: Calendar | null) => (calendar === null ? null : canFire(calendar));

describe('parseCron', () => {
  it.each([
    ['0 6 * * 1', '0 6 * * 1'],
    ['0 6 * * MON', '0 6 * * 1'],
    ['00 06 * * monday', '0 6 * * 1'],
    ['*/15 8-18 * * mon-fri', '*/15 8-18 * * 1-5'],
    ['0,15,30,45 * * * *', '*/15 * * * *'],
    ['5/20 0 1 jan,JUL *', '5-45/20 0 1 1,7 *'],
    ['0 0 * * 7', '0 0 * * 0'],
    ['0 0 * * 5-7', '0 0 * * 0,5-6'],
    ['0-59 0-23 1-31 1-12 0-6', '* * * * *'],
    ['@weekly', '0 0 * * 0'],
    [' @hourly ', '0 * * * *'],
  ])('reads %j as %j', (text, same) => expect(canonical(text)).toBe(same));

  it.each([
    '',
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '0 24 * * *',
    '0 0 0 * *',
    '0 0 32 * *',
    '0 0 * 13 *',
    '0 0 * * 8',
    '0 0 * foo *',
    '0 0 L * *',
    '30-10 * * * *',
    '*/0 * * * *',
    '*/99 * * * *',
    '-1 * * * *',
    '1,,2 * * * *',
    'TZ=UTC 0 6 * * *',
    '@every 5m',
    '0 6 * * mond',
  ])('rejects %j', (text) => expect(parseCron(text)).toBeNull());

  it('reads every text that it writes as the same calendar', () => {
    const some = (least: number, most: number) =>
      fc
        .uniqueArray(fc.integer({ min: least, max: most }), { minLength: 1 })
        .map((all) => all.toSorted((a, b) => a - b));
    const calendars = fc.record({
      second: fc.constant([0]),
      minute: some(0, 59),
      hour: some(0, 23),
      dayOfMonth: some(1, 31),
      month: some(1, 12),
      dayOfWeek: some(0, 6),
      year: fc.constant([]),
    });
    fc.assert(fc.property(calendars, (calendar) => expect(parseCron(toCronText(calendar))).toEqual(calendar)));
  });
});

describe('parseCalendar', () => {
  it('is midnight of every day by default', () => expect(text(parseCalendar({}))).toBe('0 0 * * *'));

  it('has seven fields when a second or a year is given', () => {
    expect(text(parseCalendar({ second: '30', year: '2027-2029' }))).toBe('30 0 0 * * * 2027-2029');
    expect(text(parseCalendar({ second: '*' }))).toBe('* 0 0 * * * *');
  });
});

describe('parseField', () => {
  it('returns numbers of the field, or null, for any text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-z*,/-]{0,12}$/), (text) => {
        const values = parseField('hour', text) ?? [];
        expect(values.every((value) => value >= 0 && value <= 23)).toBe(true);
      }),
    );
  });
});

describe('toNumberRanges', () => {
  it('contains exactly the given numbers', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 59 })).map((all) => all.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(numbers, (values) => {
        expect(toNumberRanges(values).flatMap(expand)).toEqual(values);
        const written = toFieldText('minute', values);
        expect(values.length === 0 ? [] : parseField('minute', written)).toEqual(values);
      }),
    );
  });
});

describe('canFire', () => {
  it.each([
    ['0 6 29 2 *', true],
    ['0 6 29 2 1', true],
    ['0 6 31 2 *', false],
    ['0 6 30 2,4 *', true],
    ['0 6 31 4,6,9,11 *', false],
  ])('returns whether %j ever fires: %j', (cron, whether) => expect(fires(parseCron(cron))).toBe(whether));

  it('considers leap years', () => {
    expect(fires(parseCalendar({ dayOfMonth: '29', month: '2', year: '2027' }))).toBe(false);
    expect(fires(parseCalendar({ dayOfMonth: '29', month: '2', year: '2027,2028' }))).toBe(true);
    expect(fires(parseCalendar({ dayOfMonth: '1', month: '1', dayOfWeek: '1', year: '2027' }))).toBe(false);
  });
});
