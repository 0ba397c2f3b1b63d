/** Names of countries, from the data of Node. */

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
const codes = letters.flatMap((first) => letters.map((second) => `${first}${second}`));
const namesByLanguage = new Map<string, readonly string[]>();

/** Names of all countries in the language with this code, such as `en`. */
export function countryNames(language: string): readonly string[] {
  const known = namesByLanguage.get(language);
  if (known !== undefined) return known;
  const names = codes.flatMap((code) => countryNameOf(code, language) ?? []);
  namesByLanguage.set(language, names);
  return names;
}

/** undefined: no country has this code of two capital letters. */
export function countryNameOf(code: string, language: string): string | undefined {
  return displayNames(language).of(code);
}

const displayed = new Map<string, Intl.DisplayNames>();

function displayNames(language: string): Intl.DisplayNames {
  const known = displayed.get(language);
  if (known !== undefined) return known;
  const created = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  displayed.set(language, created);
  return created;
}
