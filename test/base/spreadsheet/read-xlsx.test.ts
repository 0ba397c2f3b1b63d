import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import type { CellValue } from 'exceljs';
import { SpreadsheetError } from '../../../src/base/spreadsheet/spreadsheet-error.ts';
import { readXlsx } from '../../../src/base/spreadsheet/read-xlsx.ts';
import type { SheetSettings } from '../../../src/base/spreadsheet/table.ts';
import { writeXlsx } from '../../../src/base/spreadsheet/xlsx-writer.ts';
import { readRecords } from '../../helpers/table-records.ts';
import { craftXlsx, header } from './craft-xlsx.ts';
import { createFolder } from './temporary-folder.ts';

const folder = createFolder();

async function write(rows: CellValue[][], more: Record<string, CellValue[][]> = {}): Promise<string> {
  const workbook = new ExcelJS.Workbook();
  for (const [name, cells] of Object.entries({ First: rows, ...more })) {
    const sheet = workbook.addWorksheet(name);
    for (const row of cells) sheet.addRow(row);
  }
  const path = join(folder, 'exclusions.xlsx');
  await workbook.xlsx.writeFile(path);
  return path;
}

async function read(path: string, settings?: SheetSettings) {
  return readRecords(readXlsx(path, settings));
}

describe('readXlsx', () => {
  it('returns the rows of the first sheet by their headers', async () => {
    const path = await write(
      [
        ['Company Name', 'website-url', null, 'City'],
        ['Acme', { text: 'acme.example', hyperlink: 'https://acme.example' }, 'ignored', ' Graz '],
        [],
        ['Rich', { richText: [{ text: 'ri' }, { text: 'ch.example' }] }],
        [null, null, null, 'Bern'],
      ],
      { Second: [['other'], ['x']] },
    );
    expect(await read(path)).toEqual([
      { 'Company Name': 'Acme', 'website-url': 'acme.example', City: 'Graz' },
      { 'Company Name': 'Rich', 'website-url': 'rich.example', City: '' },
      { 'Company Name': '', 'website-url': '', City: 'Bern' },
    ]);
  });

  it('keeps dates, numbers and booleans, and uses the results of formulas', async () => {
    const path = await write([
      ['expires_at', 'external_id', 'flag', 'formula', 'broken', 'time'],
      [
        new Date('2027-03-31T00:00:00Z'),
        501,
        true,
        { formula: 'A1', result: 'computed' },
        { error: '#N/A' },
        new Date('2027-03-31T12:30:00Z'),
      ],
    ]);
    expect(await read(path)).toEqual([
      {
        expires_at: new Date('2027-03-31T00:00:00Z'),
        external_id: 501,
        flag: true,
        formula: 'computed',
        broken: '#N/A',
        time: new Date('2027-03-31T12:30:00Z'),
      },
    ]);
  });

  it('reads the named sheet, or the first visible one by default', async () => {
    const workbook = new ExcelJS.Workbook();
    for (const name of ['Hidden', 'Leads & Ärger', 'Other']) workbook.addWorksheet(name).addRows([['name'], [name]]);
    const hidden = workbook.getWorksheet('Hidden');
    if (hidden !== undefined) hidden.state = 'hidden';
    const path = join(folder, 'sheets.xlsx');
    await workbook.xlsx.writeFile(path);
    expect(await read(path)).toEqual([{ name: 'Leads & Ärger' }]);
    expect(await read(path, { sheet: 'Other' })).toEqual([{ name: 'Other' }]);
    expect(await read(path, { sheet: 'hidden ' })).toEqual([{ name: 'Hidden' }]);
    await expect(read(path, { sheet: '3' })).rejects.toThrow('"Other". Write the name of a sheet, not its number');
    await expect(read(path, { sheet: 'Kunden' })).rejects.toThrow(
      'it has no sheet "Kunden"; its sheets are "Hidden", "Leads & Ärger", "Other"',
    );
  });

  it('uses the configured header row, and numbers rows like Excel', async () => {
    const path = await write([['Title'], [], ['name'], ['A'], [], ['B']]);
    const [batch] = await Array.fromAsync(readXlsx(path, { headerRow: 3 }));
    expect(batch).toEqual({
      headers: ['name'],
      headerNumber: 3,
      place: 'sheet "First", row 3',
      rows: [
        { number: 4, cells: ['A'] },
        { number: 6, cells: ['B'] },
      ],
    });
    await expect(read(path, { headerRow: 2 })).rejects.toThrow('in line 2: the header row is blank');
    await expect(read(path, { headerRow: 99 })).rejects.toThrow(
      'header_row is 99, and the sheet has 6 rows. Correct header_row',
    );
  });

  it('reads a number with the leading zeros of its format', async () => {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('First');
    sheet.addRows([['id'], [42]]);
    sheet.getCell('A2').numFmt = '00000';
    const path = join(folder, 'padded.xlsx');
    await workbook.xlsx.writeFile(path);
    expect(await read(path)).toEqual([{ id: '00042' }]);
  });

  it.each([
    ['General', 12345, {}],
    ['0', 12345, {}],
    ['@', 12345, {}],
    ['00000', 12345, {}],
    ['0;-0;;@', 12345, {}],
    ['#,##0', 123, {}],
    ['0.00', 1.25, {}],
    ['[$-407]0', 12345, {}],
    ['0', 0.5, { formatted: { 0: 0.5 } }],
    ['00000', 42, { formatted: { 0: 42 } }],
    ['"KD-"0', 42, { formatted: { 0: 42 } }],
    ['"KD-"0;-0', 42, { formatted: { 0: 42 } }],
    ['0.00', 12345, { formatted: { 0: 12345 } }],
    ['#,##0', 12345, { formatted: { 0: 12345 } }],
    ['0,', 12345, { formatted: { 0: 12345 } }],
    ['0%', 0.5, { formatted: { 0: 0.5 } }],
    ['0.00E+00', 12345, { formatted: { 0: 12345 } }],
    ['[$€-407] #,##0.00', 12.5, { formatted: { 0: 12.5 } }],
    ['_-* #,##0.00 "€"_-', 12.5, { formatted: { 0: 12.5 } }],
    ['# ?/?', 0.5, { formatted: { 0: 0.5 } }],
    ['000-000', 123456, { formatted: { 0: 123456 } }],
    [';;;', 12345, { formatted: { 0: 12345 } }],
    ['yyyy-mm-dd', 45000, {}],
  ])('says whether the format %s shows another text than %d', async (format, number, formatted) => {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('First');
    sheet.addRows([['id'], [number]]);
    sheet.getCell('A2').numFmt = format;
    const path = join(folder, 'format.xlsx');
    await workbook.xlsx.writeFile(path);
    const [batch] = await Array.fromAsync(readXlsx(path));
    const row = batch?.rows[0];
    expect(row).toEqual({ number: 2, cells: row?.cells, ...formatted });
  });

  it('reads what writeXlsx writes, in batches', async () => {
    const path = join(folder, 'own.xlsx');
    const names = Array.from({ length: 1_201 }, (_, index) => ({ company_name: `Company ${index}` }));
    await writeXlsx({
      path,
      sheet: {
        name: 'Results',
        columns: [{ key: 'company_name', header: 'company_name', kind: 'text' }],
        rows: (async function* () {
          yield names;
        })(),
      },
      summary: () => [],
    });
    const batches = await Array.fromAsync(readXlsx(path));
    expect(batches.map(({ rows }) => rows.length)).toEqual([500, 500, 201]);
    expect(await read(path)).toEqual(names);
  });

  it('reports the file and the fault, never a value', async () => {
    const missing = join(folder, 'missing.xlsx');
    await expect(read(missing)).rejects.toThrow(`reading ${missing} failed: there is no such file (ENOENT)`);
    const damaged = join(folder, 'damaged.xlsx');
    await writeFile(damaged, 'Geheim GmbH');
    await expect(read(damaged)).rejects.toThrow(
      `reading ${damaged} failed: it is no Excel file (.xlsx), or a damaged one`,
    );
    await expect(read(await write([]))).rejects.toThrow('the sheet is empty');
  });

  it('returns rows or one error for a file with any flipped bit', async () => {
    const whole = await readFile(await write(Array.from({ length: 30 }, (_, row) => [`Company ${row}`, row])));
    const path = join(folder, 'flipped.xlsx');
    let refused = 0;
    for (let bit = 0; bit < whole.length * 8; bit += 397) {
      const flipped = Buffer.from(whole);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await writeFile(path, flipped);
      const outcome = await read(path).catch((error: unknown) => error);
      if (Array.isArray(outcome)) continue;
      refused += 1;
      expect(outcome).toBeInstanceOf(SpreadsheetError);
      expect(outcome).toMatchObject({ code: null });
    }
    expect(refused).toBeGreaterThan(20);
  });

  it('uses the size in the directory when the header of a sheet has another one', async () => {
    const path = await write([['company_name'], ['Acme']]);
    const bytes = await readFile(path);
    const header = bytes.indexOf('xl/worksheets/sheet1.xml') - 30;
    bytes.writeUInt32LE(bytes.readUInt32LE(header + 18) - 2, header + 18);
    await writeFile(path, bytes);
    expect(await read(path)).toEqual([{ company_name: 'Acme' }]);
  });

  it('rejects a zip64 file, and says what to do', async () => {
    const path = await write([['company_name'], ['Acme']]);
    const bytes = await readFile(path);
    // Marks the size of the sheet in the directory as zip64.
    bytes.writeUInt32LE(0xffffffff, bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 46 + 24);
    await writeFile(path, bytes);
    await expect(read(path)).rejects.toThrow('it has the zip64 form, which is not read; open it in Excel');
  });

  it('reads a large file to its end', async () => {
    const names = Array.from({ length: 6_000 }, () => ({ name: randomUUID() }));
    const path = await write([['name'], ...names.map(({ name }) => [name])]);
    expect((await readFile(path)).length).toBeGreaterThan(2 * 64 * 1024);
    expect(await read(path)).toEqual(names);
  });

  it('keeps characters of several bytes that are split between chunks', async () => {
    const names = Array.from({ length: 3_000 }, (_, row) => ({ name: `Größe €🧀 ${'x'.repeat(row % 7)} ${row}` }));
    expect(await read(await write([['name'], ...names.map(({ name }) => [name])]))).toEqual(names);
  });

  it('leaves no file in the temporary folder', async () => {
    const temporary = () => readdirSync(tmpdir()).filter((name) => name.startsWith('tmp-'));
    const before = temporary();
    await read(await write([['name'], ['Acme']], { Second: [['name'], ['Geheim']] }));
    expect(temporary()).toEqual(before);
  });

  it('throws the error of the operating system', async () => {
    await expect(read(folder)).rejects.toMatchObject({ code: 'EISDIR' });
  });
});

describe('a text that is struck through', () => {
  const read = async (fonts: string, xfs: string) => {
    const path = join(folder, 'struck.xlsx');
    const styles = `<styleSheet><fonts>${fonts}</fonts><cellStyleXfs><xf fontId="1"/></cellStyleXfs><cellXfs>${xfs}</cellXfs><dxfs><dxf><font><strike/></font></dxf></dxfs></styleSheet>`;
    const cell = '<c r="A2" s="1" t="inlineStr"><is><t>Alpha</t></is></c><c r="B2" s="1"/>';
    craftXlsx(path, `${header}<row r="2">${cell}</row>`, { 'xl/styles.xml': styles });
    const rows = [];
    for await (const page of readXlsx(path)) rows.push(...page.rows);
    return rows.map(({ struck }) => struck);
  };

  it.each([
    ['the font of its cell', '<font/><font><strike/></font>', '<xf fontId="0"/><xf fontId="1"/>', [[0]]],
    ['a font that says so', '<font/><font><strike val="true"/></font>', '<xf/><xf fontId="1"/>', [[0]]],
    ['a font that denies it', '<font/><font><strike val="0"/></font>', '<xf/><xf fontId="1"/>', [undefined]],
    ['another font', '<font><strike/></font><font/>', '<xf fontId="0"/><xf fontId="1"/>', [undefined]],
    ['a font that is missing', '', '<xf/><xf fontId="7"/>', [undefined]],
    ['no style', '<font><strike/></font>', '', [undefined]],
  ])('is found by %s', async (_, fonts, xfs, expected) => {
    expect(await read(fonts, xfs)).toEqual(expected);
  });
});

describe('the comments of a sheet', () => {
  const relations = 'xl/worksheets/_rels/sheet1.xml.rels';
  const read = async (parts: Record<string, string>) => {
    const path = join(folder, 'comments.xlsx');
    craftXlsx(path, `${header}<row r="2"><c r="A2"><v>1</v></c></row><row r="3"><c r="A3"><v>2</v></c></row>`, parts);
    const rows = [];
    for await (const page of readXlsx(path)) rows.push(...page.rows);
    return rows.map(({ comment }) => comment);
  };
  const related = (target: string) =>
    `<Relationships><Relationship Id="r1" Type="t/comments" Target="${target}"/></Relationships>`;
  const comment = (ref: string, text: string) =>
    `<comment ref="${ref}"><text><r><rPr><b/></rPr><t>${text}</t></r><r><t>!</t></r></text></comment>`;
  const list = (...comments: string[]) => `<comments><commentList>${comments.join('')}</commentList></comments>`;

  it('belong to its rows, wherever the part is', async () => {
    const comments = list(comment('B3', 'one'), comment('A3', 'two'), comment('A9', 'below'), comment('?', 'nowhere'));
    expect(await read({ [relations]: related('/xl/notes.xml'), 'xl/notes.xml': comments })).toEqual([
      undefined,
      'one!\ntwo!',
    ]);
  });

  it('are cut where they are long', async () => {
    const comments = list(comment('A2', 'x'.repeat(2_000)));
    const [text = ''] = await read({ [relations]: related('../comments1.xml'), 'xl/comments1.xml': comments });
    expect(text).toBe('x'.repeat(1_000));
  });

  it('are none where the part is missing', async () => {
    expect(await read({ [relations]: related('../comments1.xml') })).toEqual([undefined, undefined]);
  });
});
