import * as fc from 'fast-check';
import { escapeFormulas, unescapeFormulas } from '../../../src/base/spreadsheet/cell-text.ts';
import { anyGrapheme } from '../../helpers/random-text.ts';
import { runsOf } from '../../helpers/sample.ts';

/** Separators, invisible characters, quotes and the beginnings of formulas, in any order. */
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...Array.from(`=+-@＝＋－＠,;\t\r\n "'\u00A0\u200B\uFEFF\u2028\u00ADa1🧀`)),
    anyGrapheme,
  ),
});

describe('escapeFormulas', () => {
  it.each([
    ['=1+1', `'=1+1`],
    ['  =1', `'  =1`],
    ['\uFEFF+1', `'\uFEFF+1`],
    ['\u00A0\u200B@SUM(1)', `'\u00A0\u200B@SUM(1)`],
    ['x;=1+1;y', `x;'=1+1;y`],
    ['x\t =1', `x\t' =1`],
    ['Angebot:\r\n- Beratung\r\n- Planung', `Angebot:\r\n'- Beratung\r\n'- Planung`],
    ['x;"=1"', `x;'"=1"`],
    ['\t=1', `'\t'=1`],
    [`'=1`, `''=1`],
    ['＝1', `'＝1`],
  ])('escapes %j', (text, escaped) => {
    expect(escapeFormulas(text)).toBe(escaped);
    expect(unescapeFormulas(escaped)).toBe(text);
  });

  it.each([
    'info@acme.example',
    'Müller-Lüdenscheidt',
    'a = b',
    'x, y and z',
    `rock'-n'-roll`,
    '',
    'https://a.example/?b=c',
  ])('keeps %j', (text) => expect(escapeFormulas(text)).toBe(text));

  it('lets no cell start with a formula, whatever separators a program uses', () => {
    fc.assert(
      fc.property(hostile, fc.subarray([',', ';', '\t', '\n', '\r'], { minLength: 0 }), (text, separators) => {
        const cells = escapeFormulas(text).split(new RegExp(`[${separators.join('')}]`));
        for (const cell of separators.length === 0 ? [escapeFormulas(text)] : cells)
          expect(cell).not.toMatch(/^[\s\p{Cc}\p{Cf}\p{Z}"]*[=+\-@＝＋－＠]/u);
      }),
      { numRuns: runsOf(2_000) },
    );
  });

  it('can be reversed for any text', () => {
    fc.assert(
      fc.property(hostile, (text) => expect(unescapeFormulas(escapeFormulas(text))).toBe(text)),
      { numRuns: runsOf(2_000) },
    );
  });

  it('takes time proportional to the length of the text', () => {
    const text = `${' \n'.repeat(2_000_000)}x`;
    // Two million positions that each scan the rest would take hours.
    expect(escapeFormulas(`${text}=`)).toBe(`${text}=`);
    expect(unescapeFormulas(`'${text}=`)).toBe(`'${text}=`);
  });
});
