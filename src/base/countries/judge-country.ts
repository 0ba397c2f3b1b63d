/** Decides whether a text names one country. The service takes any text as a country, and finds nothing for what it does not know. */
import { distance } from 'fastest-levenshtein';
import { countryNameOf, countryTable, toCountryKey } from './country-names.ts';
import { isSwapped } from '../text/suggestions.ts';
import { words } from '../text/words.ts';

export type CountryJudgement =
  /** `name`: in English. */
  | { readonly kind: 'country'; readonly name: string }
  /** One to three letters, which are no name. `name`: null where it is not known. */
  | { readonly kind: 'code'; readonly name: string | null }
  | { readonly kind: 'several'; readonly names: readonly string[] }
  | { readonly kind: 'region' }
  /** `meant`: the name that is probably misspelt. */
  | { readonly kind: 'unknown'; readonly meant: string | null };

const separators = /[,;/|&+\n()]|\b(?:and|und|et)\b/i;
const codePattern = /^[a-z]{1,3}$/i;
/** Longer texts name no country. */
const longest = 200;

/** Words of the official names of countries, such as `Islamic Republic of`. */
const officialWords = new Set(
  words(
    'republic republik of federal bundesrepublik islamic plurinational bolivarian democratic people s united state states',
    'kingdom koenigreich federation duchy grand principality commonwealth arab socialist',
  ),
);

/** Rows have few different countries. */
const judgements = new Map<string, CountryJudgement>();
const mostKept = 1_000;

export function judgeCountry(text: string): CountryJudgement {
  const judgement = judgements.get(text) ?? judge(text);
  if (judgements.size < mostKept) judgements.set(text, judgement);
  return judgement;
}

function judge(text: string): CountryJudgement {
  const { countries, regions } = countryTable();
  if (text.length > longest) return { kind: 'unknown', meant: null };
  const key = toCountryKey(text);
  const name = countries.get(key);
  if (name !== undefined) return { kind: 'country', name };
  if (regions.has(key)) return { kind: 'region' };
  if (codePattern.test(text)) return judgeCode(text);
  return judgeParts(text) ?? judgeWords(key) ?? { kind: 'unknown', meant: findMeant(key) };
}

function judgeCode(text: string): CountryJudgement {
  const name = text.length === 2 ? countryNameOf(text.toUpperCase()) : null;
  return name === undefined ? { kind: 'unknown', meant: null } : { kind: 'code', name };
}

/** `Germany, Austira`, `DE AT`; null: the parts are no countries. */
function judgeParts(text: string): CountryJudgement | null {
  const pattern = /^[A-Z]{2}(?: [A-Z]{2})+$/.test(text) ? ' ' : separators;
  const parts = text.split(pattern).flatMap((part) => part.trim() || []);
  if (parts.length < 2) return null;
  const judged = parts.map((part) => judgeCountry(part));
  const named = judged.flatMap((part) => (part.kind === 'country' || part.kind === 'code' ? [part] : []));
  const areAll = judged.every((part) => named.some((each) => each === part) || isMisspelt(part));
  if (named.length === 0 || !areAll) return null;
  const [first] = named;
  const isOne = named.length === parts.length && named.every(({ name }) => name !== null && name === first?.name);
  return isOne && first?.name ? { kind: 'country', name: first.name } : { kind: 'several', names: parts };
}

function isMisspelt(judgement: CountryJudgement): boolean {
  return judgement.kind === 'unknown' && judgement.meant !== null;
}

/** Names within a text: of several countries, of a region, or of one country with the words of its official name. */
function judgeWords(key: string): CountryJudgement | null {
  const { countries, regions } = countryTable();
  const found = new Set<string>();
  let [hasRegion, hasOther] = [false, false];
  let rest = key.split('_');
  while (rest.length > 0) {
    const length = rest.findLastIndex((_, last) => {
      const name = rest.slice(0, last + 1).join('_');
      return countries.has(name) || regions.has(name);
    });
    const name = rest.slice(0, length + 1).join('_');
    const country = countries.get(name);
    if (country !== undefined) found.add(country);
    else if (length >= 0) hasRegion = true;
    else if (!officialWords.has(rest[0] ?? '')) hasOther = true;
    rest = rest.slice(Math.max(1, length + 1));
  }
  if (hasRegion) return { kind: 'region' };
  const [name] = found;
  if (found.size > 1) return { kind: 'several', names: [...found] };
  return name === undefined || hasOther ? null : { kind: 'country', name };
}

/** Short names resemble too many others, such as those of cities. */
const shortestMisspelt = 5;

function findMeant(key: string): string | null {
  if (key.length < shortestMisspelt) return null;
  const edits = key.length < 8 ? 1 : 2;
  const isNear = (name: string) =>
    name.length >= shortestMisspelt &&
    Math.abs(name.length - key.length) <= edits &&
    (distance(name, key) <= edits || isSwapped(name, key));
  return [...countryTable().usual].find(([name]) => isNear(name))?.[1] ?? null;
}
