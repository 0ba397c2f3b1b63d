/** Decides whether a text can hardly be the name of a city. */
import { countryTable, toCountryKey } from '../../base/countries/country-names.ts';
import { judgeCountry } from '../../base/countries/judge-country.ts';
import { words } from '../../base/text/words.ts';
import { isPlaceWithLegalForm } from './legal-form.ts';
import { hasBrokenLetters } from './name-problem.ts';

/** Digits and capital letters: `70173`, `D-70173`, `SW1A 1AA`. */
const postalCode = /^(?=.*\d)[A-Z\d][A-Z\d -]{2,9}$/;

/** `DE-50667 Köln`, `A-1010 Wien` */
const prefixedCode = /^[A-Z]{1,2}-\d{4,5}\s/;

/** `Praha 4` and `Wien 3` are districts of cities, so that only words for streets show a house number. */
const germanStreet = /(?:str\.?|stra(?:ß|ss)e|gasse|weg|platz|allee|ring|damm|ufer|chaussee)\s*\d/i;

const streetWord = /\b(?:street|road|rd|avenue|ave|lane|drive|boulevard|blvd|rue|via|calle|piazza|plaza)\b/i;

/** In English. Others are cities as well: Monaco, Luxembourg, Panama, Granada (Grenada in Spanish), Lebanon, Jordan. */
const countries: ReadonlySet<string> = new Set([
  ...words('Germany Austria Switzerland France Italy Spain Portugal Netherlands Belgium Denmark Sweden Norway Finland'),
  ...words('Iceland Ireland Poland Czechia Slovakia Slovenia Hungary Romania Bulgaria Greece Croatia Serbia Ukraine'),
  ...words('Russia Türkiye Estonia Latvia Lithuania Liechtenstein Canada Brazil China Japan India Australia'),
  'United Kingdom',
  'United States',
]);

/** Regions without a city of their name: Brandenburg, Salzburg and Zürich have one. */
const regions: ReadonlySet<string> = new Set(
  words(
    'dach benelux emea europe europa nrw bayern bavaria hessen hesse niedersachsen lower-saxony saarland sachsen saxony',
    'thüringen thuringia baden-württemberg mecklenburg-vorpommern nordrhein-westfalen north-rhine-westphalia',
    'rheinland-pfalz rhineland-palatinate sachsen-anhalt saxony-anhalt schleswig-holstein',
    'niederösterreich lower-austria oberösterreich upper-austria steiermark styria kärnten tirol tyrol vorarlberg',
    'burgenland aargau thurgau graubünden wallis valais ticino lombardia toscana piemonte veneto emilia-romagna',
    'île-de-france auvergne-rhône-alpes nouvelle-aquitaine occitanie hauts-de-france grand-est pays-de-la-loire',
    'bretagne normandie cataluña catalunya andalucía noord-holland zuid-holland noord-brabant',
    'mazowieckie małopolskie wielkopolskie dolnośląskie śląskie pomorskie łódzkie lubelskie podkarpackie',
  ).map(toRegionKey),
);

/** `baden_wurttemberg` of `Baden-Württemberg`, `Baden Wuerttemberg` and `Baden-Wurttemberg` */
function toRegionKey(text: string): string {
  return toCountryKey(text).replaceAll(/([aou])e/g, '$1');
}

/** `country`: that of the row, or ''. */
export function isDoubtfulCity(city: string, country: string): boolean {
  return (
    hasBrokenLetters(city) ||
    city.startsWith('?') ||
    isPlaceWithLegalForm(city) ||
    postalCode.test(city) ||
    prefixedCode.test(city) ||
    germanStreet.test(city) ||
    (streetWord.test(city) && /\d/.test(city)) ||
    regions.has(toRegionKey(city)) ||
    hasCountry(city, country)
  );
}

/** `Germany`, and `Ulm, Germany`. Where the row is of another country, one of its cities may have the name. */
function hasCountry(city: string, country: string): boolean {
  const parts = city.split(/[,(]/);
  const last = countryTable().countries.get(toCountryKey((parts.at(-1) ?? '').replace(')', '')));
  if (last === undefined || !countries.has(last)) return false;
  const own = judgeCountry(country);
  return parts.length > 1 || !('name' in own) || own.name === null || own.name === last;
}
