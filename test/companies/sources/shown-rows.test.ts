import { toShownRows } from '../../../src/companies/sources/shown-rows.ts';
import type { CompanyRow } from '../../../src/service/contract/index.ts';

const cycle = <T>(values: readonly T[], index: number) => values[index % values.length] as T;
const ordinary = Array.from({ length: 150 }, (_, index): CompanyRow => {
  const [name, trade] = [
    cycle(['Adler', 'Brandt', 'Cramer', 'Dorn & Söhne'], index),
    cycle(['Bau', 'Logistik'], index),
  ];
  return {
    company_name: `${name} ${trade} ${cycle(['GmbH', 'AG', 'KG'], index)}`,
    website_url: `https://firma-${index}.de`,
    city: cycle(['Ulm', 'Bonn', 'Köln'], index),
    country: 'Germany',
  };
});

const show = (companies: readonly CompanyRow[]) =>
  toShownRows(companies.map((company, index) => ({ position: index, company, sourceRow: index + 2, ownJson: null })));

describe('the rows that a user sees before an order', () => {
  // Guarantee: An order that may be a mistake is confirmed first
  it.each<[what: string, odd: CompanyRow]>([
    ['a group of a pivot table', { company_name: 'Baden-Württemberg' }],
    ['a remark', { company_name: 'Hr. Maier anrufen!', city: 'Ulm', country: 'Germany' }],
    [
      'a mark',
      { company_name: 'Adler GmbH (Kunde)', website_url: 'https://adler.de', city: 'Ulm', country: 'Germany' },
    ],
    ['a collective account', { ...ordinary[0], company_name: 'Sammelkonto Inland' }],
    ['an emoji', { ...ordinary[0], company_name: '🔥 Adler GmbH' }],
    ['a register number', { ...ordinary[0], company_name: 'HRB 1234 Adler GmbH' }],
    ['two places', { ...ordinary[0], city: 'Köln / Bonn', company_name: 'Adler GmbH' }],
    ['a name that is not written in Latin letters', { ...ordinary[0], company_name: 'Альфа GmbH' }],
    [
      'a page instead of a website',
      { ...ordinary[0], website_url: 'https://directory.de/list?id=7', company_name: 'Eder AG' },
    ],
  ])('contain %s', (_, odd) => {
    const companies = ordinary.toSpliced(99, 0, odd);
    const lines = show(companies);
    expect(lines).toContain('rows that are least like the others:');
    expect(lines.slice(5).join('\n')).toContain(
      `row 101: ${odd.company_name} | ${odd.website_url ?? '-'} | ${odd.city ?? '-'} | `,
    );
  });

  it('are of different kinds, although there are many of one', () => {
    const marked = Array.from({ length: 10 }, (_, index) => ({
      ...ordinary[0],
      company_name: `(Adler ${index}) GmbH!`,
    }));
    const shown = show([...ordinary, ...marked, { ...ordinary[0], company_name: 'Альфа GmbH' }]);
    expect(shown.join('\n')).toContain('Альфа GmbH');
  });

  it('are the first ones of a source that has no odd one, and all of a short one', () => {
    const [first, second, third] = ordinary.map(
      (row, index) => `  row ${index + 2}: ${row.company_name} | ${row.website_url} | ${row.city} | Germany | -`,
    );
    const alike = Array.from({ length: 100 }, () => ordinary[0] as CompanyRow);
    expect(show(alike)).toEqual([
      'rows at the beginning:',
      first,
      ...[3, 4].map((row) => first?.replace('row 2', `row ${row}`)),
    ]);
    expect(show(ordinary.slice(0, 3))).toEqual(['rows to order:', first, second, third]);
  });

  it('have no number where the source has none, as entries to exclude', () => {
    const titles = { all: 'entries to add:', first: '', unlike: '' };
    expect(toShownRows([{ sourceRow: null, company: { company_name: 'Adler AG', city: 'Ulm' } }], titles)).toEqual([
      'entries to add:',
      '  Adler AG | - | Ulm | - | -',
    ]);
    expect(toShownRows([], titles)).toEqual([]);
  });

  it('show control characters of a file, and no long text', () => {
    const [, line] = show([{ company_name: `\u001B[2J${'a'.repeat(500)}` }]);
    expect(line).toMatch(/^ {2}row 2: \\x1b\[2Ja+… \| - \| - \| - \| -$/);
  });
});
