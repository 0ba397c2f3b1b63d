import * as fc from 'fast-check';
import { isSameContent } from '../../src/reconcile/slot-findings.ts';

const slot = { status: 'PARTIAL', reasons: [{ code: 'A', message: 'Words' }], company: { id: '1', name: 'Acme' } };

describe('isSameContent', () => {
  it('ignores the wording of a code, and fields that only one side has', () => {
    expect(isSameContent(slot, { ...slot, reasons: [{ code: 'A', message: 'Other words' }], news: 1 })).toBe(true);
  });

  it.each([
    ['another status', { ...slot, status: 'ENRICHED' }],
    ['another reason', { ...slot, reasons: [{ code: 'B', message: 'Words' }] }],
    ['one reason more', { ...slot, reasons: [...slot.reasons, { code: 'B', message: 'Words' }] }],
    ['another name', { ...slot, company: { id: '1', name: 'Other' } }],
    ['no company', { ...slot, company: null }],
  ])('detects %s', (_, other) => {
    expect(isSameContent(slot, other)).toBe(false);
    expect(isSameContent(other, slot)).toBe(false);
  });

  it('is true for any value and its copy', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isSameContent(value, JSON.parse(JSON.stringify(value)))).toBe(true);
      }),
    );
  });
});
