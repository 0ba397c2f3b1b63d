/**
 * Formulas in the texts of a CSV file (OWASP, CSV injection). A spreadsheet program splits lines at the separator of its locale,
 * a semicolon in Germany, whatever the quotes say. So a cell of its own may begin at the start of a text and after each
 * separator or line break in it.
 */

const separators = ',;\t\r\n';
/**
 * All that programs skip before the beginning of a formula: white space, quotes, characters without a width or a shape,
 * separators, and our own apostrophe; from the last other character on. Beginnings are = + - @, full-width forms included. The
 * lookbehind keeps it from trying each part of a run.
 */
const lead = /(?<![\s\p{Cc}\p{Cf}\p{Z}"',;])[\s\p{Cc}\p{Cf}\p{Z}"',;]+(?=[=+\-@＝＋－＠])|^(?=[=+\-@＝＋－＠])/gu;
/** A quick look that spares most texts: a beginning that follows a letter, a digit or other plain ASCII is none, as in an address. */
const suspect = /(?:^|[^!#-&(-+\--:<-~])[=+\-@＝＋－＠]/;

/** Puts an apostrophe wherever a program could see a formula begin. */
export function escapeFormulas(text: string): string {
  if (!suspect.test(text)) return text;
  return text.replaceAll(lead, (run: string, offset: number) =>
    cellStarts(run, offset).reduceRight((escaped, at) => `${escaped.slice(0, at)}'${escaped.slice(at)}`, run),
  );
}

/** Takes back what `escapeFormulas` did; a text that it did not make loses at most apostrophes before a formula. */
export function unescapeFormulas(text: string): string {
  if (!text.includes("'") || !suspect.test(text)) return text;
  return text.replaceAll(lead, (run: string, offset: number) => {
    const starts = cellStarts(run, offset);
    if (!starts.every((at) => run[at] === "'")) return run;
    return starts.reduceRight((bare, at) => bare.slice(0, at) + bare.slice(at + 1), run);
  });
}

const none: readonly number[] = [];

/** Where in a run before a formula a cell may begin: at the start of the text, and after the last separator. */
function cellStarts(run: string, offset: number): readonly number[] {
  let afterSeparator = run.length;
  while (afterSeparator > 0 && !separators.includes(run[afterSeparator - 1] ?? '')) afterSeparator -= 1;
  if (offset > 0 && afterSeparator === 0) return none;
  return [...(offset === 0 ? [0] : []), ...(afterSeparator === 0 ? [] : [afterSeparator])];
}
