/** Decides whether a text can hardly be the name of a city. */
import { countryTable, toCountryKey } from '../../base/countries/country-names.ts';
import { judgeCountry } from '../../base/countries/judge-country.ts';
import { words } from '../../base/text/words.ts';
import { isPlaceWithLegalForm } from './legal-form.ts';
import { hasBrokenLetters } from './name-problem.ts';
import { isRegion } from './regions.ts';

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

/** `Postfach 1234`, `70001 Stuttgart, P.O. Box 12`; the short forms are parts of names without a number. */
const postBox =
  /(?<!\p{L})(?:(?:post(?:fach|bus|box)|p\.? ?o\.? ?box|post office box|boîte postale|boite postale|casella postale|apartado (?:de correos|postal)|skrytka pocztowa|caixa postal)(?!\p{L})|(?:pf|bp|b\.p|box|c\.?p|apartado|apdo|skr\. ?poczt)\.? ?\d)/iu;

/** `Remote (Berlin)`, `Ulm / Homeoffice` */
const betweenPlaces = /[,;/()|+]|\s[-–]\s|\s(?:und|oder|or|and|ou|o|of|lub)\s/i;

/** No city, but work at home, several places, a whole country or the world, or a word that says that there is none. */
const noCities: ReadonlySet<string> = new Set(
  words(
    'remote fully-remote homeoffice home-office work-from-home wfh telearbeit mobiles-arbeiten online virtual virtuell',
    'télétravail à-distance teletrabajo telelavoro smart-working da-remoto thuiswerk thuiswerken zdalnie praca-zdalna',
    'div sonstige n-n tba tbc tbd dito ditto wie-oben s-o same-as-above ausland extranjero buitenland',
    'bundesweit landesweit deutschlandweit österreichweit schweizweit europaweit weltweit international global national',
    'nationwide worldwide world-wide countrywide mondial france-entière internacional internazionale nacional nazionale',
    'wereldwijd landelijk internationaal nationaal cały-kraj cały-świat ogólnopolski',
  ).map(toCountryKey),
);

/** In front of words for places: `versch. Standorte`, `Diverse`. `Vari` is a city. */
const severalPlaces =
  /^(?:versch\.|div\.|(?:verschiedene|unterschiedliche|mehrere|diverse[rs]?|various|multiple|several|plusieurs|divers|différents|varie|varios|varias|diversos|diversas|verschillende|diversen|meerdere|różne|wiele)(?!\p{L}))/iu;

/** A hint at another document. `See im Paznaun` is a town. */
const hint =
  /^(?:(?:siehe|lt\.|laut|gemäß|voir|vedi|véase|zie|patrz)[ :]|see (?:above|below|invoice|notes?|remarks?|comments?|attachment|address|website)(?!\p{L}))/iu;

/** In front of a country: `ganz Deutschland`, `toute la France`, `in tutta Italia`, `cała Polska` */
const wholeCountry =
  /^(?:in )?(?:ganz|gesamt|gesamtes|all of|whole of|toute?|tutta|toda|todo|cał[ay]|heel) (?:la |le |l[’'])?/iu;

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
    isRegion(city) ||
    postBox.test(city) ||
    severalPlaces.test(city) ||
    hint.test(city) ||
    city.split(betweenPlaces).some((part) => noCities.has(toCountryKey(part))) ||
    hasCountry(city.replace(wholeCountry, ''), country)
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
