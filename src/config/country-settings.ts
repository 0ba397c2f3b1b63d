/** `target_countries`: the specification of the service shows texts, each of them one country, and no codes. */
import { z } from 'zod';
import { toCountryKey } from '../base/countries/country-names.ts';
import { judgeCountry } from '../base/countries/judge-country.ts';
import { childOf, validItems } from './partial-validation.ts';
import { problemAt, type PathProblem } from './problems.ts';

/** Refuses several countries in one text. */
export function checkCountries(path: readonly PropertyKey[], run: unknown): PathProblem[] {
  return ['profile', 'order'].flatMap((section) =>
    toCountries(childOf(run, section)).flatMap(([index, text]) => {
      const judgement = judgeCountry(text);
      if (judgement.kind !== 'several') return [];
      const remedy = `Write one country in each text: [${judgement.names.join(', ')}]`;
      return [problemAt([...path, section, 'target_countries', index], 'has several countries in one text', remedy)];
    }),
  );
}

function toCountries(texts: unknown): [index: number, country: string][] {
  return validItems(z.string(), childOf(texts, 'target_countries'));
}

interface CountryRuns {
  readonly runs: Readonly<Record<string, { readonly profile: unknown; readonly orderTexts: unknown }>>;
}

export function warnOfCountries({ runs }: CountryRuns): string[] {
  return Object.entries(runs).flatMap(([name, { profile, orderTexts }]) =>
    Object.entries({ profile, order: orderTexts }).flatMap(([section, texts]) => {
      const countries = toCountries(texts).map(([, country]) => country);
      return [...countries.flatMap((country) => findOddity(country) ?? []), ...findRepetitions(countries)].map(
        (oddity) => `runs.${name}.${section}.target_countries has ${oddity}`,
      );
    }),
  );
}

/** What to write for names of several countries, by their comparable forms. */
const ambiguousNames = new Map([
  ...['korea', 'corea', 'coree', 'coreia'].map((key) => [key, 'South Korea or North Korea'] as const),
  ...['congo', 'kongo'].map((key) => [key, 'Congo - Kinshasa or Congo - Brazzaville'] as const),
  ['georgia', 'United States if the state there is meant, and keep Georgia for the country in the Caucasus'],
  ['virgin_islands', 'British Virgin Islands or U.S. Virgin Islands'],
]);

function findOddity(country: string): string | null {
  const judgement = judgeCountry(country);
  const shown = JSON.stringify(country);
  const candidates = ambiguousNames.get(toCountryKey(country));
  if (candidates !== undefined) return `${shown}, which may be taken for another place. Write ${candidates}`;
  if (judgement.kind === 'code') {
    const write = judgement.name === null ? 'the name of the country' : JSON.stringify(judgement.name);
    return `${shown}: the specification of the service does not say that it takes codes. Write ${write}`;
  }
  if (judgement.kind === 'region') return `${shown}, which is no single country. List its countries`;
  if (judgement.kind !== 'unknown') return null;
  const hint = judgement.meant === null ? '' : `. Did you mean ${judgement.meant}?`;
  return `${shown}, which is no country that is known here: the service may find nothing${hint}`;
}

function findRepetitions(countries: readonly string[]): string[] {
  const groups = Map.groupBy(countries, (country) => {
    const judgement = judgeCountry(country);
    return 'name' in judgement ? judgement.name : null;
  });
  return [...groups].flatMap(([name, texts]) =>
    name === null || texts.length < 2
      ? []
      : [`${name} ${texts.length} times: ${texts.map((text) => JSON.stringify(text)).join(', ')}. Write it once`],
  );
}
