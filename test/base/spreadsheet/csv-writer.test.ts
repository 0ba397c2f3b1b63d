import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';
import { escapeFormulas } from '../../../src/base/spreadsheet/cell-text.ts';
import { writeCsv } from '../../../src/base/spreadsheet/csv-writer.ts';
import type { Column, Row } from '../../../src/base/spreadsheet/table.ts';
import { batches, createFolder, fullAfter } from './temporary-folder.ts';

const columns: Column[] = [
  { key: 'text', header: 'Text', kind: 'text' },
  { key: 'number', header: 'Number', kind: 'number' },
  { key: 'date', header: 'Date', kind: 'date' },
  { key: 'flag', header: 'Flag', kind: 'boolean' },
  { key: 'phone', header: 'Phone', kind: 'phone' },
];

describe('writeCsv', () => {
  const folder = createFolder();
  const path = join(folder, 'results.csv');

  async function fields(...rows: Row[]): Promise<string[][]> {
    await writeCsv({ path, columns, rows: batches(rows) });
    return Papa.parse<string[]>(readFileSync(path, 'utf8').slice(1), {
      newline: '\r\n',
      skipEmptyLines: true,
    }).data.slice(1);
  }

  it('writes a byte order mark, a header and CRLF lines', async () => {
    await writeCsv({
      path,
      columns: columns.slice(0, 2),
      rows: batches([{ text: 'Käse, "fein"', number: -5 }], [], [{ text: null }]),
    });
    expect(readFileSync(path, 'utf8')).toBe('\uFEFF"Text","Number"\r\n"Käse, ""fein""",-5\r\n,\r\n');
  });

  it('returns rows, bytes and the SHA-256 of the file, and reports progress', async () => {
    const counts: number[] = [];
    const rows = batches<Row>([{ text: 'ä' }, { text: 'b' }], [{ text: 'c' }]);
    const file = await writeCsv({ path, columns, rows, onRows: (count) => counts.push(count) });
    const bytes = readFileSync(path);
    expect(file).toEqual({
      path,
      rows: 3,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect(counts).toEqual([2, 3]);
  });

  it('writes dates as ISO 8601, booleans in capitals, and nothing for missing values', async () => {
    const date = new Date('2026-11-21T10:00:00.123Z');
    expect(
      await fields({ number: 0.5, date, flag: true, phone: null }, { number: NaN, date: new Date(NaN), flag: false }),
    ).toEqual([
      ['', '0.5', '2026-11-21T10:00:00.123Z', 'TRUE', ''],
      ['', '', '', 'FALSE', ''],
    ]);
  });

  it.each(['=1+1', '+cmd', '-2+3', '@SUM(A1)', 'x;=1', '\n=1', '\u00A0=1', '＝1+1'])('escapes %j', async (value) => {
    const escaped = escapeFormulas(value);
    expect(await fields({ text: value, phone: value })).toEqual([[escaped, '', '', '', escaped]]);
  });

  it('escapes headers, which may come from a file', async () => {
    const header = '=cmd|x';
    await writeCsv({ path, columns: [{ key: 'a', header, kind: 'own' }], rows: batches([{ a: 'x' }]) });
    expect(readFileSync(path, 'utf8')).toBe('\uFEFF"\'=cmd|x"\r\n"x"\r\n');
  });

  it('leaves out characters that no file may contain', async () => {
    expect(await fields({ text: 'a\u0000b\u001Bc\uFFFEd\uD800e\tf' })).toEqual([['abcd\uFFFDe\tf', '', '', '', '']]);
  });

  it('keeps numbers and phone numbers, but escapes a formula in their columns', async () => {
    expect(await fields({ number: -1, phone: '+49 (30) 12-34/5' }, { number: '-1', phone: '+1;=2' })).toEqual([
      ['', '-1', '', '', '+49 (30) 12-34/5'],
      ['', "'-1", '', '', "'+1;'=2"],
    ]);
  });

  it('creates the folder', async () => {
    const deep = join(folder, 'not', 'yet', 'there.csv');
    await writeCsv({ path: deep, columns, rows: batches([{ text: 'x' }]) });
    expect(readFileSync(deep, 'utf8')).toContain('x');
  });

  it('replaces an earlier file', async () => {
    writeFileSync(path, 'old');
    await writeCsv({ path, columns, rows: batches([{ text: 'new' }]) });
    expect(readFileSync(path, 'utf8')).toContain('new');
    expect(readFileSync(path, 'utf8')).not.toContain('old');
  });
});

describe('writeCsv when it fails', () => {
  const folder = createFolder();
  const path = join(folder, 'results.csv');
  const taken = createFolder();
  beforeEach(() => writeFileSync(path, 'the file of an earlier run'));
  // Each test ends with this check: no temporary file is left, and the earlier file is unchanged.
  const expectUntouched = () => {
    expect(readdirSync(folder)).toEqual(['results.csv']);
    expect(readFileSync(path, 'utf8')).toBe('the file of an earlier run');
  };

  it('reports path and reason of a full disk, and no value', async () => {
    const rows = batches<Row>([{ text: 'somebody@example.com'.repeat(50) }]);
    const failure = await writeCsv({ path, columns, rows, openFile: fullAfter(100) }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: 'SpreadsheetError',
      message: `writing ${path} failed: the disk is full (ENOSPC)`,
      code: 'ENOSPC',
      path,
    });
    expectUntouched();
  });

  it('throws the error of the rows unchanged', async () => {
    const failure = new Error('the ledger is locked');
    async function* rows(): AsyncGenerator<Row[]> {
      yield [{ text: 'a' }];
      throw failure;
    }
    await expect(writeCsv({ path, columns, rows: rows() })).rejects.toBe(failure);
    expectUntouched();
  });

  it('stops when it is aborted, also while it waits for rows, and releases them', async () => {
    const controller = new AbortController();
    const stopped = new Error('stop');
    let released = false;
    const rows: AsyncIterable<Row[]> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => setImmediate(() => controller.abort(stopped))),
        return: async () => {
          released = true;
          return { done: true, value: undefined };
        },
      }),
    };
    await expect(writeCsv({ path, columns, rows, signal: controller.signal })).rejects.toBe(stopped);
    expect(released).toBe(true);
    expectUntouched();
  });

  it('does not start after an abort', async () => {
    const signal = AbortSignal.abort(new Error('stop'));
    await expect(writeCsv({ path, columns, rows: batches<Row>([]), signal })).rejects.toThrow('stop');
    expectUntouched();
  });

  it('rejects a path below a file, and a path that is a folder', async () => {
    const through = join(path, 'below.csv');
    await expect(writeCsv({ path: through, columns, rows: batches<Row>([]) })).rejects.toMatchObject({
      name: 'SpreadsheetError',
      path: through,
    });
    mkdirSync(join(taken, 'x.csv'));
    await expect(writeCsv({ path: join(taken, 'x.csv'), columns, rows: batches<Row>([]) })).rejects.toMatchObject({
      code: 'EISDIR',
    });
    expect(readdirSync(taken)).toEqual(['x.csv']);
    expectUntouched();
  });
});
