/** Decides whether a text can hardly be the name of a company. */
import { comparableName } from '../../service/contract/index.ts';
import { trimEndOf } from '../../base/text/normalize-text.ts';
import { findWebsiteProblem } from './website-problem.ts';

/** U+FFFD, frames of DOS code pages (`M├╝ller`), and a question mark between letters (`M?ller`). */
const lostCharacter = /[\uFFFD\u2500-\u257F]|\p{L}\?\p{L}/u;

/**
 * UTF-8 read as Windows-1252: Western letters (`MÃ¼ller`), also without their second half, which was white space or invisible (`GarcÃa`),
 * punctuation (`â€“`), Central European letters, and Greek or Cyrillic words.
 */
const misreadUtf8 =
  /[ÂÃ][\u0080-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|\p{Ll}[ÂÃ]|â€|[ÄÅ][\u008D¡¯°±º¼¾‚„‡›ŒŸ]|(?:[ÎÏÐÑ][\u0080-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]){2}/u;

const numberOnly = /^[\p{Nd}\s.,'’+()/-]+$/u;

/** In comparable form, without a colon. */
const totals: ReadonlySet<string> = new Set([
  'endsumme',
  'gesamt',
  'gesamtsumme',
  'grand total',
  'insgesamt',
  'somme',
  'subtotal',
  'sum',
  'summe',
  'total',
  'totale',
  'totals',
  'zwischensumme',
]);

/** Broken characters, a number, a web or email address, or without a website the label of a total. */
export function isDoubtfulName(name: string, website: string | undefined): boolean {
  return (
    lostCharacter.test(name) ||
    misreadUtf8.test(name) ||
    (numberOnly.test(name) && /\p{Nd}/u.test(name)) ||
    (!/\s/.test(name) && findWebsiteProblem(name) === null) ||
    (!website && totals.has(trimEndOf(comparableName(name), ': ')))
  );
}
