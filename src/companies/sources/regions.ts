/** Regions without a city of their name: Brandenburg, Salzburg and Zürich have one. */
import { toCountryKey } from '../../base/countries/country-names.ts';
import { words } from '../../base/text/words.ts';

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

export function isRegion(text: string): boolean {
  return regions.has(toRegionKey(text));
}
