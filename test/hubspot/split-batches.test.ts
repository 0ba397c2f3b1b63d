import * as fc from 'fast-check';

import { splitIntoRounds } from '../../src/hubspot/batch-requests.ts';

describe('splitIntoRounds', () => {
  const rows = fc.array(fc.constantFrom('a', 'b', 'c', 'd', undefined), { maxLength: 60 });

  it('contains every row once, no key twice in a batch, and no batch above the size', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 10 }), (keys, size) => {
        const input = keys.map((key, index) => ({ key, index }));
        const rounds = splitIntoRounds(input, (row) => row.key, size);
        for (const batch of rounds.flat()) {
          expect(batch.length).toBeGreaterThan(0);
          expect(batch.length).toBeLessThanOrEqual(size);
          const named = batch.flatMap(({ key }) => key ?? []);
          expect(new Set(named).size).toBe(named.length);
        }
        // The batches of a round are sent concurrently.
        for (const round of rounds) {
          const named = round.flat().flatMap(({ key }) => key ?? []);
          expect(new Set(named).size).toBe(named.length);
        }
        expect(rounds.flat(2).sort((a, b) => a.index - b.index)).toEqual(input);
      }),
    );
  });

  it('keeps rows of the same key in their order', () => {
    fc.assert(
      fc.property(rows, (keys) => {
        const input = keys.map((key, index) => ({ key, index }));
        const sent = splitIntoRounds(input, (row) => row.key, 3).flat(2);
        for (const key of ['a', 'b', 'c', 'd']) {
          expect(sent.filter((row) => row.key === key)).toEqual(input.filter((row) => row.key === key));
        }
      }),
    );
  });
});
