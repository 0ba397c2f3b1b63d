import * as fc from 'fast-check';
import { transformNames, transforms, type TransformName } from '../../../src/delivery/mapping/transforms.ts';
import { cutText } from '../../../src/ledger/property-values.ts';
import { anyCharacter, anyGrapheme, anyWebUrl } from '../../helpers/random-text.ts';

const apply = (name: TransformName, ...values: string[]) => transforms[name].apply(values);

describe('transforms', () => {
  it.each<[TransformName, string[], string]>([
    ['lowercase', ['ACME Über'], 'acme über'],
    ['uppercase', ['acme'], 'ACME'],
    ['first', ['a', 'b'], 'a'],
    ['join', ['a', 'b'], 'a;b'],
    ['join', ['a;b', 'c'], 'a,b;c'],
    ['join-lines', ['a', 'b'], 'a\nb'],
    ['count', ['a', 'b'], '2'],
    ['integer', ['12'], '12'],
    ['integer', ['12.5'], '13'],
    ['integer', ['-0.2'], '0'],
    ['integer', ['+0012'], '12'],
    ['integer', ['10-50'], ''],
    ['integer', ['1,234'], ''],
    ['integer', ['9'.repeat(30)], ''],
    ['year', ['1990'], '1990'],
    ['year', ['2026-11-20T12:00:00.123456Z'], '2026'],
    ['year', ['20261'], ''],
    ['date', ['2026-11-20T23:59:59.999999Z'], '2026-11-20'],
    ['date', ['2026-11-20T23:00:00-05:00'], '2026-11-21'],
    ['date', ['2026-11-20'], '2026-11-20'],
    ['date', ['2026-13-40'], ''],
    ['date', ['last week'], ''],
    ['domain', ['HTTPS://www.Acme.example:8443/de?x=1'], 'acme.example'],
    ['domain', ['anna@acme.example'], 'acme.example'],
    ['domain', ['acme'], ''],
    ['truncate-255', ['x'.repeat(300)], 'x'.repeat(255)],
  ])('%s transforms %j', (name, values, expected) => {
    expect(apply(name, ...values)).toBe(expected);
  });

  const text = fc.oneof(
    fc.string({ maxLength: 400 }),
    fc.string({ unit: anyCharacter, maxLength: 400 }),
    anyWebUrl,
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.double().map(String),
  );

  it.each(transformNames)('%s returns a text for any values, and an empty text for none', (name) => {
    expect(apply(name)).toBe('');
    fc.assert(
      fc.property(fc.array(text), (values) => {
        expect(typeof apply(name, ...values)).toBe('string');
      }),
    );
  });

  const once: TransformName[] = [
    'lowercase',
    'uppercase',
    'first',
    'integer',
    'year',
    'date',
    'domain',
    'truncate-255',
  ];
  it.each(once)('%s changes nothing when it is applied again', (name) => {
    fc.assert(
      fc.property(text, (value) => {
        const result = apply(name, value);
        expect(result === '' || apply(name, result) === result).toBe(true);
      }),
    );
  });

  it('join separates every value', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (values) => {
        expect(apply('join', ...values).split(';')).toHaveLength(values.length);
      }),
    );
  });
});

describe('cutText', () => {
  it('never splits a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyGrapheme }), fc.integer({ min: 1, max: 20 }), (text, length) => {
        const cut = cutText(text, length);
        expect(cut.length).toBeLessThanOrEqual(length);
        expect(text.startsWith(cut) && cut.isWellFormed()).toBe(true);
      }),
    );
  });
});
