/** Makes texts safe for spreadsheet files: characters that no file may contain, and formulas in CSV files. */

/** XML cannot carry most control characters, and RFC 4180 allows none of them. */
// oxlint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\uFFFE\uFFFF]/g;

/** A quick test that spares most cells the replacements. */
// oxlint-disable-next-line no-control-regex
const mayBeForbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\uD800-\uDFFF\uFFFE\uFFFF]/;

/** The text without control characters except tabs and line breaks; half of a surrogate pair becomes U+FFFD. */
export function toFileText(text: string): string {
  return mayBeForbidden.test(text) ? text.replaceAll(forbidden, '').toWellFormed() : text;
}

// CSV injection (OWASP): a spreadsheet program splits lines at the separator of its locale, a semicolon in Germany, even inside
// quotes. So a cell may begin at the start of a text and after each separator or line break in it.

const separators = ',;\t\r\n';
/**
 * Everything that programs skip before a formula: white space, quotes, invisible characters, separators, and our apostrophe. A formula
 * begins with = + - or @, full-width forms included. The lookbehind prevents a match attempt at each character of a run.
 */
const formulaLead =
  /(?<![\s\p{Cc}\p{Cf}\p{Z}"',;])[\s\p{Cc}\p{Cf}\p{Z}"',;]+(?=[=+\-@＝＋－＠])|^(?=[=+\-@＝＋－＠])/gu;
/** A quick test that spares most texts: a sign after a letter, a digit or other plain ASCII begins no formula, as in an address. */
const mayHaveFormula = /(?:^|[^!#-&(-+\--:<-~])[=+\-@＝＋－＠]/;

/** Inserts an apostrophe wherever a program could read a formula. */
export function escapeFormulas(text: string): string {
  if (!mayHaveFormula.test(text)) return text;
  return text.replaceAll(formulaLead, (run: string, offset: number) =>
    cellStarts(run, offset).reduceRight((escaped, at) => `${escaped.slice(0, at)}'${escaped.slice(at)}`, run),
  );
}

/** Reverses `escapeFormulas`; a text that it did not escape loses at most apostrophes before a formula. */
export function unescapeFormulas(text: string): string {
  if (!text.includes("'") || !mayHaveFormula.test(text)) return text;
  return text.replaceAll(formulaLead, (run: string, offset: number) => {
    const starts = cellStarts(run, offset);
    if (!starts.every((at) => run[at] === "'")) return run;
    return starts.reduceRight((bare, at) => bare.slice(0, at) + bare.slice(at + 1), run);
  });
}

const none: readonly number[] = [];

/** Positions in a run before a formula at which a cell may begin: the start of the text, and after the last separator. */
function cellStarts(run: string, offset: number): readonly number[] {
  let afterSeparator = run.length;
  while (afterSeparator > 0 && !separators.includes(run[afterSeparator - 1] ?? '')) afterSeparator -= 1;
  if (offset > 0 && afterSeparator === 0) return none;
  return [...(offset === 0 ? [0] : []), ...(afterSeparator === 0 ? [] : [afterSeparator])];
}
