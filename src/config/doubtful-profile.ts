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
const severalNames = /[,;]|\s\/\s/;

/** Not the text itself, but a hint at another one: `siehe Anlage`, `same as last time`, the address of a page. */
const hint =
  /^(?:(?:siehe|vgl\.?|cf\.?|same as|voir|idem|vedi|véase|zie|patrz|anbei|(?:see|as) (?:the )?(?:attach\w*|above|below|before|usual|discussed|agreed|pdf|file|document|website|appendix|list)|wie (?:besprochen|gehabt|immer|oben|letzte\w*|bisher)|attached)(?!\p{L}).{0,60}|https?:\/\/\S+)$/iu;

/** `not Automotive`, `keine Banken`, `!Retail`, `nur Maschinenbau` */
const restriction =
  /^(?:[!-]|(?:not|no|except|without|only|nicht|kein\p{L}{0,2}|ohne|außer|nur|sauf|sans|pas|sin|excepto|senza|tranne|geen|niet|behalve|nie|bez)\s)/iu;

/** `all`, an address, a person, several roles. `Head of Sales and Marketing` is one. */
const noRole =
  /^(?:\*|all|any|anybody|anyone|everybody|everyone|alle|jeder|egal|tous|todos|tutti|iedereen)$|@|^(?:herrn?|frau|mrs?\.?|ms\.?|mme)\s|[,;]|\S\s*\/\s*\S|\s(?:or|oder|ou|lub)\s/i;

/** `Stuttgart +50km`, `70173`, `Umkreis Ulm`, `PLZ 7` */
const noCity = /\d|^(?:umkreis|raum|großraum|region|nähe|in der nähe|around|area|near|greater|environs)(?!\p{L})/iu;

/** `C28`, `28.99`, `NACE 28` */
const industryCode = /^(?:(?:nace|wz|sic|naics|noga|ateco|naf|ape)\b.*|[a-u]?\.?\d{2}(?:\.?\d{1,4})?[a-z]?)$/i;

const address = /[^\s@]@[^\s@]+\.\p{L}/u;

export const profileRules: Rules<ProfileTexts> = [
  [
    'ideal_customer_profile',
    ({ ideal_customer_profile: text = '' }) =>
      placeholder.test(text) ? 'is a placeholder. Describe the companies' : null,
  ],
  [
    'ideal_customer_profile',
    ({ ideal_customer_profile: text = '' }) =>
      hint.test(text.trim())
        ? 'is only a hint at another text, which the service does not have. Describe the companies'
        : null,
  ],
  [
    'ideal_customer_profile',
    ({ ideal_customer_profile: text = '' }) =>
      text.startsWith(exampleCustomer)
        ? 'is the example that init has written. Describe the companies that you want'
        : null,
  ],
  ['ideal_customer_profile', ({ ideal_customer_profile: text = '' }) => judgePerson(text)],
  ['seller_offering', ({ seller_offering: text = '' }) => judgePerson(text)],
  [
    'excluded_industries',
    ({ excluded_industries: excluded = [], target_industries: targets = [] }) => {
      const wanted = new Set(targets.map((name) => name.trim().toLowerCase()));
      const both = excluded.filter((name) => wanted.has(name.trim().toLowerCase()));
      return both.length === 0 ? null : `has ${quoted(both)}, which is in target_industries too`;
    },
  ],
  ['contact_roles', ({ contact_roles: roles }) => judgeNames(roles, noRole, 'Write one role, such as Head of IT,')],
  ['target_industries', ({ target_industries: industries }) => judgeIndustries(industries, 'wanted')],
  ['excluded_industries', ({ excluded_industries: industries }) => judgeIndustries(industries, 'excluded')],
  [
    'target_cities',
    ({ target_cities: cities }) =>
      judgeNames(cities, severalNames, 'Write one city') ??
      judgeNames(cities, noCity, 'Write the name of one city') ??
      judgeCities(cities),
  ],
  [
    'output_language',
    ({ output_language: language = '', target_countries: countries = [] }) => findLanguageDoubt(language, countries),
  ],
];

/** Texts of an order can be read in Temporal and by the service. */
function judgePerson(text: string): string | null {
  return address.test(text) ? 'has an email address. Describe companies, and leave people out of the text' : null;
}

function judgeIndustries(industries: readonly string[] | undefined, which: string): string | null {
  return (
    judgeNames(industries, severalNames, 'Write one industry') ??
    judgeNames(industries, restriction, `Write the name of what is ${which}, without not, no or only, one`) ??
    judgeNames(industries, industryCode, 'Write the name of the industry instead of its code, one')
  );
}

function judgeNames(names: readonly string[] = [], wrong: RegExp, remedy: string): string | null {
  const found = names.filter((name) => wrong.test(name.trim()));
  return found.length === 0 ? null : `has ${quoted(found)}. ${remedy} in each text`;
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
