import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import Papa from 'papaparse';
import { writeCsv } from '../../../src/base/spreadsheet/csv-writer.ts';
import { readCsv } from '../../../src/base/spreadsheet/read-csv.ts';
import { readRecords } from '../../helpers/table-records.ts';
import { batches, createFolder } from './temporary-folder.ts';
import { anyGrapheme } from '../../helpers/random-text.ts';
import { runsOf } from '../../helpers/sample.ts';

describe('readCsv', () => {
  const folder = createFolder();
  const path = join(folder, 'companies.csv');

  async function read(content: string | Uint8Array) {
    writeFileSync(path, content);
    return readRecords(readCsv(path));
  }

  it.each([
    ['commas', 'company_name,city\nA,Berlin\n"B, C",Linz\n'],
    ['semicolons, CRLF and a byte order mark', '\uFEFFcompany_name;city\r\nA;Berlin\r\nB, C;Linz\r\n'],
    ['tabs and no last line end', 'company_name\tcity\nA\tBerlin\nB, C\tLinz'],
    ['old Mac line ends', 'company_name|city\rA|Berlin\rB, C|Linz\r'],
    ['blanks around headers', ' company_name ,"city "\nA,Berlin\n"B, C",Linz\n'],
    ['blank lines and blanks', '\ncompany_name,city\n\n  A , Berlin\n,\n"B, C",Linz\n\n\n'],
  ])('reads %s', async (_, content) => {
    expect(await read(content)).toEqual([
      { company_name: 'A', city: 'Berlin' },
      { company_name: 'B, C', city: 'Linz' },
    ]);
  });

  it('returns headers unchanged, and the row numbers of a spreadsheet program', async () => {
    writeFileSync(path, '\nFirma;Kunden-Nr.;\nA;1\n\n;\n"B\nC";2\n\n');
    expect(await Array.fromAsync(readCsv(path))).toEqual([
      {
        headers: ['Firma', 'Kunden-Nr.'],
        headerNumber: 2,
        place: 'row 2',
        rows: [
          { number: 3, cells: ['A', '1'] },
          { number: 6, cells: ['B\nC', '2'] },
        ],
      },
    ]);
  });

  it.each([
    "'Firma';'Ort';'Nr'\n'Alpha GmbH';'Ulm';'1'\n'Beta';'';2\n",
    "company_name,city\n'Alpha GmbH','Ulm'\n",
    "name\n'Alpha'\n 'Beta' \n",
  ])('refuses values in single quotes (%j)', async (content) => {
    await expect(read(content)).rejects.toThrow(
      `the values are in single quotes ('), which would be read as a part of them. Export it with double quotes`,
    );
  });

  it.each(["O'Brien,Ulm", "'t Hof,'s-Hertogenbosch", "'Alpha',Ulm", "Rock 'n' Roll,Ulm", "'Alpha',"])(
    'keeps the apostrophes of %s',
    async (line) => {
      const [a, b] = line.split(',');
      expect(await read(`a,b\n${line}\n`)).toEqual([{ a, b }]);
    },
  );

  it('keeps quotes and line breaks inside values', async () => {
    expect(await read('a,b\r\n"x\r\ny","say ""hi"""\r\n"","1"\r\n')).toEqual([
      { a: 'x\ny', b: 'say "hi"' },
      { a: '', b: '1' },
    ]);
  });

  it('marks short rows, and refuses a last row that is cut off', async () => {
    writeFileSync(path, 'a,b,c,\n1,2,3\n1,2\n4\n1,2,3');
    const rows = (await Array.fromAsync(readCsv(path))).flatMap((page) => page.rows);
    expect(rows.map(({ isShort = false }) => isShort)).toEqual([false, true, true, false]);
    await expect(read('a,b,c\n1,2,3\n"x\ny",secret')).rejects.toThrow(
      'in line 3: the file ends inside this row: it has 2 of 3 values and no line end. Export the file again, or end the row with a line break if it is complete',
    );
  });

  it('reads the texts of formulas that keep Excel from changing them', async () => {
    expect(await read('a,b\n="00042","=""say """"hi"""""""\n=A1,x="1"\n')).toEqual([
      { a: '00042', b: 'say "hi"' },
      { a: '=A1', b: 'x="1"' },
    ]);
  });

  it('fills short rows, and skips columns without a header', async () => {
    expect(await read('a,b,,\n1\n2,3,4,\n5,6,,,,\n')).toEqual([
      { a: '1', b: '' },
      { a: '2', b: '3' },
      { a: '5', b: '6' },
    ]);
  });

  it('reads one column without any separator', async () => {
    expect(await read('company_name\nA\nB\n')).toEqual([{ company_name: 'A' }, { company_name: 'B' }]);
  });

  it('returns no rows for a header alone', async () => {
    expect(await read('a,b')).toEqual([]);
  });

  it.each(Array.from({ length: 16 }, (_, index) => 65_525 + index))(
    'reads values that are split between two chunks (%d bytes before)',
    async (before) => {
      const filler = 'x'.repeat(before - 'a,b\r\n'.length - 4);
      const rows = await read(`a,b\r\n${filler},"ä🧀\r\n"",\r\n"\r\n"y"\r\n`);
      expect(rows).toEqual([
        { a: filler, b: 'ä🧀\n",' },
        { a: 'y', b: '' },
      ]);
    },
  );

  it('reads many rows in order', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `"Gesellschaft für Käse ${index}","Straße\n${index}"`);
    const rows = await read(`a,b\n${lines.join('\n')}\n`);
    expect(rows).toHaveLength(20_000);
    expect(rows.every(({ a, b }, index) => a === `Gesellschaft für Käse ${index}` && b === `Straße\n${index}`)).toBe(
      true,
    );
  });

  it('reads what papaparse and writeCsv write', async () => {
    const cell = fc.string({
      unit: fc.oneof(fc.constantFrom(...Array.from(`=+-@,;"' \t\n`)), anyGrapheme),
    });
    const clean = cell.map((text) => text.trim().replaceAll(/\r\n?/g, '\n'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(clean, clean), { minLength: 1 }), async (cells) => {
        const records = cells.filter((row) => row.some((value) => value !== '')).map(([a, b]) => ({ a, b }));
        const columns = ['a', 'b'].map((key) => ({ key, header: key, kind: 'text' }) as const);
        await writeCsv({ path: `${path}.again`, columns, rows: batches(records) });
        expect(await readRecords(readCsv(`${path}.again`))).toEqual(records);
        // An apostrophe before a formula in a file of another program looks like an escape of writeCsv.
        const foreign = records.filter(({ a, b }) => !`${a}${b}`.includes("'") && !/^="/m.test(`${a}\n${b}`));
        expect(await read(Papa.unparse([['a', 'b'], ...foreign.map(({ a, b }) => [a, b])]))).toEqual(foreign);
      }),
      { numRuns: runsOf(50) },
    );
  });

  it.each([
    ['more values than headers', 'a,b\n1,2\n"x\ny",2\n1,2,secret\n', 5, 'the row has 3 values and the header has 2'],
    ['a value that is never closed', 'a,b\n1,2\n1,"secret\n3,4\n', 3, 'a quoted value is never closed'],
    [
      'the same without an end in sight',
      `a,b\n1,2\n1,"secret${'x,y\n'.repeat(300_000)}`,
      3,
      'or a row is over 1,000,000 characters',
    ],
    ['a quote inside a quoted value', 'a,b\n"1","sec"ret"\n3,4\n', 2, 'write it twice'],
  ])('reports the line of %s, and no value', async (_, content, line, problem) => {
    const failure = await read(content).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'SpreadsheetError', line, path });
    expect(failure).toMatchObject({ message: expect.stringContaining(problem) });
    expect(failure).toMatchObject({ message: expect.stringContaining(`reading ${path} failed in line ${line}: `) });
    expect((failure as Error).message).not.toContain('secret');
  });

  it.each([
    ['a line sep=, which counts as a row', 'sep=;\na,x;b\n1;2\n', 2, { 'a,x': '1', b: '2' }],
    ['as many commas in the header as semicolons', 'a;b, x\n1;2\n', 1, { a: '1', 'b, x': '2' }],
    ['decimal commas in every row', 'a;b;c\n1;2,5;x\n', 1, { a: '1', b: '2,5', c: 'x' }],
  ])('chooses the separator of a file with %s', async (_, content, headerNumber, row) => {
    writeFileSync(path, content);
    const [batch] = await Array.fromAsync(readCsv(path));
    expect(batch?.headerNumber).toBe(headerNumber);
    expect(await read(content)).toEqual([row]);
  });

  it('reads the header from the given row', async () => {
    writeFileSync(path, 'Liste 2026\n\na;b\n1;2\n');
    expect(await readRecords(readCsv(path, { headerRow: 3 }))).toEqual([{ a: '1', b: '2' }]);
    await expect(readRecords(readCsv(path, { headerRow: 2 }))).rejects.toThrow('line 2: the header row is blank');
    await expect(readRecords(readCsv(path, { headerRow: 9 }))).rejects.toThrow(
      'failed: header_row is 9, and the file has 4 rows. Correct header_row',
    );
  });

  it('refuses a line sep= with another separator', async () => {
    await expect(read('sep=x\naxb\n')).rejects.toThrow('names a separator that is not read');
  });

  it('returns repeated headers, each with its own column', async () => {
    writeFileSync(path, 'a,b,b\n1,2,3\n');
    expect(await Array.fromAsync(readCsv(path))).toMatchObject([
      { headers: ['a', 'b', 'b'], rows: [{ cells: ['1', '2', '3'] }] },
    ]);
  });

  it('names the line of bytes that are not UTF-8, also after a chunk', async () => {
    const many = Buffer.from('a\n' + 'ä'.repeat(40_000) + '\nx\n');
    await expect(read(Buffer.concat([many, Buffer.from('K\xe4se\n', 'latin1')]))).rejects.toMatchObject({ line: 4 });
  });

  it('reports the line of an error far into a large file', async () => {
    const failure = read(`a,b\n${'"x\ny",2\n'.repeat(30_000)}1,2,3\n`);
    await expect(failure).rejects.toMatchObject({ line: 60_002 });
  });

  it.each([
    ['Latin-1', Buffer.from('a,b\nK\xe4se,1\n', 'latin1')],
    ['UTF-16', Buffer.from('\uFEFFa,b\n1,2\n', 'utf16le')],
    ['a character cut short at the end', Buffer.from('a\nä').subarray(0, 3)],
  ])('rejects %s', async (_, content) => {
    await expect(read(content)).rejects.toThrow('it has bytes that are not UTF-8; save the file as "CSV UTF-8"');
  });

  it.each(['', '\uFEFF', '\n\n'])('rejects an empty file (%j)', async (content) => {
    await expect(read(content)).rejects.toThrow('the file is empty');
  });

  it('reports a missing file', async () => {
    await expect(readCsv(join(folder, 'none.csv')).next()).rejects.toMatchObject({
      name: 'SpreadsheetError',
      message: `reading ${join(folder, 'none.csv')} failed: there is no such file (ENOENT)`,
    });
  });
});
