import * as fc from 'fast-check';
import { readCount, readText, readTime, readValue, type ScalarKind } from '../../../src/service/reading/read-value.ts';

const kinds = ['text', 'id', 'integer', 'number', 'boolean', 'url'] as const satisfies readonly ScalarKind[];

describe('readValue', () => {
  const empty = [null, undefined, '', '   ', '-', '–', ' — ', '--', 'n/a', 'N/A', 'null', [], ['', null], [['-']]];
  it.each(kinds.flatMap((kind) => empty.map((value) => [kind, value] as const)))(
    'returns null for %s when the value is empty (%j)',
    (kind, value) => {
      expect(readValue(kind, value)).toBeNull();
    },
  );

  it.each([
    ['text', '  Nordwind Solar GmbH ', 'Nordwind Solar GmbH'],
    ['text', 0, '0'],
    ['text', 4711, '4711'],
    ['text', ['', 'Packaging', 'Labels'], 'Packaging'],
    ['text', { min: 11, max: 50 }, '11-50'],
    ['id', ' cmp_1 ', 'cmp_1'],
    ['id', 0, '0'],
    ['id', 190761538, '190761538'],
    ['url', ' https://nordwind.example/de ', 'https://nordwind.example/de'],
    ['url', 'www.nordwind.example', 'www.nordwind.example'],
    ['url', 'nordwind.example', 'nordwind.example'],
    ['url', [null, 'nordwind.example'], 'nordwind.example'],
  ] as const)('reads %s %j', (kind, value, expected) => {
    expect(readValue(kind, value)).toBe(expected);
  });

  it.each([
    [0, 0],
    [152, 152],
    [12.5, 13],
    [12.4, 12],
    ['152', 152],
    [' 152 ', 152],
    ['-3', -3],
    ['approx. 152', 152],
    ['152 employees', 152],
    ['ca. 1.200 Mitarbeiter', 1200],
    ['1.200', 1200],
    ['1,200', 1200],
    ['1 200', 1200],
    ["1'200", 1200],
    ['1\u00a0200', 1200],
    ['1\u202f200', 1200],
    ['1.234.567', 1_234_567],
    ['1,234,567', 1_234_567],
    ['12.5', 13],
    ['11-50', 11],
    ['11 - 50', 11],
    ['11–50', 11],
    ['1.001-5.000', 1001],
    ['1,001 to 5,000', 1001],
    ['10,001+', 10_001],
    ['> 500', 500],
    ['1981-05-02', 1981],
    [{ min: 51, max: 200 }, 51],
    [{ from: '1.001', to: '5.000' }, 1001],
    [{ gte: 10 }, 10],
    [{ min: null, max: 50 }, 50],
    [['51-200'], 51],
  ])('reads the integer %j as %d', (value, expected) => {
    expect(readValue('integer', value)).toBe(expected);
  });

  it.each([
    [0.83, 0.83],
    [80, 80],
    ['80', 80],
    ['0.83', 0.83],
    ['0,83', 0.83],
    ['-1,5', -1.5],
    ['80/100', 80],
    ['80 %', 80],
    ['score: 7.5', 7.5],
    [{ min: 1.5, max: 2 }, 1.5],
  ])('reads the number %j as %d', (value, expected) => {
    expect(readValue('number', value)).toBe(expected);
  });

  it.each([true, 'true', 'TRUE', 'yes', ' Yes ', 'y', 'ja', 'Ja', '1', 1, 'deliverable', ['yes']])(
    'reads %j as true',
    (value) => {
      expect(readValue('boolean', value)).toBe(true);
    },
  );

  it.each([false, 'false', 'False', 'no', 'n', 'nein', '0', 0, 'undeliverable', 'not_deliverable'])(
    'reads %j as false',
    (value) => {
      expect(readValue('boolean', value)).toBe(false);
    },
  );

  it.each([
    ['text', true],
    ['text', { display: 'Nordwind' }],
    ['text', [{ display: 'Nordwind' }]],
    ['id', true],
    ['id', { value: 1 }],
    ['id', Infinity],
    ['integer', 'many'],
    ['integer', true],
    ['integer', NaN],
    ['integer', { count: 5 }],
    ['integer', {}],
    ['number', 'C'],
    ['number', Infinity],
    ['boolean', 'maybe'],
    ['boolean', 2],
    ['boolean', {}],
    ['url', 'Nordwind Solar'],
    ['url', 'nordwind'],
    ['url', 'info@nordwind.example'],
    ['url', 7],
    ['url', { href: 'https://nordwind.example' }],
  ] as const)('returns undefined for %s when %j is unusable', (kind, value) => {
    expect(readValue(kind, value)).toBeUndefined();
  });

  it('never throws, and returns the kind, null or undefined', () => {
    const types = {
      text: 'string',
      id: 'string',
      url: 'string',
      integer: 'number',
      number: 'number',
      boolean: 'boolean',
    };
    // The parser of answers handles objects with a key toString.
    const key = fc.stringMatching(/^[a-z]{1,8}$/);
    const value = fc.anything({ key, maxDepth: 3, withBigInt: true });
    fc.assert(
      fc.property(fc.constantFrom(...kinds), value, (kind, sent) => {
        const read = readValue(kind, sent);
        expect(read === null || read === undefined || typeof read === types[kind]).toBe(true);
      }),
    );
  });

  it('reads every integer from its German and its English notation', () => {
    fc.assert(
      fc.property(fc.nat(2_000_000_000), (count) => {
        expect(readValue('integer', count.toLocaleString('de-DE'))).toBe(count);
        expect(readValue('integer', count.toLocaleString('en-US'))).toBe(count);
        expect(readValue('integer', `${count}`)).toBe(count);
      }),
    );
  });
});

describe('readText', () => {
  it('joins the bounds of a range', () => {
    expect(readText({ from: 1, to: 10 })).toBe('1-10');
  });

  it.each([true, {}, { value: 'x' }, ['x']])('returns undefined for %j', (value) => {
    expect(readText(value)).toBeUndefined();
  });
});

describe('readTime', () => {
  it.each([
    ['2026-11-22T14:59:09.978963Z', '2026-11-22T14:59:09.978963Z'],
    ['2026-11-22T14:59:09Z', '2026-11-22T14:59:09Z'],
    ['2026-11-22T14:59:09+01:00', '2026-11-22T13:59:09.000Z'],
    ['2026-11-22T14:59:16.724+00:00', '2026-11-22T14:59:16.724Z'],
    ['2026-11-22', '2026-11-22T00:00:00.000Z'],
    ['Sun, 22 Nov 2026 14:59:09 GMT', '2026-11-22T14:59:09.000Z'],
    [1_795_359_555, '2026-11-22T14:59:15.000Z'],
    [1_795_359_553_360, '2026-11-22T14:59:13.360Z'],
    ['1795359555', '2026-11-22T14:59:15.000Z'],
    ['1795359553360', '2026-11-22T14:59:13.360Z'],
  ])('reads %j as %s', (value, expected) => {
    expect(readTime(value)).toBe(expected);
  });

  it.each([null, undefined, '', '-'])('returns null for %j', (value) => {
    expect(readTime(value)).toBeNull();
  });

  it.each(['yesterday', true, {}, Infinity, 1e300, '2026-13-45'])('returns undefined for %j', (value) => {
    expect(readTime(value)).toBeUndefined();
  });

  it('reads a number of seconds or milliseconds since the epoch as the same time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000_000_000, max: 4_000_000_000 }), (seconds) => {
        const expected = new Date(seconds * 1000).toISOString();
        expect(readTime(seconds)).toBe(expected);
        expect(readTime(seconds * 1000)).toBe(expected);
        expect(readTime(String(seconds))).toBe(expected);
      }),
    );
  });
});

describe('readCount', () => {
  it.each([
    [0, 0],
    [7, 7],
    ['0', 0],
    ['007', 7],
    [null, null],
    ['', null],
    [-1, undefined],
    ['-1', undefined],
    [1.5, undefined],
    ['1.5', undefined],
    ['seven', undefined],
    [true, undefined],
    [[1], undefined],
    [{}, undefined],
  ])('reads %j as %j', (value, expected) => {
    expect(readCount(value)).toBe(expected);
  });
});

describe('readValue with values of other services', () => {
  it.each([
    ['integer', { max: 200, min: 51 }, 51],
    ['integer', '1k-5k', 1_000],
    ['number', '1.234,5', 1_234.5],
    ['number', '80,5 %', 80.5],
    ['text', { min: 11, max: null }, '11'],
    ['text', { min: null, max: null }, null],
    ['boolean', { toString: 1 }, undefined],
  ] as const)('reads %s %j as %j', (kind, value, expected) => {
    expect(readValue(kind, value)).toEqual(expected);
  });

  it.each([
    ['2026-11-22T14:59:09', '2026-11-22T14:59:09.000Z'],
    ['02.03.2026', undefined],
    ['2026-99-99T99:99:99Z', undefined],
  ])('reads the time %s as %s, whatever the time zone of the process', (value, expected) => {
    expect(readTime(value)).toBe(expected);
  });
});
