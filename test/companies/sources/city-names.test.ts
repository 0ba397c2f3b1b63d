import { createCityNames } from '../../../src/companies/sources/city-names.ts';
import { toNameAndHost } from '../../../src/companies/sources/name-in-host.ts';

/** The numbers of the rows that are found, from row 2 on. */
function find(...rows: (readonly [name: string, city?: string, website?: string])[]) {
  const names = createCityNames();
  for (const [index, [company_name, city = '', website_url = '']] of rows.entries())
    names.add({ company_name, city }, toNameAndHost({ company_name, website_url }), index + 2);
  return names.rows().first;
}

describe('createCityNames', () => {
  it.each<[string, (readonly [string, string?, string?])[], number[]]>([
    [
      'cities whose row has a company as its city, by its legal form or its website',
      [
        ['Stuttgart', 'Alpha AG'],
        ['Stuttgart', 'Walter Maschinenbau', 'walter-bau.de'],
        ['Beta', 'Stuttgart'],
        ['Gamma', 'Ulm'],
        ['Delta', 'Bonn'],
      ],
      [2, 3],
    ],
    [
      'the city of the row',
      [
        ['Ulm', 'Ulm'],
        ['Alpha', 'Ulm'],
        ['Beta', 'Bonn'],
      ],
      [2],
    ],
    [
      'another spelling of it',
      [
        ['KOELN', 'Köln'],
        ['Alpha', 'Ulm'],
      ],
      [2],
    ],
    [
      'most names that are cities of other rows',
      [
        ['Ulm', 'Bonn'],
        ['Bonn', 'Wien'],
        ['Wien', 'Ulm'],
        ['Alpha', 'Ulm'],
      ],
      [2, 3, 4],
    ],
    [
      'a city twice',
      [
        ['Ulm', 'Bonn'],
        ['Ulm', 'Ulm'],
        ['Bonn', 'Wien'],
        ['Wien', ''],
      ],
      [2, 3, 4, 5],
    ],
  ])('finds %s', (_, rows, numbers) => expect(find(...rows)).toEqual(numbers));

  it.each<[string, (readonly [string, string?, string?])[]]>([
    [
      'a company that has the name of another city, and the website of its name',
      [
        ['Ulm', 'Bonn', 'ulm-bonn.de'],
        ['Alpha', 'Ulm'],
        ['Beta', 'Bonn'],
      ],
    ],
    [
      'a company in a canton',
      [
        ['Alpha', 'Baden AG'],
        ['Beta', 'Ulm'],
        ['Gamma', 'Bonn'],
      ],
    ],
    [
      'a company that has the name of another city',
      [
        ['Ulm', 'Bonn'],
        ['Alpha', 'Ulm'],
        ['Beta', 'Bonn'],
      ],
    ],
    [
      'a city in a longer name',
      [
        ['Ulm GmbH', 'Ulm'],
        ['Stadtwerke Ulm', 'Ulm'],
      ],
    ],
    ['names without a city', [['Ulm'], ['Bonn'], ['Wien']]],
    ['few of many names', [['Ulm', 'Bonn'], ['Bonn', 'Wien'], ['Wien', 'Ulm'], ['A'], ['B'], ['C']]],
  ])('does not find %s', (_, rows) => expect(find(...rows)).toEqual([]));
});
