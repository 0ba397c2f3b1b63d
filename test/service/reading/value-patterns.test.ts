import { matchesPattern, type RecordContext } from '../../../src/service/reading/value-patterns.ts';

const nothing: RecordContext = { domain: null, email: null };
const ofCompany: RecordContext = { domain: 'nordwind-solar.example', email: null };
const ofPerson: RecordContext = { domain: null, email: 'joerg.von-arnim@nordwind.example' };

describe('matchesPattern', () => {
  it.each([
    ['email', 'anna.schmidt@nordwind.example', nothing],
    ['email', "o'neil+x@sub.nordwind.example", nothing],
    ['website', 'https://www.nordwind-solar.example/de', nothing],
    ['website', 'HTTP://nordwind-solar.example', nothing],
    ['website', 'www.nordwind-solar.example', nothing],
    ['domain', 'nordwind-solar.example', nothing],
    ['domain', 'Shop.Nordwind.CO.UK', nothing],
    ['domain', 'nordwind.de', nothing],
    ['linkedin', 'https://www.linkedin.com/company/nordwind', nothing],
    ['linkedin', 'https://de.linkedin.com/in/anna-schmidt', nothing],
    ['linkedin', 'linkedin.com/in/anna-schmidt', nothing],
    ['company name', 'Nordwind Solar GmbH', ofCompany],
    ['company name', 'NORDWIND', ofCompany],
    ['company name', 'Müller & Söhne KG', { domain: 'mueller-soehne.example', email: null }],
    ['company name', 'X Y Z', { domain: 'xyz.example', email: null }],
    ['full name', 'Jörg von Arnim', ofPerson],
    ['full name', 'Arnim, Jörg', ofPerson],
    ['full name', 'José Núñez', { domain: null, email: 'jose.nunez@nordwind.example' }],
    ['first name', 'Jörg', ofPerson],
    ['last name', 'Arnim', ofPerson],
    ['last name', 'Schmidt', { domain: null, email: 'a.schmidt@nordwind.example' }],
  ] as const)('%s matches %j', (pattern, text, surroundings) => {
    expect(matchesPattern(pattern, text, surroundings)).toBe(true);
  });

  it.each([
    ['email', 'nordwind.example', nothing],
    ['email', 'anna@nordwind', nothing],
    ['email', 'Write to anna@nordwind.example', nothing],
    ['website', 'nordwind-solar.example', nothing],
    ['website', 'https://www.linkedin.com/company/nordwind', nothing],
    ['website', 'https://de-de.facebook.com/nordwind', nothing],
    ['website', 'https://x.com/nordwind', nothing],
    ['website', 'https://de.wikipedia.org/wiki/Wind', nothing],
    ['website', 'https://localhost/', nothing],
    ['domain', 'https://nordwind.example', nothing],
    ['domain', 'linkedin.com', nothing],
    ['domain', 'www.xing.com', nothing],
    ['domain', 'gmail.com', nothing],
    ['domain', 'co.uk', nothing],
    ['domain', '192.168.0.1', nothing],
    ['domain', 'Nordwind', nothing],
    ['linkedin', 'https://www.xing.com/pages/nordwind', nothing],
    ['linkedin', 'linkedin', nothing],
    ['linkedin', 'https://notlinkedin.com/in/x', nothing],
    ['company name', 'Nordwind Solar GmbH', nothing],
    ['company name', 'Packaging', ofCompany],
    ['company name', 'GmbH', ofCompany],
    ['company name', 'info@nordwind-solar.example', ofCompany],
    ['company name', 'nordwind-solar.example', ofCompany],
    ['company name', 'https://nordwind-solar.example', ofCompany],
    ['company name', `Nordwind ${'builds plants and '.repeat(10)}more`, ofCompany],
    ['full name', 'Jörg von Arnim', nothing],
    ['full name', 'Jörg', ofPerson],
    ['full name', 'Head of Sales', ofPerson],
    ['full name', 'Jörg Becker', ofPerson],
    ['first name', 'Jörg', nothing],
    ['first name', 'Arnim', ofPerson],
    ['first name', 'Jörg Arnim', ofPerson],
    ['first name', 'Anna', ofPerson],
    ['last name', 'Jörg', ofPerson],
    ['last name', 'Sales', ofPerson],
  ] as const)('%s does not match %j', (pattern, text, surroundings) => {
    expect(matchesPattern(pattern, text, surroundings)).toBe(false);
  });
});
