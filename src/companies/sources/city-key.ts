/** Cities as they are compared: without accents, postal codes and connecting words, by one of their names. */
import { withoutMarks } from '../../base/text/normalize-text.ts';
import { words } from '../../base/text/words.ts';
import { comparableNameOrPlace } from './legal-form.ts';

/** Names of big cities in several languages, each line of one city; the first one is that of the key. */
const citiesByName: ReadonlyMap<string, string> = new Map(
  [
    'aachen/aix la chapelle',
    'aarhus/arhus',
    'antwerpen/antwerp/anvers',
    'athen/athens/athina/athenes',
    'basel/basle/bale/basilea',
    'beijing/peking/pekin',
    'beograd/belgrad/belgrade',
    'bern/berne/berna',
    'biel/bienne/biel bienne',
    'bolzano/bozen/bolzano bozen',
    'braunschweig/brunswick',
    'brno/bruenn',
    'brugge/bruegge/bruges',
    'bruxelles/bruessel/brussels/brussel/bruselas',
    'bucuresti/bukarest/bucharest/bucarest',
    'den haag/the hague/la haye/s gravenhage',
    'firenze/florenz/florence',
    'frankfurt main/frankfurt/francfort',
    'gdansk/danzig',
    'geneve/genf/geneva/ginevra',
    'genova/genua/genoa',
    'gent/ghent/gand',
    'goteborg/gothenburg',
    'hannover/hanover/hanovre',
    'helsinki/helsingfors',
    'istanbul/constantinople',
    'kobenhavn/kopenhagen/copenhagen/copenhague',
    'koeln/cologne/keulen',
    'krakow/krakau/cracow/cracovie',
    'kyiv/kiev/kiew',
    'liege/luettich/luik',
    'lisboa/lissabon/lisbon/lisbonne',
    'ljubljana/laibach',
    'london/londres/londra',
    'luxembourg/luxemburg',
    'luzern/lucerne/lucerna',
    'mainz/mayence',
    'milano/mailand/milan',
    'moskva/moskau/moscow/moscou',
    'muenchen/munich/monaco di baviera',
    'napoli/neapel/naples',
    'new york/new york city/nyc',
    'nice/nizza',
    'nuernberg/nuremberg/norimberga',
    'padova/padua',
    'paris/parigi',
    'plzen/pilsen',
    'porto/oporto',
    'poznan/posen',
    'praha/prag/prague/praga',
    'regensburg/ratisbon/ratisbonne',
    'roma/rom/rome',
    'sevilla/seville',
    'strassburg/strasbourg/estrasburgo',
    'szczecin/stettin',
    'thessaloniki/saloniki',
    'torino/turin',
    'venezia/venedig/venice',
    'warszawa/warschau/warsaw/varsovie',
    'wien/vienna',
    'wroclaw/breslau',
    'zaragoza/saragossa',
    'zuerich/zurigo',
  ].flatMap((line) => {
    const [key = '', ...others] = line.split('/').map(withoutUmlauts);
    return [key, ...others].map((name) => [name, key] as const);
  }),
);

/** Between a city and its river or region: `Frankfurt am Main`, `Halle a. d. Saale`, `Rothenburg o.d.T.` */
const connectives: ReadonlySet<string> = new Set(words('a am an b bei d dem der i im in o ob on sur upon v vor'));

/** At the end of a city. */
const abbreviations: Readonly<Record<string, string>> = {
  br: 'breisgau',
  d: 'donau',
  h: 'hohe',
  m: 'main',
  n: 'neckar',
  o: 'oder',
  r: 'ruhr',
  rh: 'rhein',
  s: 'saale',
  t: 'tauber',
};

const saints: Readonly<Record<string, string>> = { saint: 'st', sankt: 'st', sainte: 'ste' };

/** Also of letters in front: `A-1010 Wien` */
const postalCode = /^(?:[a-z]{1,2}-)?\d{4,5}\s+(?=\S)/;

/** `koln` of `Köln`, `KOELN`, `Cologne` and `50667 Koln`; `frankfurt main` of `Frankfurt a.M.`, `Frankfurt/Main` and `Frankfurt`. */
export function toCityKey(city: string): string {
  const plain = withoutUmlauts(withoutMarks(comparableNameOrPlace(city)));
  const parts = plain
    .replace(postalCode, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '');
  const last = parts.length - 1;
  const kept = parts.flatMap((part, index) => {
    if (index === last && index > 0) return abbreviations[part] ?? part;
    return index > 0 && connectives.has(part) ? [] : (saints[part] ?? part);
  });
  const key = kept.join(' ');
  return citiesByName.get(key) ?? (key || plain);
}

function withoutUmlauts(plain: string): string {
  return plain.replaceAll(/([aou])e/g, '$1');
}
