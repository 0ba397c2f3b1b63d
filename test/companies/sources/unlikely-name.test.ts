import { processorMs } from '../../helpers/processor-time.ts';
import { isUnlikelyName } from '../../../src/companies/sources/unlikely-name.ts';

describe('isUnlikelyName', () => {
  it.each([
    'Test GmbH',
    'TEST',
    'Testfirma 2',
    'Mustermann GmbH',
    'Max Mustermann',
    'Muster AG',
    'Example Ltd.',
    'asdf',
    'asdfasdf',
    'qwertz GmbH',
    'xxx',
    '???',
    'DUPLIKAT - Beta AG',
    'Beta AG (Dublette)',
    'GESPERRT Eta',
    'Eta [inaktiv]',
    'zzz_Gamma (nicht verwenden)',
    'zzz Gamma',
    'xx_Gamma',
    'Gamma - DO NOT USE',
    'Privatkunde',
    'Barverkauf',
    'true',
    'FALSCH',
    'Herr Max Müller',
    'HERR MAX MÜLLER',
    'Frau Dr. Anna Schmidt',
    'Mr. John Smith',
    'Mrs Jane Smith',
    'Mme Anne Petit',
    'z.B. Muster GmbH',
    'z. B. Alpha Maschinenbau',
    'e.g. Acme',
    'E.g.: Acme Inc',
    'Example: Acme Inc',
    'Beispiel: Alpha GmbH',
    'for example Acme',
    '// B Maschinen GmbH',
    '//B Maschinen GmbH',
    '#C Maschinen GmbH',
    '# C Maschinen GmbH',
    '## 3C GmbH',
    '-- D Maschinen GmbH',
    '; E GmbH',
    "' F GmbH",
    '% G GmbH',
    '/* H GmbH */',
    '<!-- I GmbH -->',
  ])('finds %s', (name) => expect(isUnlikelyName({ company_name: name })).toBe(true));

  it.each([
    'Testo SE & Co. KGaA',
    'Stiftung Warentest',
    'Musterring International',
    'True GmbH',
    'Mustang Jeans GmbH',
    'Blocked Drains Ltd',
    'Deleted Scenes Film GmbH',
    'XXXLutz KG',
    'ZZ Drive Technologies',
    'Mister Spex SE',
    'Mr. Wash Autoservice AG',
    'MS Industrie AG',
    'Herrmann Bau',
    'Frauenthal Handel',
    'Dr. Oetker KG',
    'Privatbrauerei Eichhof',
    'Peter Wagner',
    '3M',
    'Aareal Bank',
    'None of the Above GmbH',
    'Ditto Ltd',
    'NaN Robotics',
    'Null Systems Inc',
    'Leer Maritim GmbH',
    'Exempla GmbH',
    'Beispielhaft GmbH & Co. KG',
    'EG Group',
    'ZB MED',
    'Sample Six Inc',
    'Todo Verde S.L.',
    'TBD Media Group',
    'Siehe Oben Verlag',
    '#1 Pizza',
    '#neuland GmbH',
    '@home GmbH',
    "'t Hooft B.V.",
    "'s-Hertogenbosch Bouw",
    '*Asterisk GmbH',
    '-ic- GmbH',
    'C# Consulting',
    '100% Bio GmbH',
    '/dev/null Systems',
    '',
  ])('does not find %s', (name) => expect(isUnlikelyName({ company_name: name })).toBe(false));

  const fillers = [
    'tbd',
    'T.B.D.',
    'TBA',
    'siehe oben',
    's.o.',
    'dito',
    'Ditto',
    'see above',
    'keine Angabe',
    'leer',
    '(leer)',
    'none',
    'NaN',
    'null',
    'undefined',
    '[object Object]',
    'Lorem Ipsum',
    'Lorem ipsum dolor sit amet',
    'Tbd...',
  ];

  it.each(fillers)('finds %s, also with the website of another name', (company_name) => {
    expect(isUnlikelyName({ company_name })).toBe(true);
    expect(isUnlikelyName({ company_name, website_url: 'alpha.de' })).toBe(true);
    expect(isUnlikelyName({ company_name, website_url: 'gmail.com' })).toBe(true);
  });

  it.each([
    ['Ditto', 'ditto.com'],
    ['tbd', 'www.tbd.community'],
    ['None', 'https://none.agency'],
    ['Null', 'null.de'],
    ['Todo', 'todo-reisen.de'],
    ['Lorem Ipsum', 'loremipsum.de'],
  ])('does not find %s with the website %s', (company_name, website_url) => {
    expect(isUnlikelyName({ company_name, website_url })).toBe(false);
  });

  it('takes linear time', () => {
    const judge = () => {
      for (const text of ['(', '[', ')', '.', 'z.', 'e.g', 'lorem ', ' :', 'test '])
        isUnlikelyName({ company_name: text.repeat(30_000) });
    };
    expect(processorMs(judge)).toBeLessThan(2_000);
  });
});
