import * as fc from 'fast-check';
import type { Item } from '../../../src/ledger/outcome-store.ts';
import { toTraceId } from '../../../src/delivery/crm/write-records.ts';

describe('toTraceId', () => {
  it('contains order, position and item', () => {
    expect(toTraceId('8c1f', 17, 'contact:0')).toBe('8c1f/17/contact:0');
  });

  it('is unique for each input', () => {
    const item = fc.oneof(
      fc.constant<Item>('company'),
      fc.nat(50).map((index): Item => `contact:${index}`),
    );
    const input = fc.tuple(fc.uuid(), fc.nat(), item);
    fc.assert(
      fc.property(fc.uniqueArray(input, { selector: (parts) => parts.join('|') }), (inputs) => {
        const ids = inputs.map((parts) => toTraceId(...parts));
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });
});
