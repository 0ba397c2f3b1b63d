import * as fc from 'fast-check';
import { createShiftedWebsites } from '../../../src/companies/sources/shifted-websites.ts';
import { toNameAndHost } from '../../../src/companies/sources/name-in-host.ts';

type Row = readonly [name: string, website: string];

/** The rows that are found, from row 2 on. */
function find(rows: readonly Row[]) {
  const websites = createShiftedWebsites();
  for (const [index, [company_name, website_url]] of rows.entries())
    websites.add(toNameAndHost({ company_name, website_url }), index + 2);
  return websites.rows();
}

const words = ['Alpha', 'Bravo', 'Castor', 'Delta', 'Epsilon', 'Fontane', 'Gamma', 'Hermes', 'Iota', 'Juno'];
const rows = words.map((word): Row => [`${word} GmbH`, `${word.toLowerCase()}-bau.de`]);
/** The websites `by` rows further up. */
const moved = (list: readonly Row[], by: number) =>
  list.map(([name], index): Row => [name, list.at((index + by) % list.length)?.[1] ?? '']);
const none = { rows: 0, first: [] };

describe('createShiftedWebsites', () => {
  it('finds the rows whose websites stand one row higher or lower', () => {
    expect(find(moved(rows, 1))).toEqual({ rows: 9, first: [2, 3, 4, 5, 6] });
    expect(find(moved(rows, -1))).toEqual({ rows: 9, first: [3, 4, 5, 6, 7] });
  });

  it('finds a part of the rows, as below a cell that was inserted', () => {
    expect(find([...rows.slice(0, 4), ...moved(rows.slice(4), -1)])).toEqual({ rows: 5, first: [7, 8, 9, 10, 11] });
    const inserted = rows.map(([name], index): Row => [name, index === 0 ? '' : (rows[index - 1]?.[1] ?? '')]);
    expect(find(inserted)).toEqual({ rows: 9, first: [3, 4, 5, 6, 7] });
  });

  it('finds them where other names fit no website, and rows have none', () => {
    const list = rows.flatMap((row, index): Row[] =>
      index % 4 === 3 ? [row, [`Row ${index}`, `x${index}.de`]] : [row],
    );
    expect(find(moved(list, 1)).rows).toBeGreaterThanOrEqual(5);
  });

  it('finds the rows of a file in which one column was sorted alone, but not a few other names', () => {
    const sorted = [...rows].toSorted(([, a], [, b]) => (a.at(1) ?? '').localeCompare(b.at(1) ?? ''));
    const list = rows.map(([name], index): Row => [name, sorted[index]?.[1] ?? '']);
    const own = list.filter(([name, website]) => website.startsWith(name.split(' ')[0]?.toLowerCase() ?? ''));
    expect(find(list).rows).toBe(list.length - own.length);
    expect(
      find([...list.slice(0, 4), ...rows, ...rows.map(([name, website]): Row => [`${name} X`, `x-${website}`])]),
    ).toEqual(none);
  });

  it('finds no row of a file whose names fit their websites, in any order', () => {
    fc.assert(fc.property(fc.shuffledSubarray(rows), (list) => expect(find(list)).toEqual(none)));
  });

  it('finds no row where names fit no website, or the names of neighbours are alike', () => {
    expect(find(words.map((word, index): Row => [word, `brand${index}.com`]))).toEqual(none);
    expect(find(words.map((word, index): Row => [`Acme ${word}`, `acme-${index}.com`]))).toEqual(none);
    expect(find(words.map((word): Row => [word, 'alpha.de']))).toEqual(none);
    expect(find(words.map((word): Row => [word, '']))).toEqual(none);
  });

  it('finds shifted rows whose names share a word, which is no agreement', () => {
    const alike = words.map((word): Row => [`${word} Technik GmbH`, `${word.toLowerCase()}-technik.example`]);
    expect(find(alike)).toEqual(none);
    expect(find(moved(alike, -1))).toEqual({ rows: 9, first: [3, 4, 5, 6, 7] });
    expect(find(moved(alike, 1))).toEqual({ rows: 9, first: [2, 3, 4, 5, 6] });
    const mixed = alike.flatMap((row, index) => [row, rows[index] ?? row]);
    expect(find(mixed)).toEqual(none);
    const three = words.map((word, index): Row => {
      const trade = ['Technik', 'Stahl', 'Anlagen'][index % 3] ?? '';
      return [`${trade} ${word}`, `${trade}-${word}.example`.toLowerCase()];
    });
    expect(find(three)).toEqual(none);
    expect(find(moved(three, -1)).rows).toBe(9);
    const shuffled = [5, 3, 8, 1, 9, 0, 7, 2, 6, 4].map((at, index): Row => [
      alike[index]?.[0] ?? '',
      alike[at]?.[1] ?? '',
    ]);
    expect(find(shuffled).rows).toBeGreaterThanOrEqual(9);
  });

  it('finds no branches of companies, whose names share the name of the company', () => {
    const branches = words.flatMap((word) =>
      ['Ulm', 'Wien', 'Linz'].map((city): Row => [`${word} ${city}`, `${word.toLowerCase()}.example`]),
    );
    expect(find(branches)).toEqual(none);
    expect(find(words.flatMap((word) => [1, 2, 3].map((): Row => [word, `${word.toLowerCase()}.example`])))).toEqual(
      none,
    );
  });

  it('finds the shifted rows of a long file', () => {
    const long = Array.from({ length: 1_000 }, (_, index): Row => {
      const name = String(index)
        .split('')
        .map((digit) => words[Number(digit)])
        .join('');
      return [`${name} Technik`, `${name.toLowerCase()}-technik.example`];
    });
    expect(find(long)).toEqual(none);
    expect(find(moved(long, -1)).rows).toBeGreaterThanOrEqual(900);
  });

  it('finds no two rows that are exchanged', () => {
    expect(find([...moved(rows.slice(0, 2), 1), ...rows.slice(2)])).toEqual(none);
  });
});
