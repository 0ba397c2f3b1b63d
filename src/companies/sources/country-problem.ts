/** Decides whether a text is probably the misspelt name of a country. The service takes any text as a country. */
import { distance } from 'fastest-levenshtein';
import { toHeaderKey } from '../../base/spreadsheet/table.ts';
import { countryNames } from '../../base/text/country-names.ts';
import { words } from '../../base/text/words.ts';

/** Names in these languages are right, although some resemble an English or German name: `Italia`, `Austrija`. */
const languages = words(
  'en de fr it es pt nl da sv nb fi is et lv lt pl cs sk sl hr sr-Latn hu ro sq tr ca eu ga mt lb',
);

/** Usual names that are no names of countries in the data. */
const others = words(
  'england scotland schottland wales holland great_britain macedonia mazedonien turkey burma burkina taiwan palestine',
  'bosnia bosnien czech_republic tschechische_republik slovak_republic slowakische_republik swaziland',
);

interface Known {
  readonly all: ReadonlySet<string>;
  /** In English and German. */
  readonly meant: readonly string[];
}

let known: Known | null = null;

function knownNames(): Known {
  const toKeys = (names: Iterable<string>) => Array.from(names, toHeaderKey);
  known ??= {
    all: new Set([...toKeys(languages.flatMap(countryNames)), ...others]),
    meant: toKeys(['en', 'de'].flatMap(countryNames)).filter((key) => key.length >= shortest),
  };
  return known;
}

/** Codes and shorter names resemble too many others. */
const [shortest, longest] = [5, 40];

export function isMisspeltCountry(country: string): boolean {
  if (country.length < shortest || country.length > longest) return false;
  const key = toHeaderKey(country);
  const { all, meant } = knownNames();
  if (key.length < shortest || all.has(key)) return false;
  const edits = key.length < 8 ? 1 : 2;
  return meant.some((name) => Math.abs(name.length - key.length) <= edits && distance(name, key) <= edits);
}
