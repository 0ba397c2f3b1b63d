import * as fc from 'fast-check';
import {
  innerRecord,
  isEmpty,
  isRange,
  flattenRecord,
  candidateNamesOf,
  readDottedPath,
} from '../../../src/service/reading/flatten-record.ts';
import { isRecord } from '../../../src/base/json/own-property.ts';

const channels = [
  { kind: 'EMAIL', value: 'anna.schmidt@nordwind.example' },
  { kind: 'PHONE', value: '+49 30 1234567' },
];

describe('flattenRecord', () => {
  it('lists values with their paths, in the order of the record', () => {
    expect(
      flattenRecord({ name: 'Nordwind', address: { city: 'Bremen', country: { code: 'DE' } }, tags: ['a'] }),
    ).toEqual([
      { path: 'name', value: 'Nordwind' },
      { path: 'address.city', value: 'Bremen' },
      { path: 'address.country.code', value: 'DE' },
      { path: 'tags', value: ['a'] },
    ]);
  });

  it('lists empty values too', () => {
    expect(flattenRecord({ a: null, b: '', c: [], d: {} })).toEqual([
      { path: 'a', value: null },
      { path: 'b', value: '' },
      { path: 'c', value: [] },
    ]);
  });

  it('uses the first record of a list', () => {
    expect(flattenRecord({ locations: [{ city: 'Bremen' }, { city: 'Kiel' }] })).toEqual([
      { path: 'locations.city', value: 'Bremen' },
    ]);
  });

  it.each(['type', 'kind', 'typ', 'channel', 'label', 'network', 'platform', 'category'])(
    'lists each record of a list by its %s when all records have one',
    (tag) => {
      const list = [
        { [tag]: 'EMAIL', value: 'a' },
        { [tag]: 'PHONE', value: 'b' },
      ];
      expect(flattenRecord({ list })).toEqual([
        { path: `list[${tag}=EMAIL].${tag}`, value: 'EMAIL' },
        { path: 'list[' + tag + '=EMAIL].value', value: 'a' },
        { path: `list[${tag}=PHONE].${tag}`, value: 'PHONE' },
        { path: `list[${tag}=PHONE].value`, value: 'b' },
      ]);
    },
  );

  it('uses the first of two records with the same tag', () => {
    const list = [...channels, { kind: 'EMAIL', value: 'second@nordwind.example' }];
    const values = flattenRecord({ channels: list }).filter(({ path }) => path.endsWith('.value'));
    expect(values.map(({ value }) => value)).toEqual(['anna.schmidt@nordwind.example', '+49 30 1234567']);
  });

  it.each([
    ['a record has no tag', [{ kind: 'EMAIL', value: 'a' }, { value: 'b' }]],
    ['a tag is a sentence', [{ kind: 'the first address', value: 'a' }]],
    ['a tag is a number', [{ kind: 1, value: 'a' }]],
  ])('uses the first record when %s', (_, list) => {
    expect(flattenRecord({ list }).map(({ path }) => path)).toEqual(['list.kind', 'list.value']);
  });

  it('keeps a range as one value', () => {
    expect(flattenRecord({ employees: { min: 11, max: 50 } })).toEqual([
      { path: 'employees', value: { min: 11, max: 50 } },
    ]);
  });

  it('leaves out a path and everything below it', () => {
    const record = { name: 'Nordwind', team: { lead: 'x', people: [{ name: 'y' }] } };
    expect(flattenRecord(record, 'team.people').map(({ path }) => path)).toEqual(['name', 'team.lead']);
    expect(flattenRecord(record, 'team').map(({ path }) => path)).toEqual(['name']);
  });

  it('leaves out keys that are values', () => {
    const record = { 'anna@nordwind.example': 1, '49301234567': 2, 'https://x.example': 3, ok: 4 };
    expect(flattenRecord(record)).toEqual([{ path: 'ok', value: 4 }]);
  });

  it('stops at the fifth level', () => {
    expect(flattenRecord({ a: { b: { c: { d: { e: { f: 1 } } } } } })).toEqual([
      { path: 'a.b.c.d.e', value: { f: 1 } },
    ]);
  });

  it('stops at 400 values', () => {
    const record = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field_${index}`, index]));
    expect(flattenRecord(record)).toHaveLength(400);
  });
});

describe('valueAt', () => {
  const record = {
    name: 'Nordwind',
    address: { city: 'Bremen' },
    locations: [{ city: null }, { city: 'Kiel', zip: '24103' }],
    attributes: { channels },
    tags: ['a', 'b'],
  };

  it.each([
    ['name', 'Nordwind'],
    ['address.city', 'Bremen'],
    ['locations.city', 'Kiel'],
    ['locations.zip', '24103'],
    ['attributes.channels[kind=EMAIL].value', 'anna.schmidt@nordwind.example'],
    ['attributes.channels[kind=PHONE].value', '+49 30 1234567'],
    ['tags', ['a', 'b']],
  ])('finds the value at %s', (path, expected) => {
    expect(readDottedPath(record, path)).toEqual(expected);
  });

  it.each([
    'street',
    'name.first',
    'address.zip',
    'locations.street',
    'attributes.channels[kind=FAX].value',
    'attributes.channels[type=EMAIL].value',
    'name[kind=EMAIL].value',
    'toString',
    '__proto__',
  ])('returns undefined at %s', (path) => {
    expect(readDottedPath(record, path)).toBeUndefined();
  });

  it.each([null, undefined, 'text', 7])('returns undefined in %j', (holder) => {
    expect(readDottedPath(holder, 'name')).toBeUndefined();
  });

  it('returns every value that flattenRecord lists', () => {
    const key = fc.stringMatching(/^[a-zA-ZäöüÄÖÜ][a-zA-Z_ -]{0,8}$/);
    const scalar = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.constant(''),
      fc.array(fc.string(), { maxLength: 2 }),
    );
    const plain = fc.letrec<{ value: unknown; record: Record<string, unknown> }>((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, scalar, tie('record'), fc.array(tie('record'), { minLength: 1, maxLength: 3 })),
      record: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    })).record;
    const tagged = fc.uniqueArray(
      fc.record({ kind: fc.constantFrom('EMAIL', 'PHONE', 'LINKEDIN'), value: fc.string(), more: scalar }),
      { selector: ({ kind }) => kind, minLength: 1 },
    );
    fc.assert(
      fc.property(plain, tagged, (record, list) => {
        const whole = { ...record, tagged: list, inner: { tagged: list } };
        for (const { path, value } of flattenRecord(whole)) {
          if (isEmpty(value)) continue;
          expect(readDottedPath(whole, path)).toEqual(value);
        }
      }),
    );
  });
});

describe('candidateNamesOf', () => {
  it.each([
    ['company_name', ['companyname']],
    ['companyName', ['companyname']],
    ['Company-Name', ['companyname']],
    ['COMPANY NAME', ['companyname']],
    ['attributes.sector', ['sector', 'attributessector']],
    ['data.attributes.sector', ['sector', 'attributessector']],
    ['name.first', ['namefirst']],
    ['email.value', ['emailvalue', 'email']],
    ['attributes.email.value', ['emailvalue', 'email']],
    ['address.city', ['city', 'addresscity']],
    ['contact.emailAddress', ['emailaddress', 'contactemailaddress']],
    ['parent.email.value', ['emailvalue']],
    ['parent.email', ['parentemail']],
    ['channels[kind=EMAIL].value', ['emailvalue', 'email']],
    ['attributes.channels[kind=PHONE].value', ['phonevalue', 'phone']],
    ['profiles[network=linkedin].url', ['linkedinurl', 'linkedin']],
  ])('names %s', (path, expected) => {
    expect(candidateNamesOf(path)).toEqual(expected);
  });
});

describe('isEmpty', () => {
  it.each([undefined, null, '', ' ', '-', '–', '—', '---', 'n/a', 'N/A', 'null', [], [null], ['', ['-']]])(
    'is true for %j',
    (value) => {
      expect(isEmpty(value)).toBe(true);
    },
  );

  it.each([0, false, 'x', '0', 'none of them', {}, [0], ['', 'x'], { a: null }])('is false for %j', (value) => {
    expect(isEmpty(value)).toBe(false);
  });
});

describe('isRange', () => {
  it.each([{ min: 1, max: 2 }, { from: 1 }, { Min: 1, Max: 2 }, { lower: 1, upper: null }, { gte: 1, lte: 2 }])(
    'is true for %j',
    (value) => {
      expect(isRange(value)).toBe(true);
    },
  );

  it.each([{}, { min: 1, unit: 'people' }, { count: 1 }, [1, 2], '1-2', null])('is false for %j', (value) => {
    expect(isRange(value)).toBe(false);
  });
});

describe('innerRecord', () => {
  it.each([
    [{ a: 1 }, { a: 1 }],
    [[{ a: 1 }, { a: 2 }], { a: 1 }],
    [['x', { a: 1 }], { a: 1 }],
    [['x'], null],
    [[], null],
    ['x', null],
    [null, null],
  ])('returns for %j the record %j', (value, expected) => {
    expect(innerRecord(value)).toEqual(expected);
  });
});

describe('isRecord', () => {
  it('is true for objects only', () => {
    expect([{}, [], null, 'x', 1].map(isRecord)).toEqual([true, false, false, false, false]);
  });
});
