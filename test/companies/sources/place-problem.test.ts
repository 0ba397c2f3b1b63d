import { isDoubtfulCity, isDoubtfulCountry, isSwappedPlace } from '../../../src/companies/sources/row-notes.ts';

describe('isDoubtfulCity', () => {
  it.each(['70173', 'D-70173', '1010', 'SW1A 1AA', 'Hauptstr. 5', 'Musterweg 12a', '12 High Street', 'Via Roma 3'])(
    'is true for %s',
    (city) => expect(isDoubtfulCity(city)).toBe(true),
  );

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
  ])('is false for %p', (city) => expect(isDoubtfulCity(city)).toBe(false));
});

describe('isDoubtfulCountry', () => {
  it.each(['Deutschlnd', 'DACH', 'EU', 'Benelux', 'Deutschland/Schweiz', 'Germany & Austria', '49', 'Bayern'])(
    'is true for %s',
    (country) => expect(isDoubtfulCountry(country)).toBe(true),
  );

  it.each(['', 'DE', 'D', 'AUT', 'USA', 'Deutschland', 'Deutschland (DE)', 'Österreich'])(
    'is false for %p',
    (country) => expect(isDoubtfulCountry(country)).toBe(false),
  );
});

describe('isSwappedPlace', () => {
  it.each([
    ['Germany', 'Berlin', true],
    ['Singapore', 'Singapore', false],
    ['Germany', '', false],
    ['Berlin', 'Germany', false],
    ['Berlin', 'Bayern', false],
  ])('of the city %s and the country %p is %p', (city, country, expected) =>
    expect(isSwappedPlace(city, country)).toBe(expected),
  );
});
