import { isNameInHost, toHostParts, toNameAndHost } from '../../../src/companies/sources/name-in-host.ts';

const fits = (name: string, host: string) =>
  isNameInHost(toNameAndHost({ company_name: name }).nameWords, toHostParts(host));

describe('isNameInHost', () => {
  it.each([
    ['Alpha Maschinenbau GmbH', 'alpha-maschinenbau.de'],
    ['Alpha Maschinenbau GmbH', 'shop.maschinenbau-ulm.de'],
    ['Müller Söhne KG', 'muellersoehne.de'],
    ['Müller', 'xn--mller-kva.de'],
    ['Café Noël', 'cafe-noel.fr'],
    ['SAP SE', 'sap.com'],
    ['Bayerische Motoren Werke AG', 'bmw.de'],
  ])('finds %s in %s', (name, host) => expect(fits(name, host)).toBe(true));

  it.each([
    ['Beta Technik AG', 'alpha-maschinenbau.de'],
    ['SAP SE', 'sapporo.com'],
    ['De Vries', 'acme.de'],
    ['GmbH & Co. KG', 'acme.de'],
    ['Кафе', 'acme.de'],
    ['', 'acme.de'],
  ])('does not find %s in %s', (name, host) => expect(fits(name, host)).toBe(false));
});
