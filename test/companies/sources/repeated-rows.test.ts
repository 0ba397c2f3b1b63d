import { compareRows, findRepeats } from '../../../src/companies/sources/repeated-rows.ts';
import {
  isSameCompany,
  toComparableCompany,
  type ComparableCompany,
} from '../../../src/companies/sources/same-company.ts';
import type { DraftRow } from '../../../src/ledger/draft-store.ts';
import { sampleOf } from '../../helpers/sample.ts';
import { processorMs } from '../../helpers/processor-time.ts';

type Cells = readonly [name: string, website?: string, city?: string, country?: string, id?: string];

const toCompany = ([company_name, website_url = '', city = '', country = '', external_id = '']: Cells) => {
  const optional = Object.entries({ website_url, city, country, external_id }).filter(([, value]) => value !== '');
  return { company_name, ...Object.fromEntries(optional) };
};

const toRows = (cells: readonly Cells[]) =>
  cells.map((row, position): DraftRow => {
    return { position, company: toCompany(row), sourceRow: position + 2, ownJson: null };
  });

/** `3 certainly 2`: row 3 certainly repeats row 2. The first row is row 2. */
function find(cells: readonly Cells[], areRecordIds = false): string[] {
  const repeats = findRepeats(compareRows(toRows(cells)), { areRecordIds });
  return [...repeats].map(([row, { of, isCertain }]) => `${row.sourceRow} ${isCertain ? 'certainly' : 'maybe'} ${of}`);
}

describe('findRepeats', () => {
  it('compares rows by their names where the website is a word for none', () => {
    const rows: Cells[] = [
      ['Alpha', 'www.keine.de', 'Ulm'],
      ['Beta', 'https://keine.de', 'Ulm'],
      ['Gamma', 'keine.de'],
      ['Alpha', 'www.unbekannt.de', 'Ulm'],
    ];
    expect(find(rows)).toEqual(['5 certainly 2']);
  });

  it('finds the rows of one company in the spellings that lists have', () => {
    const rows: Cells[] = [
      ['Acme GmbH', 'acme.example', 'Köln', 'Germany', 'K1'],
      ['Acme GmbH', 'acme.example', '', 'Germany', 'K1'],
      ['ACME GmbH', 'www.acme.example/de', 'Cologne', 'Germany', 'K7'],
      ['Beta KG', '', 'Ulm', 'Germany', 'K2'],
      ['Beta KG', '', 'Ulm', 'DE', 'K3'],
    ];
    expect(find(rows)).toEqual(['3 certainly 2', '4 certainly 2', '6 certainly 5']);
  });

  it.each<[string, Cells, Cells]>([
    ['its name and domain in another city', ['Acme', 'acme.de', 'Ulm', 'DE'], ['ACME GmbH', 'acme.de', 'Wien', 'AT']],
    ['its name at a subdomain', ['Acme', 'acme.de', 'Ulm'], ['Acme', 'shop.acme.de']],
    ['its domain and city with another name', ['Acme', 'acme.de', 'Köln'], ['Acme Köln', 'acme.de', 'Koeln']],
    ['its domain alone', ['Acme', 'acme.de'], ['Acme Holding', 'acme.de']],
    ['its name alone', ['Beta AG', '', '', '', '1'], ['BETA  AG', '', '', '', '2']],
    ['Köln and Koeln', ['Beta', '', 'Köln'], ['Beta', '', 'Koeln']],
    ['Köln and Koln', ['Beta', '', 'Köln'], ['Beta', '', 'KOLN']],
    ['Zürich and Zuerich', ['Beta', '', 'Zürich', 'CH'], ['Beta', '', 'Zuerich', 'Schweiz']],
    ['Gießen and Giessen', ['Müller', '', 'Gießen'], ['Mueller', '', 'Giessen']],
    [
      'a legal form in full',
      ['Müller Maschinenbau GmbH', '', 'Ulm'],
      ['Müller Maschinenbau Gesellschaft mit beschränkter Haftung', '', 'Ulm'],
    ],
    ['an Austrian form', ['Beta Ges.m.b.H.', '', 'Wien'], ['Beta GmbH', '', 'Wien']],
    [
      'two forms in full',
      ['Beta GmbH & Co. KG', '', 'Ulm'],
      ['Beta Gesellschaft m.b.H. & Co. Kommanditgesellschaft', '', 'Ulm'],
    ],
    ['a form with spaces', ['Beta e.K.', '', 'Ulm'], ['Beta e. K.', '', 'Ulm']],
    ['Sàrl', ['Beta Sàrl', '', 'Genève'], ['Beta Société à responsabilité limitée', '', 'Genf']],
    ['Limited', ['Beta Ltd.', '', 'London'], ['BETA LIMITED', '', 'London']],
    ['a hyphen', ['Müller Maschinenbau GmbH', '', 'Ulm'], ['Müller-Maschinenbau-GmbH', '', 'Ulm']],
    ['and', ['Müller & Söhne AG', '', 'Ulm'], ['Müller und Soehne AG', '', 'Ulm']],
    ['accents', ['Café Crème SA', '', 'Paris'], ['Cafe Creme S.A.', '', 'Paris']],
    ['signs', ["Hein's Bau, Inc.", '', 'Ulm'], ['Heins Bau Inc', '', 'Ulm']],
    ['am Main and a.M.', ['Beta', '', 'Frankfurt am Main'], ['Beta', '', 'Frankfurt a.M.']],
    ['am Main and /Main', ['Beta', '', 'Frankfurt am Main'], ['Beta', '', 'Frankfurt/Main']],
    ['am Main and nothing', ['Beta', '', 'Frankfurt (Main)'], ['Beta', '', '60311 Frankfurt']],
    ['an der Oder and (Oder)', ['Beta', '', 'Frankfurt an der Oder'], ['Beta', '', 'Frankfurt (Oder)']],
    ['an der Ruhr and a.d. Ruhr', ['Beta', '', 'Mülheim an der Ruhr'], ['Beta', '', 'Mülheim a. d. R.']],
    ['Sankt and St.', ['Beta', '', 'Sankt Gallen'], ['Beta', '', 'St.Gallen']],
    ['München and Munich', ['Beta', '', 'München'], ['Beta', '', 'Munich']],
    ['Köln and Cologne', ['Beta', '', 'Koeln'], ['Beta', '', 'Cologne']],
    ['Wien and Vienna', ['Beta', '', '1010 Wien'], ['Beta', '', 'Vienna']],
    ['Zürich and Zurigo', ['Beta', '', 'Zürich'], ['Beta', '', 'Zurigo']],
    ['Genève and Geneva', ['Beta', '', 'Genève'], ['Beta', '', 'Geneva']],
    ['Warszawa and Warschau', ['Beta', '', 'Warszawa'], ['Beta', '', 'Warschau']],
    ['København and Copenhagen', ['Beta', '', 'København'], ['Beta', '', 'Copenhagen']],
    ['Łódź and Lodz', ['Beta', '', 'Łódź'], ['Beta', '', 'Lodz']],
    ['a page of a shared host', ['Beta', 'linkedin.com/a', 'Ulm'], ['Beta', 'gmail.com', 'Ulm']],
  ])('finds a row that certainly repeats one by %s', (_, first, second) => {
    expect(find([first, second])).toEqual(['3 certainly 2']);
    expect(find([second, first])).toEqual(['3 certainly 2']);
  });

  it.each<[string, Cells, Cells]>([
    ['a city', ['Beta', '', 'Ulm'], ['Beta']],
    ['a country', ['Beta', '', 'Ulm', 'DE'], ['Beta', '', 'Ulm']],
    ['a website', ['Beta', 'beta.de', 'Ulm'], ['Beta', '', 'Ulm']],
    ['a city beside the domain, and another name', ['Acme', 'acme.de', 'Ulm'], ['Acme Holding', 'acme.de']],
    ['a legal form', ['Beta GmbH', '', 'Ulm'], ['Beta', '', 'Ulm']],
    ['nothing but another legal form', ['Beta GmbH', '', 'Ulm'], ['Beta AG', '', 'Ulm']],
    ['another city beside an equal id', ['Beta', '', 'Ulm', '', 'K1'], ['Beta', '', 'Bonn', '', 'K1']],
  ])('finds a row that may repeat one, where only one of them has %s', (_, first, second) => {
    expect(find([first, second])).toEqual(['3 maybe 2']);
    expect(find([second, first])).toEqual(['3 maybe 2']);
  });

  it.each<[string, Cells, Cells]>([
    ['a branch of another name', ['Acme', 'acme.de', 'Ulm'], ['Acme Bonn', 'acme.de', 'Bonn']],
    ['its name in another city', ['Beta', '', 'Ulm'], ['Beta', '', 'Bonn']],
    ['its name in another country', ['Beta', '', 'Ulm', 'DE'], ['Beta', '', 'Ulm', 'AT']],
    ['its name with another website', ['Beta', 'beta.de', 'Ulm'], ['Beta', 'beta.fr', 'Ulm']],
    ['its name with a website in another city', ['Beta', 'beta.de', 'Ulm'], ['Beta', '', 'Bonn']],
    ['its id alone', ['Beta', 'beta.de', '', '', 'K1'], ['Acme', 'acme.de', '', '', 'K1']],
    ['its name in another city of this name', ['Beta', '', 'Frankfurt am Main'], ['Beta', '', 'Frankfurt (Oder)']],
    ['its name in another Neustadt', ['Beta', '', 'Neustadt/Sachsen'], ['Beta', '', 'Neustadt a.d. Saale']],
    ['its name in Vienne', ['Beta', '', 'Wien'], ['Beta', '', 'Vienne']],
    ['a name with an abbreviation like a form', ['AB Motor GmbH', '', 'Ulm'], ['AS-Motor GmbH', '', 'Ulm']],
    ['a name that ends in a word of a form', ['Beta Baugesellschaft mbH', '', 'Ulm'], ['Beta Bau GmbH', '', 'Ulm']],
    ['a name with another sign', ['C# Beta GmbH', '', 'Ulm'], ['C Beta GmbH', '', 'Ulm']],
    ['tenants of a site builder', ['One', 'one.wixsite.com'], ['Two', 'two.wixsite.com']],
  ])('does not find %s', (_, first, second) => {
    expect(find([first, second])).toEqual([]);
    expect(find([second, first])).toEqual([]);
  });

  it('finds a row with the record of an earlier one', () => {
    const rows: Cells[] = [
      ['Beta', '', 'Ulm', '', '7'],
      ['Acme', '', 'Bonn', '', '7'],
    ];
    expect(find(rows, true)).toEqual(['3 certainly 2']);
  });

  it('keeps a row of each company: a row is no certain repeat of one that is left out', () => {
    const rows: Cells[] = [
      ['Acme', 'acme.de', 'Ulm'],
      ['Acme', 'acme.de', 'Bonn'],
      ['Acme Bonn', 'acme.de', 'Bonn'],
    ];
    expect(find(rows)).toEqual(['3 certainly 2', '4 maybe 3']);
  });

  it('finds the pairs that the comparison with earlier orders finds', () => {
    const rows: Cells[] = ['Acme GmbH', 'Acme', 'Beta'].flatMap((name) =>
      ['', 'acme.de', 'shop.acme.de', 'beta.de'].flatMap((website) =>
        ['', 'Köln', 'Koeln', 'Ulm'].flatMap((city) =>
          ['', 'DE', 'Austria'].flatMap((country) => ['', 'K1'].map((id): Cells => [name, website, city, country, id])),
        ),
      ),
    );
    const companies = new Map(rows.map((row) => [row, toComparableCompany(toCompany(row))] as const));
    const isSame = (a: Cells, b: Cells) =>
      isSameCompany(companies.get(a) as ComparableCompany, companies.get(b) as ComparableCompany);
    const different = sampleOf(rows, 40).flatMap((a) => rows.filter((b) => isSame(a, b) !== find([a, b]).length > 0));
    expect(different).toEqual([]);
  });

  it('takes little time for many rows of one name, and with one id', () => {
    const rows = toRows(
      Array.from({ length: 10_000 }, (_, index): Cells => {
        const website = index % 2 === 0 ? `host${index}.de` : '';
        return ['Maschinenbau', website, index % 4 < 2 ? `City ${index}` : '', index % 4 < 2 ? 'DE' : 'AT', 'K1'];
      }),
    );
    const withoutIds = rows.map((row): DraftRow => ({ ...row, company: { ...row.company, external_id: null } }));
    for (const list of [rows, withoutIds])
      expect(processorMs(() => findRepeats(compareRows(list), { areRecordIds: false }))).toBeLessThan(2_000);
  });
});
