/** Languages of texts and files. The service takes a code such as `en`; a word like `german` would be refused after the start, or ignored. */
import { countryNameOf } from '../base/countries/country-names.ts';
import { judgeCountry } from '../base/countries/judge-country.ts';
import { words } from '../base/text/words.ts';
import { problemAt, type PathProblem } from './problems.ts';

/** Nothing for a value of another type, which the schema reports. */
export function checkLanguage(path: readonly PropertyKey[], value: unknown): PathProblem[] {
  if (typeof value !== 'string' || value === '' || isLanguageCode(value)) return [];
  const remedy = () => {
    const spelled = value.replaceAll('_', '-');
    const code = isLanguageCode(spelled) ? spelled : (findCode(value) ?? languageOfCode(value));
    return code === null ? null : `Did you mean ${code}?`;
  };
  return [problemAt(path, 'must be the code of a language, such as en, de or pt-BR', remedy)];
}

function isLanguageCode(text: string): boolean {
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(text)) return false;
  const [language = ''] = text.toLowerCase().split('-');
  return nameOf(language, 'en') !== null;
}

/** The code of a language by its name in English, in German or in the language itself: `german`, `Deutsch`. */
function findCode(name: string): string | null {
  const wanted = name.trim().toLowerCase();
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  return (
    codes.find((code) => ['en', 'de', code].some((locale) => nameOf(code, locale)?.toLowerCase() === wanted)) ?? null
  );
}

/** The main language of the country with this code: `dk`, `AT`. */
function languageOfCode(code: string): string | null {
  const country = code.trim().toUpperCase();
  return /^[A-Z]{2}$/.test(country) && countryNameOf(country) !== undefined ? languageOf(country) : null;
}

/** null for an unknown language. */
function nameOf(code: string, locale: string): string | null {
  const isKnown = locale !== code || Intl.DisplayNames.supportedLocalesOf([locale]).length > 0;
  if (!isKnown) return null;
  return new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' }).of(code) ?? null;
}

/** What is doubtful about the code of a language in a run that searches these countries: `is "se", which is …`; null: nothing. */
export function findLanguageDoubt(code: string, countries: readonly string[]): string | null {
  const shown = JSON.stringify(code);
  const [short = code] = /^[a-z]{3}(?:-|$)/i.test(code) ? Intl.getCanonicalLocales(code) : [];
  if (short.toLowerCase() !== code.toLowerCase()) return `is ${shown}. Write ${short}`;
  const country = /^[a-z]{2}$/i.test(code) ? countryNameOf(code.toUpperCase()) : undefined;
  const meant = country === undefined ? null : languageOf(code.toUpperCase());
  const home = country === undefined ? undefined : new Intl.Locale(code).maximize().region;
  if (country === undefined || meant === null || home === undefined) return null;
  if (meant === code.toLowerCase() || home === code.toUpperCase()) return null;
  const searched = new Set(
    countries.map((text) => judgeCountry(text)).map((each) => ('name' in each ? each.name : null)),
  );
  if (searched.has(countryNameOf(home) ?? null)) return null;
  const isUsual = usualLanguages.has(code.toLowerCase()) || languageOf(home) === code.toLowerCase();
  if (isUsual && !searched.has(country)) return null;
  return `is ${shown}, which is ${nameOf(code.toLowerCase(), 'en') ?? code}. A language of ${country} has another code, such as ${meant}`;
}

/** Languages of texts about companies, though they are the main language of no country. */
const usualLanguages = new Set(words('cy eu ga gd gl gu kn lb ml mr pa ps ta te tl'));

/** The main language of a country. */
function languageOf(country: string): string {
  return new Intl.Locale(`und-${country}`).maximize().language;
}
