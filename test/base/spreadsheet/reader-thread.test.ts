import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTable, type TableFile } from '../../../src/base/spreadsheet/reader-thread.ts';
import type { SelectColumns } from '../../../src/base/spreadsheet/table.ts';
import { readRecords } from '../../helpers/table-records.ts';
import { craftXlsx, header, sharedStrings } from './craft-xlsx.ts';
import { createFolder } from './temporary-folder.ts';
import { sampleOf } from '../../helpers/sample.ts';

const folder = createFolder();

function csv(content: string): TableFile {
  const path = join(folder, 'companies.csv');
  writeFileSync(path, content);
  return { kind: 'csv', path };
}

function xlsx(...file: Parameters<typeof craftXlsx> extends [string, ...infer Rest] ? Rest : never): TableFile {
  const path = join(folder, 'companies.xlsx');
  craftXlsx(path, ...file);
  return { kind: 'xlsx', path };
}

const firstText = '<row r="2"><c r="A2" t="s"><v>0</v></c></row>';
const megabyte = 'x'.repeat(1_000_000);

describe('readTable', () => {
  it('returns the rows of CSV and Excel files, dates and numbers included', async () => {
    expect(await readRecords(readTable(csv('a;b\n1;\n;2\n')))).toEqual([
      { a: '1', b: '' },
      { a: '', b: '2' },
    ]);
    const cells =
      '<c r="A2" t="str"><v>A &amp; B</v></c><c r="B2" t="d"><v>2027-03-31T12:30:00</v></c><c r="C2"><v>1.5</v></c>';
    const headers = ['A', 'B', 'C'].map((name) => `<c r="${name}1" t="inlineStr"><is><t>${name}</t></is></c>`).join('');
    expect(await readRecords(readTable(xlsx(`<row r="1">${headers}</row><row r="2">${cells}</row>`)))).toEqual([
      { A: 'A & B', B: new Date('2027-03-31T12:30:00Z'), C: 1.5 },
    ]);
  });

  it.each([
    [
      '~$kunden.xlsx',
      'it is the lock file of kunden.xlsx, which Excel or LibreOffice has open; save that file, and write its path',
    ],
    [
      '.~lock.kunden.csv#',
      'it is the lock file of kunden.csv, which Excel or LibreOffice has open; save that file, and write its path',
    ],
    ['._kunden.csv', 'it holds what macOS notes about kunden.csv, and no rows; write the path of that file'],
  ])('names the file that is meant by %s', async (name, problem) => {
    const path = join(folder, name);
    writeFileSync(path, 'company_name;city\nAlpha GmbH;Ulm\n');
    const kind = name.includes('xlsx') ? 'xlsx' : 'csv';
    await expect(readRecords(readTable({ kind, path }))).rejects.toThrow(`reading ${path} failed: ${problem}`);
  });

  it.each(['~kunden.csv', '$kunden.csv', '.kunden.csv', '_kunden.csv', 'kunden~$1.csv'])('reads %s', async (name) => {
    const path = join(folder, name);
    writeFileSync(path, 'a\n1\n');
    expect(await readRecords(readTable({ kind: 'csv', path }))).toEqual([{ a: '1' }]);
  });

  it('returns only the selected columns, in the selected order', async () => {
    const seen: unknown[] = [];
    const select: SelectColumns = (found) => (seen.push(found), [2, 0]);
    const batches = await Array.fromAsync(readTable(csv('a,b,c\n1,2,3\n4,5,\n'), { select }));
    expect(seen).toEqual([expect.objectContaining({ headers: ['a', 'b', 'c'], headerNumber: 1 })]);
    expect(batches).toEqual([
      {
        headers: ['c', 'a'],
        headerNumber: 1,
        place: 'row 1',
        rows: [
          { number: 2, cells: ['3', '1'] },
          { number: 3, cells: ['', '4'] },
        ],
      },
    ]);
  });

  it('throws the error of the selection and of the reader', async () => {
    const select = () => {
      throw new TypeError('no such column');
    };
    await expect(readTable(csv('a\n1\n'), { select }).next()).rejects.toThrow('no such column');
    await expect(readTable({ kind: 'csv', path: `${folder}/none.csv` }).next()).rejects.toMatchObject({
      name: 'SpreadsheetError',
      message: `reading ${folder}/none.csv failed: there is no such file (ENOENT)`,
      code: 'ENOENT',
    });
    await expect(readTable(csv('a,b\n1,2,secret\n')).next()).rejects.toMatchObject({ line: 2, code: null });
  });

  it('stops when it is aborted, before and while it reads, and while it waits for another file', async () => {
    const file = csv(`a\n${'x\n'.repeat(400_000)}`);
    await expect(readTable(file, { signal: AbortSignal.abort('enough') }).next()).rejects.toBe('enough');
    const first = readTable(file);
    expect((await first.next()).done).toBe(false);
    const waiting = new AbortController();
    const second = readTable(file, { signal: waiting.signal }).next();
    waiting.abort('no longer');
    await expect(second).rejects.toBe('no longer');
    await first.return(undefined);
    const reading = new AbortController();
    const third = readTable(file, { signal: reading.signal });
    expect((await third.next()).done).toBe(false);
    reading.abort('stop');
    await expect(third.next()).rejects.toBe('stop');
  });

  it('ends the thread, and not the process, when a file exceeds the memory limit', async () => {
    const piece = `<si><t>${'x'.repeat(1_000)}</t></si>`.repeat(1_000);
    const texts = sharedStrings({ begin: '', piece, times: 150, end: '' });
    const file = xlsx(header + firstText, { 'xl/sharedStrings.xml': texts });
    await expect(Array.fromAsync(readTable(file, { memoryMegabytes: 32 }))).rejects.toMatchObject({
      message: expect.stringContaining('it needs more than 32 MB of memory to be read'),
      code: 'OVER_LIMIT',
    });
    // The reader can read the next file.
    expect(await readRecords(readTable(csv('a\n1\n')))).toEqual([{ a: '1' }]);
  });

  const oversized: readonly [string, () => TableFile, string][] = [
    [
      'a small CSV file with 20,000 columns',
      () => csv(`${Array.from({ length: 20_000 }, (_, index) => `c${index}`).join()}\n${'x\n'.repeat(40_000)}`),
      'in line 1: it has 20,000 columns, and at most 1,000 are read',
    ],
    [
      'headers that are a file by themselves',
      () => csv(`a,${'b'.repeat(100_000)}\n1,2\n`),
      'the headers have 100,001 characters',
    ],
    [
      'a value of 200,000 characters',
      () => csv(`a\n1\n${'x'.repeat(200_000)}\n`),
      'in line 3: a value has more than 131,072',
    ],
    [
      'an Excel file with cells A and XFD in every row',
      () => {
        const row = '<row><c r="A2"><v>1</v></c><c r="XFD2"><v>1</v></c></row>';
        return xlsx({ begin: header, piece: row.repeat(1_000), times: 200, end: '' });
      },
      'in line 2: the row has a value beyond column 1,000',
    ],
    [
      'texts that unpack to 1.1 GB',
      () => {
        const texts = sharedStrings({ begin: '<si><t>', piece: megabyte, times: 1_100, end: '</t></si>' });
        return xlsx(header + firstText, { 'xl/sharedStrings.xml': texts });
      },
      'its part xl/sharedStrings.xml is too large unpacked: 1,101 MB',
    ],
    [
      'a part beside the sheet that unpacks to 2.1 GB',
      () => xlsx(header + firstText, { 'xl/media/a.png': { begin: '', piece: megabyte, times: 2_100, end: '' } }),
      'it is 2,101 MB large unpacked, and at most 2,000 MB are read',
    ],
    [
      'a text of 200 MB',
      () => {
        const texts = sharedStrings({ begin: '<si><t>', piece: megabyte, times: 200, end: '</t></si>' });
        return xlsx(header + firstText, { 'xl/sharedStrings.xml': texts });
      },
      'longer than Excel takes',
    ],
    [
      'millions of empty texts',
      () => {
        const texts = sharedStrings({ begin: '', piece: '<si/>'.repeat(100_000), times: 60, end: '' });
        return xlsx(header + firstText, { 'xl/sharedStrings.xml': texts });
      },
      'it has more than 5,000,000 different texts',
    ],
    [
      'a text of 30,000 characters in each of a thousand cells',
      () => {
        const cells = Array.from({ length: 1_000 }, () => '<c t="s"><v>0</v></c>').join('');
        const texts = sharedStrings(`<si><t>${'y'.repeat(30_000)}</t></si>`);
        return xlsx(`${header}<row>${cells}</row>`, { 'xl/sharedStrings.xml': texts });
      },
      'in line 2: the row has more than 1,000,000 characters',
    ],
    [
      'a cell of 40,000 characters',
      () => xlsx(`${header}<row r="7"><c r="A7" t="str"><v>${'y'.repeat(40_000)}</v></c></row>`),
      'in line 7: a cell has more than 32,767 characters',
    ],
    [
      'more rows than a sheet has',
      () => xlsx({ begin: header, piece: '<row/>'.repeat(10_000), times: 110, end: '' }),
      'more than 1,048,576 rows',
    ],
  ];
  it.each(sampleOf(oversized, 4))('rejects %s', async (_, create, problem) => {
    await expect(Array.fromAsync(readTable(create()))).rejects.toMatchObject({
      name: 'SpreadsheetError',
      message: expect.stringContaining(problem),
      code: 'OVER_LIMIT',
    });
  });

  it('ignores the sizes that a file claims to have', async () => {
    const types = xlsx(`<!DOCTYPE a [<!ENTITY b "bbbb">]>${header}`);
    await expect(Array.fromAsync(readTable(types))).rejects.toThrow('it is no Excel file (.xlsx), or a damaged one');
    // Widths of two thousand million columns, a format of a million zeros, and rows beyond the sheet.
    const columns = '<cols><col min="1" max="2000000000"/></cols>';
    const styles = `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'0'.repeat(300_000)}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`;
    const rows = xlsx(`${columns}${header}<row r="2"><c r="A2" s="0"><v>42</v></c></row>`, { 'xl/styles.xml': styles });
    expect(String((await readRecords(readTable(rows)))[0]?.['company_name']).length).toBeLessThanOrEqual(255);
    const beyond = xlsx(`${header}<row r="99999999999"><c r="A2"><v>1</v></c></row>`);
    await expect(Array.fromAsync(readTable(beyond))).rejects.toThrow('a damaged one');
  });

  it('accepts a wide file whose additional columns are empty', async () => {
    expect(await readRecords(readTable(csv(`a,b${','.repeat(16_000)}\n1,2${','.repeat(16_000)}\n`)))).toEqual([
      { a: '1', b: '2' },
    ]);
    expect(await readRecords(readTable(xlsx(`${header}<row><c r="A2"><v>1</v></c><c r="XFD2" s="3"/></row>`)))).toEqual(
      [{ company_name: 1 }],
    );
  });
});
