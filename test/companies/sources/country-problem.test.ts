import { isMisspeltCountry } from '../../../src/companies/sources/country-problem.ts';

describe('isMisspeltCountry', () => {
  it.each(['Deutschlnd', 'Detuschland', 'Germny', 'Östereich', 'Switzerlnd', 'Frankrech', 'Austia'])(
    'is true for %s',
    (country) => expect(isMisspeltCountry(country)).toBe(true),
  );

  it.each([
    'Deutschland',
    'GERMANY',
    'Oesterreich',
    'Österreich',
    'Schweiz',
    'Suisse',
    'Italia',
    'Austrija',
    'Brasil',
    'Niederlande',
    'Holland',
    'Turkey',
    'Türkei',
    'England',
    'Niger',
    'Nigeria',
    'Island',
    'Irland',
    'DE',
    'USA',
    'DACH',
    'Deutschland (DE)',
    'Bayern',
    'x'.repeat(10_000),
  ])('is false for %p', (country) => expect(isMisspeltCountry(country)).toBe(false));
});
