/** Decides whether a text can hardly be the name of a company. */
import { comparableName } from '../../service/contract/index.ts';
import { countryTable, toCountryKey } from '../../base/countries/country-names.ts';
import { isKnownHeader } from '../../base/spreadsheet/header-names.ts';
import { trimEndOf } from '../../base/text/normalize-text.ts';
import { isLegalForm, isLegalFormOnly } from './legal-form.ts';
import { isRegion } from './regions.ts';
import { findWebsiteProblem } from './website-problem.ts';

/** U+FFFD, frames of DOS code pages (`M├╝ller`), and a question mark between letters (`M?ller`). */
const lostCharacter = /[\uFFFD\u2500-\u257F]|\p{L}\?\p{L}/u;

/**
 * UTF-8 read as Windows-1252: Western letters (`MÃ¼ller`), also without their second half, which was white space or invisible (`GarcÃa`),
 * punctuation (`â€“`) and symbols, Central European letters (`WrocÅ‚aw`), and Greek or Cyrillic words.
 */
const misreadUtf8 =
  /[ÂÃ][\u0080-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|\p{Ll}[ÂÃ]|â€|ðŸ|[ÄÅ][\u0080-\u009F¡¯°±º¼¾‚ƒ„†‡ˆ‰‹›˜ŠšŽžŒœŸ]|(?:[ÎÏÐÑ][\u0080-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]){2}/u;

/** The same of any letter of two bytes, where a sign or a capital could not stand in a word: `PrzedsiÄ™biorstwo`, `Å»aba`. */
const misreadInWord =
  /\p{Ll}[Â-ÖØ-Þ][\u0080-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|(?<!\p{L})[Â-ÖØ-Þ][\u0080-\u009F¡-¿€‚„…†‡ˆ‰‹‘’“”•–—˜™›]\p{Ll}/u;

/** Polish and other letters of Windows-1250 and ISO 8859-2 read as Western ones: `P³ock`, `£ódŸ`, `¯abka`. */
const misreadCentral = /\p{L}[¹³¼¾¿£¥¦±¶¯]\p{Ll}|(?<![\p{L}\p{N}])[£¥¦¯]\p{Ll}/u;

/** `MŸller`, `Gro§mann`: a file of an old Mac, read as Windows-1252. Letters of that size do not stand inside words. */
const misreadMac = /\p{Ll}[ŸŠ§€†‡…]\p{Ll}|^\p{Lu}[Ÿ§€†‡…]\p{Ll}/u;

const signsOnly = /^[^\p{L}\p{N}]+$/u;

/** That people add: `🔥 Alpha`, `★ Beta`. Names have the others. */
const addedSign = /(?![©®°™℠№])\p{So}/u;

/** `HRB 1234 B`, `Amtsgericht Ulm HRA 77` */
const registerNumber = /\bHR[AB] ?\d/;

const numberOnly = /^[\p{Nd}\s.,'’+()/-]+$/u;

/** In comparable form, without a number or a colon behind it. */
const totals: ReadonlySet<string> = new Set([
  'anzahl',
  'average',
  'count',
  'durchschnitt',
  'endsumme',
  'ergebnis',
  'gesamt',
  'gesamtanzahl',
  'gesamtzahl',
  'gesamtergebnis',
  'gesamtsumme',
  'grand total',
  'insgesamt',
  'mittelwert',
  'razem',
  'somme',
  'subtotal',
  'sum',
  'suma',
  'summe',
  'teilergebnis',
  'totaal',
  'total',
  'totale',
  'totals',
  'zwischensumme',
]);

/** `Alpha; Beta`, or `Alpha GmbH, Beta AG`: a comma, a slash or an `and` is common in one name, but not between legal forms. */
function hasSeveralNames(name: string): boolean {
  if (/[;|]/.test(name)) return true;
  const parts = name.split(/\/|,\s|\s(?:und|and|et|&|\+)\s/).map((part) => part.trim());
  return parts.filter((part) => !isLegalFormOnly(part) && isLegalForm(part.split(/\s+/).at(-1) ?? '')).length >= 2;
}

/** An address in the cell of the name. A line with the legal form alone only wraps a long name. */
function hasFurtherLine(name: string): boolean {
  const [, ...lines] = name.split('\n');
  return lines.some((line) => line.trim() !== '' && !isLegalFormOnly(line));
}

/** The header of a column, the label of a total, a country or a region. */
function isLabel(name: string): boolean {
  return (
    isKnownHeader(name) ||
    isRegion(name) ||
    totals.has(trimEndOf(comparableName(name), ' :=()[].,0123456789')) ||
    countryTable().countries.has(toCountryKey(name))
  );
}

/** `M?ller`, `MÃ¼ller`, `M\uFFFDller` */
export function hasBrokenLetters(text: string): boolean {
  return [lostCharacter, misreadUtf8, misreadInWord, misreadCentral, misreadMac].some((pattern) => pattern.test(text));
}

/**
 * Broken characters, a number or signs, added symbols, a register number, a web or email address, several names or lines or none but a
 * legal form, or without a website a label.
 */
export function isDoubtfulName(name: string, website: string | undefined): boolean {
  return (
    hasBrokenLetters(name) ||
    signsOnly.test(name) ||
    addedSign.test(name) ||
    registerNumber.test(name) ||
    (numberOnly.test(name) && /\p{Nd}/u.test(name)) ||
    (!/\s/.test(name) && findWebsiteProblem(name) === null) ||
    isLegalFormOnly(name) ||
    hasSeveralNames(name) ||
    hasFurtherLine(name) ||
    (!website && isLabel(name))
  );
}
