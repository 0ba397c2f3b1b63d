import { createPeopleNames } from '../../../src/companies/sources/people-names.ts';
import { processorMs } from '../../helpers/processor-time.ts';

/** The numbers of the rows that are found, from row 2 on. */
function find(...rows: (readonly [name: string, ...cells: string[]])[]) {
  const names = createPeopleNames();
  for (const [index, [company_name, ...cells]] of rows.entries()) names.add({ company_name }, cells, index + 2);
  return names.rows().first;
}

describe('createPeopleNames', () => {
  it.each([
    ['first and last names', ['Anna Schmidt', 'Peter Wagner', 'JOHN F. SMITH', 'Alpha GmbH']],
    ['last names in front', ['Schmidt, Anna', 'Wagner, Dr. Peter', 'Müller-Lüdenscheidt, Karl Heinz']],
    ['titles and particles', ['Dr. Anna Schmidt', 'Herr Prof. Dr. Jan van der Berg', 'Frau Maria de la Cruz']],
  ])('finds %s', (_, names) => expect(find(...names.map((name) => [name] as const))).toEqual([2, 3, 4]));

  it('finds names that are in the email addresses of their rows', () => {
    expect(
      find(['Yıldız Özgür', '1', 'y.oezguer@beta.de'], ['Xi Chang', 'xi.chang@gamma.de'], ['Ada Byron', 'byron@x.org']),
    ).toEqual([2, 3, 4]);
  });

  it.each<[string, (readonly [string, ...string[]])[]]>([
    ['few people', [['Anna Schmidt'], ['Peter Wagner']]],
    ['people among companies', [['Anna Schmidt'], ['Peter Wagner'], ['Max Huber'], ['Alpha'], ['Beta'], ['Gamma']]],
    ['companies of people', [['Peter Wagner GmbH'], ['Robert Bosch AG'], ['Max Huber KG']]],
    ['companies with a trade', [['Peter Wagner Malerbetrieb'], ['Max Huber Bau'], ['Anna Schmidt & Co']]],
    [
      'companies with a contact, or with mailboxes of their own name',
      [
        ['Alpha Bau', 'anna.schmidt@alpha-bau.de'],
        ['Beta Bau', 'beta@beta.de'],
        ['Pizza Roma', 'pizza.roma@gmail.com'],
      ],
    ],
  ])('does not find %s', (_, rows) => expect(find(...rows)).toEqual([]));

  it('takes linear time', () => {
    const judge = () => {
      for (const text of ['dr. ', ' von', 'a, ', 'anna ', '@', '.'])
        find([text.repeat(30_000), `a@${text.repeat(30_000)}`]);
    };
    expect(processorMs(judge)).toBeLessThan(2_000);
  });
});
