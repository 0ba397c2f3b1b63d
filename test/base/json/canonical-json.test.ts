import * as fc from 'fast-check';
import { canonicalJson, digest } from '../../../src/base/json/canonical-json.ts';

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

/** The test data of RFC 8785, section 3.2.3 and appendix B. */
describe('canonicalJson by RFC 8785', () => {
  it('writes the sample of section 3.2.2 as section 3.2.3 shows it', () => {
    const sample = String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
      "string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`;
    const expected = String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`;
    expect(canonicalJson(JSON.parse(sample))).toBe(expected);
  });

  it('sorts names by UTF-16 code units', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6', '10', '9'];
    const record = Object.fromEntries(names.map((name) => [name, 0]));
    const sorted = ['\r', '1', '10', '9', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    expect(canonicalJson(record)).toBe(`{${sorted.map((name) => `${JSON.stringify(name)}:0`).join(',')}}`);
  });

  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the number with the bits %s as %s', (bits, expected) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(expected);
  });

  it('leaves out the texts of the given fields at any depth', () => {
    const value = { message: 'a', reasons: [{ code: 'X', message: { b: 1 } }], inner: { message: null } };
    expect(canonicalJson(value, new Set(['message']))).toBe('{"inner":{},"reasons":[{"code":"X","message":{"b":1}}]}');
    expect(digest(value, new Set(['message']))).toBe(
      digest({ inner: {}, reasons: [{ code: 'X', message: { b: 1 } }] }),
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
