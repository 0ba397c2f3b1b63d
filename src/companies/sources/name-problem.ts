/** Decides whether a text can hardly be the name of a company. */
import { comparableName } from '../../service/contract/index.ts';
import { countryTable, toCountryKey } from '../../base/countries/country-names.ts';
import { isHeaderName } from '../../base/spreadsheet/header-names.ts';
import { trimEndOf } from '../../base/text/normalize-text.ts';
import { findWebsiteProblem } from './website-problem.ts';
import { words } from '../../base/text/words.ts';

/** U+FFFD, frames of DOS code pages (`M├╝ller`), and a question mark between letters (`M?ller`). */
const lostCharacter = /[\uFFFD\u2500-\u257F]|\p{L}\?\p{L}/u;

/**
 * UTF-8 read as Windows-1252: Western letters (`MÃ¼ller`), also without their second half, which was white space or invisible (`GarcÃa`),
 * punctuation (`â€“`), Central European letters, and Greek or Cyrillic words.
 */
const misreadUtf8 =
  /[ÂÃ][\u0080-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|\p{Ll}[ÂÃ]|â€|[ÄÅ][\u008D¡¯°±º¼¾‚„‡›ŒŸ]|(?:[ÎÏÐÑ][\u0080-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]){2}/u;

const signsOnly = /^[^\p{L}\p{N}]+$/u;

const numberOnly = /^[\p{Nd}\s.,'’+()/-]+$/u;

/** In comparable form, without a colon. */
const totals: ReadonlySet<string> = new Set([
  'endsumme',
  'ergebnis',
  'gesamt',
  'gesamtergebnis',
  'gesamtsumme',
  'grand total',
  'insgesamt',
  'somme',
  'subtotal',
  'sum',
  'summe',
  'teilergebnis',
  'total',
  'totale',
  'totals',
  'zwischensumme',
]);

/** In comparable form, without dots. */
const plainForms = words(
  'gbr gmbh ggmbh mbh kgaa ohg partg',
  'aps bvba corp corporation inc limited llc llp ltd oyj plc sarl srl sro doo',
);

/** Also the letters of Dutch postal codes, in front of a city: `1012 KG Amsterdam`. */
const lastForms = words('bv eg ek ev kg oy sas ug');

/** Also cantons, states and cities: `Baden AG`, `Denver CO`, `Spa`. */
const placeForms = words('ab ag as asa co nv sa se sl spa zoo');

const legalForms: ReadonlySet<string> = new Set([...plainForms, ...lastForms, ...placeForms]);

const legalWord = /[\s&+]+/;

function isLegalForm(word: string): boolean {
  return legalForms.has(comparableName(word).replaceAll('.', ''));
}

/** In comparable form; `ß` equals `ss`. */
export function comparableNameOrPlace(text: string): string {
  return comparableName(text).replaceAll('ß', 'ss');
}

/** In comparable form: `acme` of `ACME GmbH & Co. KG`; the whole name if it has nothing else. */
export function withoutLegalForm(name: string): string {
  const rest = name.split(legalWord).filter((word) => word !== '' && !isLegalForm(word));
  return comparableNameOrPlace(rest.length === 0 ? name : rest.join(' '));
}

export function hasLegalForm(name: string): boolean {
  return name.split(legalWord).some(isLegalForm);
}

/** `Alpha GmbH`, `Alpha KG`, but not `Baden AG` or `1012 KG Amsterdam` */
export function isPlaceWithLegalForm(place: string): boolean {
  const forms = place.split(legalWord).map((word) => comparableName(word).replaceAll('.', ''));
  return (
    forms.some((form) => plainForms.includes(form)) || (forms.length > 1 && lastForms.includes(forms.at(-1) ?? ''))
  );
}

/** `GmbH`, `GmbH & Co. KG` */
function isLegalFormOnly(name: string): boolean {
  const words = name.split(legalWord).filter((word) => word !== '');
  return words.length > 0 && words.every(isLegalForm);
}

/** `Alpha; Beta`, or `Alpha GmbH, Beta AG`: a comma or a slash is common in one name, but not between legal forms. */
function hasSeveralNames(name: string): boolean {
  if (/[;|]/.test(name)) return true;
  const parts = name.split(/\/|,\s/).map((part) => part.trim());
  return parts.filter((part) => !isLegalFormOnly(part) && isLegalForm(part.split(/\s+/).at(-1) ?? '')).length >= 2;
}

/** An address in the cell of the name. A line with the legal form alone only wraps a long name. */
function hasFurtherLine(name: string): boolean {
  const [, ...lines] = name.split('\n');
  return lines.some((line) => line.trim() !== '' && !isLegalFormOnly(line));
}

/** The header of a column, the label of a total, or a country. */
function isLabel(name: string): boolean {
  return (
    isHeaderName('company_name', name) ||
    totals.has(trimEndOf(comparableName(name), ': ')) ||
    countryTable().countries.has(toCountryKey(name))
  );
}

/** `M?ller`, `MÃ¼ller`, `M\uFFFDller` */
export function hasBrokenLetters(text: string): boolean {
  return lostCharacter.test(text) || misreadUtf8.test(text);
}

/**
 * Broken characters, a number or signs, a web or email address, several names or lines or none but a legal form, or without a website a
 * label.
 */
export function isDoubtfulName(name: string, website: string | undefined): boolean {
  return (
    hasBrokenLetters(name) ||
    signsOnly.test(name) ||
    (numberOnly.test(name) && /\p{Nd}/u.test(name)) ||
    (!/\s/.test(name) && findWebsiteProblem(name) === null) ||
    isLegalFormOnly(name) ||
    hasSeveralNames(name) ||
    hasFurtherLine(name) ||
    (!website && isLabel(name))
  );
}
