import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countRows } from '../../src/spreadsheet/count-rows.ts';
import { writeXlsx } from '../../src/spreadsheet/xlsx-writer.ts';
import { batches, createFolder } from './folder.ts';

describe('countRows', () => {
  const folder = createFolder();
  const file = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  it('counts records, not lines', async () => {
    const path = file('a.csv', '\uFEFFA,B\r\n1,"two\r\nlines"\r\n3,4\r\n');
    expect(await countRows({ path, type: 'csv' })).toBe(2);
    expect(await countRows({ path: file('header.csv', 'A,B\r\n'), type: 'csv' })).toBe(0);
  });

  it('counts the rows of the first sheet', async () => {
    const path = join(folder, 'a.xlsx');
    const columns = [{ key: 'a', header: 'A', kind: 'text' }] as const;
    const rows = batches(Array.from({ length: 1_234 }, (_, index) => ({ a: `row ${index}` })));
    await writeXlsx({ path, sheet: { name: 'Results', columns, rows }, summary: () => [] });
    const counts: number[] = [];
    expect(await countRows({ path, type: 'xlsx', onRows: (count) => counts.push(count) })).toBe(1_234);
    expect(counts.at(-1)).toBe(1_234);
  });

  it.each(['csv', 'xlsx'] as const)('knows no number of what is no %s table', async (type) => {
    const path = file(`b.${type}`, type === 'csv' ? 'A\n"1' : '<html>');
    expect(await countRows({ path, type })).toBeNull();
  });

  it('fails where the file cannot be read', async () => {
    const path = join(folder, 'nowhere.csv');
    await expect(countRows({ path, type: 'csv' })).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
