import {
  isDoubtfulCity,
  isDoubtfulCountry,
  isSwappedPlace,
  isPersonalId,
  isWildcard,
} from '../../../src/companies/sources/row-notes.ts';

describe('isDoubtfulCity', () => {
  it.each(['70173', 'D-70173', '1010', 'SW1A 1AA', 'Hauptstr. 5', 'Musterweg 12a', '12 High Street', 'Via Roma 3'])(
    'is true for %s',
    (city) => expect(isDoubtfulCity(city)).toBe(true),
  );

  it.each([
    'Walter Maschinenbau GmbH',
    'Alpha GmbH & Co. KG',
    'Alpha KG',
    'Alpha e.K.',
    'Acme, Inc.',
    'Beta Sp. z o.o. / Ltd',
  ])('is true for the company %s', (city) => expect(isDoubtfulCity(city)).toBe(true));

  it.each(['DÃ¼ren', 'K?ln', 'M\uFFFDnchen', 'WrocÅ‚aw', 'P³ock', '?rebro'])(
    'is true for the broken characters of %s',
    (city) => expect(isDoubtfulCity(city)).toBe(true),
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
  ])('is false for the place %s', (city) => expect(isDoubtfulCity(city)).toBe(false));

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
  it.each([
    'Deutschlnd',
    'DACH',
    'EU',
    'Benelux',
    'Deutschland/Schweiz',
    'Germany & Austria',
    '49',
    'Bayern',
    'Ã–sterreich',
    'D?nemark',
  ])('is true for %s', (country) => expect(isDoubtfulCountry(country)).toBe(true));

  it.each(['', 'DE', 'D', 'AUT', 'USA', 'Deutschland', 'Deutschland (DE)', 'Österreich'])(
    'is false for %p',
    (country) => expect(isDoubtfulCountry(country)).toBe(false),
  );
});

describe('isWildcard', () => {
  it.each(['Alpha*', '*Alpha', '* Alpha GmbH', 'Alpha GmbH *', '*3M*'])('is true for %s', (name) =>
    expect(isWildcard(name)).toBe(true),
  );

  it.each(['*', '***', 'E*Trade', 'M*A*S*H', 'Alpha', ''])('is false for %p', (name) =>
    expect(isWildcard(name)).toBe(false),
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

describe('isPersonalId', () => {
  it.each([
    'jane@alpha.example',
    'j.doe+x@mail.alpha.co.uk',
    '+49 711 550',
    '+4971155012',
    '0049 711 55012',
    '0711 55 01 23',
    '0711/550123',
    '(0711) 55012-3',
    '555-010-1234',
  ])('finds %s', (id) => expect(isPersonalId(id)).toBe(true));

  it.each([
    'K-1001',
    '4711',
    '0010012345',
    '30523778935',
    '0049123456',
    'KD@4711',
    '2024-001-17',
    '12-34',
    '+1',
    '1234 5678',
    '',
  ])('does not find %s', (id) => expect(isPersonalId(id)).toBe(false));
});
