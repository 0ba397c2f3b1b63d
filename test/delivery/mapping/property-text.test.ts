import * as fc from 'fast-check';
import {
  comparableText,
  isSame,
  longestPropertyText,
  toPropertyText,
  toTimeText,
} from '../../../src/ledger/property-values.ts';
import { anyCharacter } from '../../helpers/random-text.ts';

const noon = '2026-11-20T12:00:00.000Z';

describe('isSame', () => {
  it.each([
    // Times are compared as instants: HubSpot accepts milliseconds or ISO text, and returns ISO text.
    [noon, '2026-11-20T12:00:00Z', true],
    [noon, '2026-11-20T13:00:00+01:00', true],
    [noon, '2026-11-20T12:00:00.001Z', false],
    [String(Date.parse(noon)), noon, true],
    ['1764000000000', noon, false],
    ['2026-11-20', '1795132800000', true],
    ['2026-11-20', '2026-11-21', false],
    // Numbers are compared by value, except texts with a leading zero.
    ['12', '12.0', true],
    ['12.50', '12.5', true],
    ['-3', '-3.00', true],
    ['0', '-0.0', true],
    ['v1.10', 'v1.1', false],
    ['12', '12.01', false],
    ['01067', '1067', false],
    ['9007199254740993', '9007199254740992', false],
    // HubSpot stores addresses and domains in lower case.
    ['Anna.Abel@ACME.example', 'anna.abel@acme.example', true],
    ['ACME.example', 'acme.example', true],
    ['anna@acme.example', 'anna@acme.test', false],
    ['Acme', 'ACME', false],
    ['true', 'True', true],
    ['true', 'false', false],
    // Choices of a multiple checkbox have no order.
    ['a;b', 'b;a', true],
    ['a;b', ' b ; a;', true],
    ['a;b', 'a;b;c', false],
    ['a;b', 'ab', false],
    ['Text', ' Text\n', true],
    ['Text', 'Other Text', false],
    ['', '', true],
    ['', ' ', true],
    ['x', '', false],
  ])('compares %j with %j', (wanted, current, same) => {
    expect(isSame(wanted, current)).toBe(same);
    expect(isSame(current, wanted)).toBe(same);
  });

  it('is reflexive and symmetric for any text', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: anyCharacter }),
      fc.float().map(String),
      fc.date().map(String),
    );
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(isSame(a, a)).toBe(true);
        expect(isSame(a, b)).toBe(isSame(b, a));
      }),
    );
  });

  it('distinguishes whole numbers', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), (a, b) => {
        expect(isSame(String(a), `${b}.0`)).toBe(a === b);
      }),
    );
  });
});

describe('comparableText', () => {
  it('stays the same when it is applied again', () => {
    const part = fc.constantFrom('12', '0.50', ';', 'a', 'B', ' ', '@', '.', 'de', '2026-11-20', 'T12:00:00Z', 'true');
    const text = fc.oneof(
      fc.string(),
      fc.emailAddress(),
      fc.array(part).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (text) => {
        const once = comparableText(text);
        expect(comparableText(once)).toBe(once);
        expect(isSame(text, once)).toBe(true);
      }),
    );
  });
});

describe('toPropertyText', () => {
  it('trims, repairs and shortens text without splitting a character', () => {
    expect(toPropertyText(' a b\n')).toBe('a b');
    expect(toPropertyText(`x${'😀'.repeat(40_000)}`)).toHaveLength(longestPropertyText - 1);
    expect(toPropertyText('a\uD83D')).toBe('a\uFFFD');
  });

  it('stays the same when it is applied again', () => {
    const long = fc
      .integer({ min: longestPropertyText - 3, max: longestPropertyText + 3 })
      .map((length) => 'x'.repeat(length));
    const text = fc
      .tuple(fc.option(long, { nil: '' }), fc.string({ unit: anyCharacter }))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (text) => {
        const sent = toPropertyText(text);
        expect(toPropertyText(sent)).toBe(sent);
        expect(sent.length).toBeLessThanOrEqual(longestPropertyText);
        expect(sent.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('toTimeText', () => {
  it('keeps milliseconds, and returns an empty text for an invalid time', () => {
    expect(toTimeText('2026-11-20T12:00:00.123456Z')).toBe('2026-11-20T12:00:00.123Z');
    expect(toTimeText('soon')).toBe('');
  });
});
