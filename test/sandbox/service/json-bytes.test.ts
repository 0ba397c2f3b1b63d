import * as fc from 'fast-check';
import { toJsonBytes } from '../../../sandbox/service/verified-responses.ts';

describe('toJsonBytes', () => {
  it('writes what JSON.stringify writes', () => {
    const some = fc.oneof(
      fc.jsonValue(),
      fc.array(fc.jsonValue()),
      fc.dictionary(fc.string(), fc.array(fc.jsonValue())),
    );
    fc.assert(
      fc.property(some, (value) => {
        expect(Buffer.from(toJsonBytes(value)).toString()).toBe(JSON.stringify(value));
      }),
    );
  });

  it('omits undefined fields', () => {
    expect(Buffer.from(toJsonBytes({ a: undefined, b: [1], c: undefined })).toString()).toBe('{"b":[1]}');
  });
});
