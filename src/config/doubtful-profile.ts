/** Texts of a profile, or of the orders of a run, that are valid and probably not what is meant. */
import { judgeCountry } from '../base/countries/judge-country.ts';
import { words } from '../base/text/words.ts';
import type { ProfileInput } from '../service/contract/index.ts';
import { findLanguageDoubt } from './language-settings.ts';
import { exampleCustomer } from './profile-settings.ts';
import { quoted, type Rules } from './setting-rules.ts';

type ProfileTexts = { readonly [K in keyof ProfileInput]?: ProfileInput[K] | undefined };

const placeholder = /^\W*(?:todo|tbd|tba|fixme|xxx+|lorem ipsum|placeholder)\b/i;

/** A name such as `IT/Software` may have a slash. */
const severalNames = /[,;]/;

export const profileRules: Rules<ProfileTexts> = [
  [
    'ideal_customer_profile',
    ({ ideal_customer_profile: text = '' }) =>
      placeholder.test(text)
        ? 'is a placeholder. Describe the companies'
        : text.startsWith(exampleCustomer)
          ? 'is the example that init has written. Describe the companies that you want'
          : null,
  ],
  [
    'excluded_industries',
    ({ excluded_industries: excluded = [], target_industries: targets = [] }) => {
      const wanted = new Set(targets.map((name) => name.trim().toLowerCase()));
      const both = excluded.filter((name) => wanted.has(name.trim().toLowerCase()));
      return both.length === 0 ? null : `has ${quoted(both)}, which is in target_industries too`;
    },
  ],
  ['contact_roles', ({ contact_roles: roles }) => judgeNames(roles, /[,;]|\S\s*\/\s*\S/, 'role')],
  ['target_industries', ({ target_industries: industries }) => judgeNames(industries, severalNames, 'industry')],
  ['excluded_industries', ({ excluded_industries: industries }) => judgeNames(industries, severalNames, 'industry')],
  ['target_cities', ({ target_cities: cities }) => judgeNames(cities, severalNames, 'city') ?? judgeCities(cities)],
  [
    'output_language',
    ({ output_language: language = '', target_countries: countries = [] }) => findLanguageDoubt(language, countries),
  ],
];

function judgeNames(names: readonly string[] = [], several: RegExp, noun: string): string | null {
  const found = names.filter((name) => several.test(name));
  return found.length === 0 ? null : `has ${quoted(found)}. Write one ${noun} in each text`;
}

/** The first words of countries that are cities, or have one of the same name. */
const cityCountries = new Set(
  words('belize djibouti gibraltar guatemala hong kuwait luxembourg macao mexico monaco panama san singapore vatican'),
);

function judgeCities(cities: readonly string[] = []): string | null {
  const countries = cities.filter((city) => {
    const judgement = judgeCountry(city);
    return judgement.kind === 'country' && !cityCountries.has(judgement.name.toLowerCase().split(' ')[0] ?? '');
  });
  return countries.length === 0
    ? null
    : `has ${quoted(countries)}, which is a country. Countries go to target_countries`;
}
