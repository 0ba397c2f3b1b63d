/** Languages of texts and files. The service takes a code such as `en`; a word like `german` would be refused after the start, or ignored. */
import { problemAt, type PathProblem } from './problems.ts';

/** Nothing for a value of another type, which the schema reports. */
export function checkLanguage(path: readonly PropertyKey[], value: unknown): PathProblem[] {
  if (typeof value !== 'string' || value === '' || isLanguageCode(value)) return [];
  const remedy = () => {
    const spelled = value.replaceAll('_', '-');
    const code = isLanguageCode(spelled) ? spelled : findCode(value);
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

/** null for an unknown language. */
function nameOf(code: string, locale: string): string | null {
  const isKnown = locale !== code || Intl.DisplayNames.supportedLocalesOf([locale]).length > 0;
  if (!isKnown) return null;
  return new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' }).of(code) ?? null;
}
