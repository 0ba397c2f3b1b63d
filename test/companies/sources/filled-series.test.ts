import * as fc from 'fast-check';
import { createFilledSeries } from '../../../src/companies/sources/filled-series.ts';

/** The rows that are found, from row 2 on. */
function find(texts: readonly string[]) {
  const series = createFilledSeries();
  for (const [index, text] of texts.entries()) series.add(text, index + 2);
  return series.rows();
}

describe('createFilledSeries', () => {
  it('finds rows whose texts differ in a number that grows by one', () => {
    const filled = Array.from({ length: 10 }, (_, index) => `firma${index + 1}.de`);
    expect(find(['acme.de', ...filled, 'beta.de'])).toEqual({ rows: 10, first: [3, 4, 5, 6, 7] });
    expect(find(['Firma 08', 'Firma 09', 'Firma 10'])).toEqual({ rows: 3, first: [2, 3, 4] });
    expect(find(['24 Werk 1', '24 Werk 2', '24 Werk 3', 'B 7', 'C 1', 'C 2', 'C 3']).rows).toBe(6);
  });

  it.each([
    ['two rows', ['a1.de', 'a2.de', 'b.de']],
    ['a number that does not grow by one', ['a1.de', 'a3.de', 'a5.de']],
    ['one that falls', ['a3.de', 'a2.de', 'a1.de']],
    ['rows with others between them', ['a1.de', 'b.de', 'a2.de', 'c.de', 'a3.de']],
    ['other texts around the number', ['a1.de', 'b2.de', 'c3.de']],
    ['a number that is always the same', ['Route 66', 'Route 66', 'Route 66']],
    ['a number that is too long', ['1', '2', '3'].map((digit) => `a${'9'.repeat(15)}${digit}`)],
    ['no text', ['', '', '']],
  ])('does not find %s', (_what, texts) => expect(find(texts).rows).toBe(0));

  it('finds nothing in texts without digits', () => {
    fc.assert(fc.property(fc.array(fc.stringMatching(/^\D*$/)), (texts) => expect(find(texts).rows).toBe(0)));
  });
});
