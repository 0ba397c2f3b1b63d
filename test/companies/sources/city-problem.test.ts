import { isDoubtfulCity } from '../../../src/companies/sources/city-problem.ts';

describe('isDoubtfulCity', () => {
  it.each(['70173', 'D-70173', '1010', 'SW1A 1AA', 'Hauptstr. 5', 'Musterweg 12a', '12 High Street', 'Via Roma 3'])(
    'is true for %s',
    (city) => expect(isDoubtfulCity(city, '')).toBe(true),
  );

  it.each([
    'Walter Maschinenbau GmbH',
    'Alpha GmbH & Co. KG',
    'Alpha KG',
    'Alpha e.K.',
    'Acme, Inc.',
    'Beta Sp. z o.o. / Ltd',
  ])('is true for the company %s', (city) => expect(isDoubtfulCity(city, '')).toBe(true));

  it.each(['DÃ¼ren', 'K?ln', 'M\uFFFDnchen', 'WrocÅ‚aw', 'P³ock', '?rebro'])(
    'is true for the broken characters of %s',
    (city) => expect(isDoubtfulCity(city, '')).toBe(true),
  );

  it.each([
    'Baden AG',
    'Rheinfelden AG',
    'Denver CO',
    'Bray, Co. Wicklow',
    'Las Vegas NV',
    'Calgary AB',
    'Adelaide SA',
    'Spa',
    'Oy',
    'Sas van Gent',
    '1012 KG Amsterdam',
    '1234 BV Utrecht',
    'Kg. Baru',
    'As',
    'SÃO PAULO',
    'Ängelholm',
  ])('is false for the place %s', (city) => expect(isDoubtfulCity(city, '')).toBe(false));

  it.each([
    '',
    'Stuttgart',
    '70173 Stuttgart',
    '9000 St. Gallen',
    'Praha 4',
    'Wien 3',
    'Straßburg',
    'St. Gallen',
    'Köln',
    'BERLIN',
    'Bad Berka',
  ])('is false for %p', (city) => expect(isDoubtfulCity(city, '')).toBe(false));

  it.each([
    ['Germany', ''],
    ['Deutschland', 'DE'],
    ['Niemcy', ''],
    ['USA', ''],
    ['Baden-Württemberg', ''],
    ['Baden Wuerttemberg', 'Germany'],
    ['Île-de-France', ''],
    ['śląskie', 'Polska'],
    ['Ulm, Germany', ''],
    ['Ulm (Deutschland)', ''],
    ['DE-50667 Köln', ''],
    ['D-50667 Köln', 'Germany'],
  ])('is true for %s in %p, which is a region, or has a country or its code', (city, country) =>
    expect(isDoubtfulCity(city, country)).toBe(true),
  );

  it.each([
    ['Monaco', ''],
    ['Luxembourg', 'Luxembourg'],
    ['Singapore', ''],
    ['Granada', ''],
    ['Trier', ''],
    ['Mexico', ''],
    ['Lebanon', 'USA'],
    ['Poland', 'United States'],
    ['Atlanta, Georgia', ''],
    ['Paris, Texas', 'US'],
    ['Brandenburg', ''],
    ['Salzburg', 'AT'],
    ['Freiburg (Breisgau)', ''],
    ['Frankfurt (Oder)', ''],
    ['Alle', 'CH'],
    ['Eu', 'FR'],
    ['Łódź', ''],
  ])('is false for the city %s in %p', (city, country) => expect(isDoubtfulCity(city, country)).toBe(false));
});
