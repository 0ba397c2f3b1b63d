import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { open as openHandle } from 'node:fs/promises';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import * as fc from 'fast-check';
import type { Column, Row } from '../../../src/base/spreadsheet/table.ts';
import type { OpenFile } from '../../../src/base/spreadsheet/whole-file.ts';
import { writeXlsx } from '../../../src/base/spreadsheet/xlsx-writer.ts';
import { batches, createFolder, fullAfter } from './temporary-folder.ts';
import { anyGrapheme } from '../../helpers/random-text.ts';
import { runsOf } from '../../helpers/sample.ts';

const columns: Column[] = [
  { key: 'text', header: 'Text', kind: 'text', width: 30 },
  { key: 'number', header: 'Number', kind: 'number' },
  { key: 'date', header: 'Date', kind: 'date' },
  { key: 'flag', header: 'Flag', kind: 'boolean' },
];
const summary = () => [
  {
    title: 'By status',
    rows: [
      { label: 'ENRICHED', value: 2 },
      { label: 'PARTIAL', value: 1 },
    ],
  },
  { title: 'By reason', rows: [{ label: 'Eligible', value: 2 }] },
];

const sheetOf = (rows: AsyncIterable<Row[]>, name = 'Results') => ({ name, columns, rows });

async function open(path: string): Promise<ExcelJS.Workbook> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(path);
  return workbook;
}

describe('writeXlsx', () => {
  const folder = createFolder();
  const path = join(folder, 'results.xlsx');

  async function readBack(...rows: Row[]): Promise<ExcelJS.CellValue[][]> {
    await writeXlsx({ path, sheet: sheetOf(batches(rows)), summary });
    const sheet = (await open(path)).getWorksheet('Results');
    return rows.map((_, index) => columns.map((__, column) => sheet?.getCell(index + 2, column + 1).value ?? null));
  }

  it('keeps the types of texts, numbers, dates and booleans', async () => {
    const date = new Date('2026-11-21T10:00:00.000Z');
    expect(
      await readBack(
        { text: 'Käse & <Brot> 🧀', number: -1.5, date, flag: true },
        { text: '0049', number: 0, flag: false },
        {},
      ),
    ).toEqual([
      ['Käse & <Brot> 🧀', -1.5, date, true],
      ['0049', 0, null, false],
      [null, null, null, null],
    ]);
    const sheet = (await open(path)).getWorksheet('Results');
    expect(sheet?.getCell('C2').numFmt).toBe('m/d/yy "h":mm');
  });

  it.each(['=1+1', '+49 30', '-1', '@x', "'quoted", 'line\nbreak', 'https://evil.example', 'javascript:alert(1)'])(
    'writes %j as text',
    async (text) => {
      expect((await readBack({ text }))[0]?.[0]).toBe(text);
      expect((await open(path)).getWorksheet('Results')?.getCell('A2').type).toBe(ExcelJS.ValueType.String);
    },
  );

  it('leaves out characters that a sheet cannot contain', async () => {
    const rows = await readBack(
      { text: 'a\u0000b\u000Bc\uFFFEd\uFFFFe\uD800f\r\ng\rh', number: NaN, date: new Date(NaN) },
      { text: '\u0001', number: Infinity },
    );
    expect(rows).toEqual([
      ['abcde\uFFFDf\ng\nh', null, null, null],
      [null, null, null, null],
    ]);
  });

  it('shortens a text that does not fit into a cell, visibly, and never splits a character', async () => {
    const [[exact], [long], [emoji]] = (await readBack(
      { text: 'x'.repeat(32_767) },
      { text: 'x'.repeat(32_768) },
      { text: '🧀'.repeat(20_000) },
    )) as [[string], [string], [string]];
    expect(exact).toBe('x'.repeat(32_767));
    expect(long).toHaveLength(32_767);
    expect(long).toMatch(/x … \[cut: a cell holds 32,767 characters\]$/);
    expect(emoji.length).toBeLessThanOrEqual(32_767);
    expect(emoji).toMatch(/🧀 … \[cut/u);
    expect(emoji.isWellFormed()).toBe(true);
  });

  it('writes any text so that it can be read unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: anyGrapheme, minLength: 1 }), { minLength: 1 }), async (texts) => {
        expect((await readBack(...texts.map((text) => ({ text })))).map(([text]) => text)).toEqual(texts);
      }),
      { numRuns: runsOf(20) },
    );
  });

  it('writes many rows once and in order, whatever the size of their batches', async () => {
    const total = 20_000;
    async function* rows(): AsyncGenerator<Row[]> {
      for (let first = 0, size = 1; first < total; first += size, size = (size * 7) % 2_311)
        yield Array.from({ length: Math.min(size, total - first) }, (_, index) => ({
          text: `ü${first + index}`,
          number: first + index,
        }));
    }
    const counts: number[] = [];
    const file = await writeXlsx({ path, sheet: sheetOf(rows()), summary, onRows: (count) => counts.push(count) });
    expect(file.rows).toBe(total);
    expect(counts.at(-1)).toBe(total);
    const sheet = (await open(path)).getWorksheet('Results');
    expect(sheet?.rowCount).toBe(total + 1);
    let wrong = 0;
    for (let index = 0; index < total; index += 1)
      if (sheet?.getCell(index + 2, 1).value !== `ü${index}` || sheet.getCell(index + 2, 2).value !== index) wrong += 1;
    expect(wrong).toBe(0);
  });

  it('has a styled, frozen header with filter and column widths', async () => {
    await readBack({ text: 'a' }, { text: 'b' });
    const sheet = (await open(path)).getWorksheet('Results');
    expect(sheet?.getRow(1).values).toEqual([undefined, 'Text', 'Number', 'Date', 'Flag']);
    expect(sheet?.getCell('A1').font).toMatchObject({ bold: true });
    expect(sheet?.getCell('A2').font?.bold).toBeUndefined();
    expect(sheet?.views).toMatchObject([{ state: 'frozen', ySplit: 1 }]);
    expect(sheet?.autoFilter).toBe('A1:D3');
    expect([1, 2].map((column) => sheet?.getColumn(column).width)).toEqual([30, 10]);
  });

  it('has a summary sheet, which is requested after the rows are written', async () => {
    const events: string[] = [];
    async function* rows(): AsyncGenerator<Row[]> {
      yield [{ text: 'a' }];
      events.push('rows are read');
    }
    await writeXlsx({ path, sheet: sheetOf(rows()), summary: () => (events.push('summary'), summary()) });
    expect(events).toEqual(['rows are read', 'summary']);
    const sheet = (await open(path)).getWorksheet('Summary');
    const lines = Array.from({ length: 6 }, (_, index) => [
      sheet?.getCell(index + 1, 1).value,
      sheet?.getCell(index + 1, 2).value,
    ]);
    expect(lines).toEqual([
      ['By status', null],
      ['ENRICHED', 2],
      ['PARTIAL', 1],
      [null, null],
      ['By reason', null],
      ['Eligible', 2],
    ]);
  });

  it('writes equal bytes for equal rows, and returns their SHA-256', async () => {
    const write = (name: string) =>
      writeXlsx({ path: join(folder, name), sheet: sheetOf(batches([{ text: 'a', date: new Date(0) }])), summary });
    const first = await write('first.xlsx');
    jest.useFakeTimers({ now: Date.now() + 86_400_000, doNotFake: ['nextTick', 'setImmediate', 'setTimeout'] });
    const second = await write('second.xlsx').finally(() => jest.useRealTimers());
    const bytes = readFileSync(second.path);
    expect(second).toEqual({
      path: second.path,
      rows: 1,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect(second.sha256).toBe(first.sha256);
  });

  it('writes an empty sheet', async () => {
    expect((await writeXlsx({ path, sheet: sheetOf(batches<Row>()), summary: () => [] })).rows).toBe(0);
    expect((await open(path)).getWorksheet('Results')?.rowCount).toBe(1);
  });

  it('gives the sheet a name that Excel accepts', async () => {
    await writeXlsx({ path, sheet: sheetOf(batches<Row>(), `'dach/weekly: [${'long '.repeat(20)}]`), summary });
    const name = (await open(path)).worksheets[0]?.name ?? '';
    expect(name).toMatch(/^dach weekly/);
    expect(name.length).toBeLessThanOrEqual(31);
  });
});

describe('writeXlsx when it fails', () => {
  const folder = createFolder();
  const path = join(folder, 'results.xlsx');
  const elsewhere = createFolder();
  beforeEach(() => writeFileSync(path, 'the file of an earlier run'));
  // Each test ends with this check: no temporary file is left, and the earlier file is unchanged.
  const expectUntouched = () => {
    expect(readdirSync(folder)).toEqual(['results.xlsx']);
    expect(readFileSync(path, 'utf8')).toBe('the file of an earlier run');
  };

  /** Text that cannot be compressed. */
  const noise = (rows: number): Row[] =>
    Array.from({ length: rows }, () => ({ text: createHash('sha512').update(String(Math.random())).digest('hex') }));
  async function* endless(): AsyncGenerator<Row[]> {
    for (;;) yield noise(1_000);
  }

  it('requests no more rows while the disk is busy', async () => {
    const limit = 20_000;
    const source = { asked: 0 };
    const controller = new AbortController();
    async function* rows(): AsyncGenerator<Row[]> {
      for (;;) {
        source.asked += 100;
        yield Array.from({ length: 100 }, () => ({ text: randomBytes(1_000).toString('hex') }));
      }
    }
    const { promise: busy, resolve: free } = Promise.withResolvers<void>();
    const openFile: OpenFile = async (name, flags) => {
      const handle = await openHandle(name, flags);
      handle.appendFile = () => busy;
      return handle;
    };
    const writing = writeXlsx({ path, sheet: sheetOf(rows()), summary, openFile, signal: controller.signal });
    // The buffers fill first, 1 MB in archiver alone; then no more rows are requested.
    let before = -1;
    while (source.asked === 0 || (source.asked !== before && source.asked < limit)) {
      before = source.asked;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(source.asked).toBeLessThan(limit);
    controller.abort(new Error('stop'));
    await expect(writing).rejects.toThrow('stop');
    free();
    expectUntouched();
  });

  it.each([0, 50_000])('fails when the disk is full after %d bytes, however many rows follow', async (room) => {
    const failure = await writeXlsx({ path, sheet: sheetOf(endless()), summary, openFile: fullAfter(room) }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({
      name: 'SpreadsheetError',
      message: `writing ${path} failed: the disk is full (ENOSPC)`,
    });
    expectUntouched();
  });

  it('fails when the disk is full at the end of the file', async () => {
    const rows = noise(200);
    const whole = await writeXlsx({ path: join(elsewhere, 'whole.xlsx'), sheet: sheetOf(batches(rows)), summary });
    const writing = writeXlsx({ path, sheet: sheetOf(batches(rows)), summary, openFile: fullAfter(whole.bytes - 1) });
    await expect(writing).rejects.toMatchObject({ code: 'ENOSPC' });
    expectUntouched();
  });

  it('throws the error of the rows unchanged', async () => {
    const failure = new Error('the ledger is locked');
    async function* rows(): AsyncGenerator<Row[]> {
      yield noise(10);
      throw failure;
    }
    await expect(writeXlsx({ path, sheet: sheetOf(rows()), summary })).rejects.toBe(failure);
    expectUntouched();
  });

  it('stops when it is aborted, between rows and at the end', async () => {
    const first = new AbortController();
    const endlessly = writeXlsx({
      path,
      sheet: sheetOf(endless()),
      summary,
      signal: first.signal,
      onRows: () => first.abort(new Error('stop')),
    });
    await expect(endlessly).rejects.toThrow('stop');
    const second = new AbortController();
    const atTheEnd = writeXlsx({
      path,
      sheet: sheetOf(batches(noise(10))),
      summary: () => (second.abort(new Error('late')), []),
      signal: second.signal,
    });
    await expect(atTheEnd).rejects.toThrow('late');
    expectUntouched();
  });

  it('rejects more rows than a sheet can contain', async () => {
    const empty = {};
    const rows = batches(Array.from({ length: 1_048_576 }, (): Row => empty));
    await expect(writeXlsx({ path, sheet: sheetOf(rows), summary })).rejects.toThrow(
      'a sheet holds 1,048,575 rows; use CSV',
    );
    expectUntouched();
  });

  it('rejects a path below a file', async () => {
    const through = join(path, 'below.xlsx');
    await expect(writeXlsx({ path: through, sheet: sheetOf(batches<Row>()), summary })).rejects.toMatchObject({
      name: 'SpreadsheetError',
      path: through,
    });
    expectUntouched();
  });
});
