import * as fc from 'fast-check';
import { createFindings, mergeFindings } from '../../src/reconcile/collect-findings.ts';

describe('createFindings', () => {
  it('counts by code, and keeps the first ten positions of each', () => {
    const findings = createFindings();
    for (let position = 0; position < 15; position += 1) findings.add('slot_differs', position * 2);
    findings.add('crm_company_missing', 3);
    expect(findings.list()).toEqual([
      { code: 'slot_differs', count: 15, positions: [0, 2, 4, 6, 8, 10, 12, 14, 16, 18] },
      { code: 'crm_company_missing', count: 1, positions: [3] },
    ]);
  });
});

describe('mergeFindings', () => {
  it('says of several parts what one collection of all would have said', () => {
    const found = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(999));
    fc.assert(
      fc.property(fc.array(fc.array(found)), (parts) => {
        const whole = createFindings();
        const lists = parts.map((part) => {
          const findings = createFindings();
          for (const [code, position] of part) {
            findings.add(code, position);
            whole.add(code, position);
          }
          return findings.list();
        });
        expect(mergeFindings(lists)).toEqual(whole.list());
      }),
    );
  });
});
