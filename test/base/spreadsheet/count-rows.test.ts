import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countRows } from '../../../src/base/spreadsheet/reader-thread.ts';
import { writeXlsx } from '../../../src/base/spreadsheet/xlsx-writer.ts';
import { batches, createFolder } from './temporary-folder.ts';

describe('countRows', () => {
  const folder = createFolder();
  const file = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  const write = async (name: string, count: number) => {
    const path = join(folder, name);
    const columns = [{ key: 'a', header: 'A', kind: 'text' }] as const;
    const rows = batches(Array.from({ length: count }, (_, index) => ({ a: `row ${index}` })));
    await writeXlsx({ path, sheet: { name: 'Results', columns, rows }, summary: () => [] });
    return path;
  };

  it('counts records, not lines', async () => {
    const path = file('a.csv', '\uFEFFA,B\r\n1,"two\r\nlines"\r\n3,4\r\n');
    expect(await countRows({ path, type: 'csv' })).toBe(2);
    expect(await countRows({ path: file('header.csv', 'A,B\r\n'), type: 'csv' })).toBe(0);
  });

  it('counts the rows of the first sheet', async () => {
    const path = await write('a.xlsx', 1_234);
    const counts: number[] = [];
    expect(await countRows({ path, type: 'xlsx', onRows: (count) => counts.push(count) })).toBe(1_234);
    expect(counts.at(-1)).toBe(1_234);
  });

  it.each(['csv', 'xlsx'] as const)('returns null for a file that is not a %s table', async (type) => {
    const path = file(`b.${type}`, type === 'csv' ? 'A\n"1' : '<html>');
    expect(await countRows({ path, type })).toBeNull();
  });

  it('returns null for an Excel file with a damaged sheet', async () => {
    const bytes = readFileSync(await write('damaged.xlsx', 1_234));
    const sheet = bytes.indexOf('xl/worksheets/sheet1.xml');
    bytes.fill(0xff, sheet + 2_000, sheet + 2_100);
    const path = join(folder, 'damaged.xlsx');
    writeFileSync(path, bytes);
    expect(await countRows({ path, type: 'xlsx' })).toBeNull();
  });

  it('returns null when it takes too long', async () => {
    const path = await write('long.xlsx', 5_000);
    expect(await countRows({ path, type: 'xlsx', longestMs: 1 })).toBeNull();
    expect(await countRows({ path, type: 'xlsx', longestMs: 60_000 })).toBe(5_000);
    const cancelled = countRows({ path, type: 'xlsx', longestMs: 60_000, signal: AbortSignal.abort('cancelled') });
    await expect(cancelled).rejects.toBe('cancelled');
  });

  it('throws when the file cannot be read', async () => {
    const path = join(folder, 'nowhere.csv');
    await expect(countRows({ path, type: 'csv' })).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
