import * as fc from 'fast-check';

import { toBatches } from '../../src/hubspot/batches.ts';

describe('toBatches', () => {
  const rows = fc.array(fc.constantFrom('a', 'b', 'c', 'd', undefined), { maxLength: 60 });

  it('holds every row once, no key twice in a batch, and no batch above the size', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 10 }), (keys, size) => {
        const input = keys.map((key, index) => ({ key, index }));
        const batches = toBatches(input, (row) => row.key, size);
        for (const batch of batches) {
          expect(batch.length).toBeGreaterThan(0);
          expect(batch.length).toBeLessThanOrEqual(size);
          const named = batch.flatMap(({ key }) => key ?? []);
          expect(new Set(named).size).toBe(named.length);
        }
        expect(batches.flat().sort((a, b) => a.index - b.index)).toEqual(input);
      }),
    );
  });

  it('keeps rows of one key in their order', () => {
    fc.assert(
      fc.property(rows, (keys) => {
        const input = keys.map((key, index) => ({ key, index }));
        const sent = toBatches(input, (row) => row.key, 3).flat();
        for (const key of ['a', 'b', 'c', 'd']) {
          expect(sent.filter((row) => row.key === key)).toEqual(input.filter((row) => row.key === key));
        }
      }),
    );
  });
});
