/** Names of countries, from the data of Node. */

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
const codes = letters.flatMap((first) => letters.map((second) => `${first}${second}`));

/** `languages`: codes of languages, such as `en`. */
export function countryNames(...languages: readonly string[]): Set<string> {
  return new Set(
    languages.flatMap((language) => {
      const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
      return codes.flatMap((code) => names.of(code) ?? []);
    }),
  );
}
