import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import Papa from 'papaparse';
import { unescapeFormulas } from '../../../src/base/spreadsheet/cell-text.ts';
import {
  defaultCsvForm,
  delimiterSign,
  germanCsvForm,
  toNumberText,
  type CsvForm,
} from '../../../src/base/spreadsheet/csv-form.ts';
import { writeCsv } from '../../../src/base/spreadsheet/csv-writer.ts';
import { readCsv } from '../../../src/base/spreadsheet/read-csv.ts';
import type { Column, SourceCell } from '../../../src/base/spreadsheet/table.ts';
import { runsOf } from '../../helpers/sample.ts';
import { batches, createFolder } from './temporary-folder.ts';

const columns: Column[] = [
  { key: 'id', header: 'Id', kind: 'text' },
  { key: 'text', header: 'Text', kind: 'text' },
  { key: 'number', header: 'Number', kind: 'number' },
  { key: 'own', header: 'Own', kind: 'own' },
];

const form: fc.Arbitrary<CsvForm> = fc.record({
  delimiter: fc.constantFrom('comma', 'semicolon', 'tab'),
  decimal: fc.constantFrom('point', 'comma'),
  bom: fc.boolean(),
});
/** Signs that split cells or begin formulas, and letters. Cells are read without white space at their ends. */
const text = fc
  .string({ unit: fc.constantFrom(...Array.from(`=+-@,;\t|."'\nä1🧀 `)) })
  .map((signs) => signs.trim())
  .filter((signs) => signs !== '');
const number = fc.double({ noNaN: true, noDefaultInfinity: true });

describe('writeCsv in each form', () => {
  const folder = createFolder();
  const path = join(folder, 'results.csv');
  const written = () => readFileSync(path, 'utf8');

  it('is read back with equal cells, whatever is in them', async () => {
    const cells = fc.array(fc.tuple(text, number, fc.oneof(text, number)), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(form, cells, async (signs, all) => {
        const rows = all.map(([written, amount, own]) => ({ id: 'x', text: written, number: amount, own }));
        await writeCsv({ path, columns, rows: batches(rows), form: signs });
        const found: (readonly SourceCell[])[] = [];
        for await (const page of readCsv(path, { separator: delimiterSign(signs) }))
          found.push(...page.rows.map((row) => row.cells));
        const toText = (cell: string | number) => (typeof cell === 'number' ? toNumberText(cell, signs) : cell);
        expect(found).toEqual(all.map((row) => ['x', ...row.map(toText)]));
        const parsed = Papa.parse<string[]>(written().replace(/^\uFEFF/, ''), {
          delimiter: delimiterSign(signs),
          newline: '\r\n',
          skipEmptyLines: true,
        });
        expect(parsed.errors).toEqual([]);
        const unescaped = parsed.data.slice(1).map((row) => row.map(unescapeFormulas));
        expect(unescaped).toEqual(all.map((row) => ['x', ...row.map(toText)]));
      }),
      { numRuns: runsOf(500) },
    );
  });

  it('writes semicolons and decimal commas for a German Excel, and dates as ISO 8601', async () => {
    const dated: Column[] = [...columns, { key: 'at', header: 'At', kind: 'date' }];
    const row = { id: 'a;b', text: '=1', number: -1234.5, own: 0.25, at: new Date('2026-11-21T10:00:00Z') };
    await writeCsv({ path, columns: dated, rows: batches([row]), form: germanCsvForm });
    const header = '"Id";"Text";"Number";"Own";"At"';
    expect(written()).toBe(`\uFEFF${header}\r\n"a;b";"'=1";-1234,5;0,25;2026-11-21T10:00:00.000Z\r\n`);
  });

  it('quotes a number whose decimal sign is the delimiter, and leaves out the byte order mark', async () => {
    const signs: CsvForm = { ...defaultCsvForm, decimal: 'comma', bom: false };
    await writeCsv({ path, columns, rows: batches([{ number: 0.5, own: 2 }]), form: signs });
    expect(written()).toBe('"Id","Text","Number","Own"\r\n,,"0,5",2\r\n');
  });
});
