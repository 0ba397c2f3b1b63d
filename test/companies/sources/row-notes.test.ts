import {
  isDoubtfulCountry,
  isSwappedPlace,
  isPersonalId,
  isWildcard,
} from '../../../src/companies/sources/row-notes.ts';

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
