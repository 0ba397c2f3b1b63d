import * as fc from 'fast-check';
import { canonicalJson, digest } from '../../src/json/canonical-json.ts';

/** The same content with the fields of every object in another order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, field]) => [key, turned(field)]),
  );
}

describe('canonicalJson', () => {
  it('sorts fields, keeps the order of arrays, and leaves out undefined fields', () => {
    expect(canonicalJson({ b: [2, 1, { d: null, c: 'ü' }], a: true, z: undefined })).toBe(
      '{"a":true,"b":[2,1,{"c":"ü","d":null}]}',
    );
  });

  it('returns JSON of the same content, whatever the order of fields', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(turned(value))).toBe(text);
      }),
    );
  });
});

describe('digest', () => {
  it('is equal for equal content only', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(digest(one) === digest(other)).toBe(canonicalJson(one) === canonicalJson(other));
      }),
    );
  });

  it('is SHA-256 in hex', () => {
    expect(digest({ a: 1 })).toBe('015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862');
  });
});
