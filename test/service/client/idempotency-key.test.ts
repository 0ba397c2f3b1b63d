import * as fc from 'fast-check';
import { idempotencyKey } from '../../../src/service/client/idempotency-key.ts';

const part = fc.oneof(fc.string(), fc.integer());
const parts = fc.array(part, { minLength: 1, maxLength: 5 });

describe('idempotencyKey', () => {
  it('is a UUID of version 8, the same for the same parts', () => {
    fc.assert(
      fc.property(parts, (words) => {
        const key = idempotencyKey(...words);
        expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(idempotencyKey(...words)).toBe(key);
      }),
    );
  });

  it('stays the same in every release, because another key places a second order', () => {
    expect(idempotencyKey('order', 'run/weekly/2026-11-23#1')).toBe('86ca7aef-d603-8e14-b8ed-7c4316a136bb');
  });

  it('differs for different parts', () => {
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        expect(idempotencyKey(...one)).not.toBe(idempotencyKey(...other));
      }),
    );
  });

  it.each([
    [
      ['a', 'bc'],
      ['ab', 'c'],
    ],
    [['a,b'], ['a', 'b']],
    [['1'], [1]],
    [['a'], ['a', '']],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
  ])('differs for %j and %j', (one, other) => {
    expect(idempotencyKey(...one)).not.toBe(idempotencyKey(...other));
  });
});
