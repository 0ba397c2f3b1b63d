/** `target_countries`: the specification of the service shows texts, each of them one country, and no codes. */
import { z } from 'zod';
import { countryNameOf, countryNames } from '../base/text/country-names.ts';
import { closestMatch } from '../base/text/suggestions.ts';
import { childOf, validItems } from './partial-validation.ts';
import { problemAt, type PathProblem } from './problems.ts';

/** Languages in which names of countries are recognised; the service may take others too. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'da', 'sv'];
const separators = /[,;/|&+\n]|\b(?:and|und|et)\b/i;
/** No name of a country has so few letters. */
const code = /^[a-z]{1,3}$/i;
/** Used as names in English. */
const shortNames = ['UK', 'USA', 'UAE'];

function isCountry(text: string): boolean {
  const sought = [text, text.replace(/ and /i, ' & ')].map((name) => name.toLowerCase());
  return languages.some((language) => countryNames(language).some((name) => sought.includes(name.toLowerCase())));
}

/** Refuses several countries in one text. Names that contain a separator themselves, such as `Trinidad and Tobago`, are kept. */
export function checkCountries(path: readonly PropertyKey[], run: unknown): PathProblem[] {
  return ['profile', 'order'].flatMap((section) =>
    toCountries(childOf(run, section)).flatMap(([index, text]) => {
      const parts = text.split(separators).flatMap((part) => part.trim() || []);
      if (parts.length < 2 || isCountry(text) || !parts.some(isCountryOrCode)) return [];
      if (!parts.every((part) => isCountryOrCode(part) || isMisspelt(part))) return [];
      const remedy = `Write one country in each text: [${parts.join(', ')}]`;
      return [problemAt([...path, section, 'target_countries', index], 'has several countries in one text', remedy)];
    }),
  );
}

function toCountries(texts: unknown): [index: number, country: string][] {
  return validItems(z.string(), childOf(texts, 'target_countries'));
}

function isCountryOrCode(text: string): boolean {
  return code.test(text) || isCountry(text);
}

/** One word only: `Moldova, Republic of` is one country. */
function isMisspelt(text: string): boolean {
  return /^\S+$/.test(text) && closestMatch(text, countryNames('en')) !== null;
}

interface CountryRuns {
  readonly runs: Readonly<Record<string, { readonly profile: unknown; readonly orderTexts: unknown }>>;
}

export function warnOfCountries({ runs }: CountryRuns): string[] {
  return Object.entries(runs).flatMap(([name, { profile, orderTexts }]) =>
    Object.entries({ profile, order: orderTexts }).flatMap(([section, texts]) =>
      toCountries(texts).flatMap(([, country]) => {
        const warning = judgeCountry(country);
        return warning === null
          ? []
          : [`runs.${name}.${section}.target_countries has ${JSON.stringify(country)}${warning}`];
      }),
    ),
  );
}

/** null: it is a name, or may be one in another language. */
function judgeCountry(country: string): string | null {
  if (isCountry(country) || shortNames.includes(country)) return null;
  if (code.test(country)) {
    const name = country.length === 2 ? countryNameOf(country.toUpperCase(), 'en') : undefined;
    const write = name === undefined ? 'the name of the country' : JSON.stringify(name);
    return `: the specification of the service does not say that it takes codes. Write ${write}`;
  }
  const meant = closestMatch(country, countryNames('en'));
  return meant === null ? null : `. Did you mean ${meant}?`;
}
