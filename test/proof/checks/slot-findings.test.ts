import * as fc from 'fast-check';
import { mergeFindings, toFindings } from '../../../src/proof/checks/slot-findings.ts';

describe('toFindings', () => {
  it('counts by code and keeps the first ten positions of each code', () => {
    const positions = Array.from({ length: 15 }, (_, index) => index * 2);
    const found = [
      ...positions.map((position) => ({ code: 'slot_differs', position })),
      { code: 'crm_company_missing', position: 3 },
    ];
    expect(toFindings(found)).toEqual([
      { code: 'slot_differs', count: 15, positions: [0, 2, 4, 6, 8, 10, 12, 14, 16, 18] },
      { code: 'crm_company_missing', count: 1, positions: [3] },
    ]);
  });
});

describe('mergeFindings', () => {
  it('returns the same findings as one list of all slots', () => {
    const found = fc.record({ code: fc.constantFrom('a', 'b', 'c'), position: fc.nat(999) });
    fc.assert(
      fc.property(fc.array(fc.array(found)), (parts) => {
        expect(mergeFindings(parts.map(toFindings))).toEqual(toFindings(parts.flat()));
      }),
    );
  });
});
