/** Names of countries and of regions, by their comparable form. Most are from the data of Node. */
import { toHeaderKey } from '../text/header-key.ts';
import { withoutMarks } from '../text/normalize-text.ts';
import { words } from '../text/words.ts';

/** Names in these languages are recognised; the service may take others too. */
const languages = words(
  'en de fr it es pt nl da sv nb fi is et lv lt pl cs sk sl hr sr-Latn hu ro sq tr ca eu ga mt lb',
);

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const groupCodes = words('EU EZ UN QO XA XB ZZ');
const codes = letters
  .flatMap((first) => letters.map((second) => `${first}${second}`))
  .filter((code) => !groupCodes.includes(code));

/** Codes of the United Nations for the world, the continents and their parts. */
const continentCodes = words(
  '001 002 003 005 009 011 013 014 015 017 018 019 021 029 030 034 035 039 053 054 061 142 143 145 150 151 154 155 202 419',
);

/** Usual names that are not in the data, by code. */
const otherNames: Readonly<Record<string, string>> = {
  AE: 'uae vae emirates emirate',
  BA: 'bosnia bosnien',
  BF: 'burkina',
  BN: 'brunei_darussalam',
  CD: 'dr_congo democratic_republic_of_congo congo_democratic_republic_of',
  CG: 'congo kongo republic_of_congo',
  CI: 'ivory_coast',
  CV: 'cabo_verde',
  CZ: 'czech_republic tschechische_republik',
  FM: 'federated_states_of_micronesia',
  GB: 'uk u_k england scotland schottland wales northern_ireland nordirland great_britain grossbritannien',
  HK: 'hong_kong hongkong',
  KP: 'democratic_people_s_republic_of_korea korea_democratic_people_s_republic_of',
  KR: 'korea republic_of_korea korea_republic_of',
  LA: 'lao_people_s_democratic_republic',
  MK: 'macedonia mazedonien',
  MM: 'burma myanmar',
  MO: 'macau macao',
  NL: 'holland',
  PS: 'palestine palaestina state_of_palestine',
  RU: 'russian_federation russische_foederation',
  SK: 'slovak_republic slowakische_republik',
  SY: 'syrian_arab_republic',
  SZ: 'swaziland',
  TL: 'east_timor',
  TR: 'turkey',
  TW: 'taiwan_province_of_china',
  US: 'usa u_s u_s_a america amerika united_states_of_america vereinigte_staaten_von_amerika',
  VA: 'vatican vatikan holy_see',
  VN: 'viet_nam',
};

const otherRegions = words(
  'dach d_a_ch benelux emea apac latam mena cee gcc asean eea ewr efta eurozone baltics baltikum balkan balkans iberia',
  'nordics scandinavia skandinavien middle_east naher_osten worldwide world_wide weltweit global international',
  'all alle any everywhere',
);

/** Words between the parts of a name, which languages and programs write differently: `&`, `and`, `und`. */
const connectives = new Set(words('and und et y e i en og och & the'));

/** Equal for the spellings of one name: `Bosnia & Herzegovina`, `bosnia and herzegovina`. */
export function toCountryKey(text: string): string {
  const parts = withoutMarks(toHeaderKey(text.replaceAll('&', ' & '))).split('_');
  return parts.flatMap((part) => (connectives.has(part) ? [] : part === 'saint' ? 'st' : part)).join('_');
}

export interface CountryTable {
  /** English names by the comparable forms of all names. */
  readonly countries: ReadonlyMap<string, string>;
  readonly regions: ReadonlySet<string>;
  /** English and German names as they are written, by their comparable forms. */
  readonly usual: ReadonlyMap<string, string>;
}

let table: CountryTable | null = null;

export function countryTable(): CountryTable {
  return (table ??= createTable());
}

function createTable(): CountryTable {
  const countries = new Map<string, string>();
  const regions = new Set(otherRegions.map(toCountryKey));
  const usual = new Map<string, string>();
  for (const language of languages) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const code of codes) {
      const name = names.of(code);
      if (name === undefined) continue;
      countries.set(toCountryKey(name), countryNameOf(code) ?? name);
      if (language === 'en' || language === 'de') usual.set(toCountryKey(name), name);
    }
    for (const code of [...groupCodes, ...continentCodes]) regions.add(toCountryKey(names.of(code) ?? code));
  }
  for (const [code, keys] of Object.entries(otherNames))
    for (const key of words(keys)) countries.set(toCountryKey(key), countryNameOf(code) ?? code);
  for (const code of groupCodes) regions.add(code.toLowerCase());
  return { countries, regions, usual };
}

const english = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** The English name; undefined: no country has this code of two capital letters. */
export function countryNameOf(code: string): string | undefined {
  return groupCodes.includes(code) ? undefined : english.of(code);
}
