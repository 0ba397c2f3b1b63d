import { open as openHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import ExcelJS from 'exceljs';
import { readXlsx } from '../../../src/base/spreadsheet/read-xlsx.ts';
import type { Column, Row } from '../../../src/base/spreadsheet/table.ts';
import { writeXlsx } from '../../../src/base/spreadsheet/xlsx-writer.ts';
import { findZipEntry, readZipDirectory, readZipEntry } from '../../../src/base/spreadsheet/zip-reader.ts';
import { batches, createFolder } from './temporary-folder.ts';

const toLink = (text: string) => (text.startsWith('none') ? null : `https://crm.example/${text}`);
const columns: Column[] = [
  { key: 'id', header: 'Id', kind: 'text', link: toLink },
  { key: 'at', header: 'At', kind: 'date' },
  { key: 'own', header: 'Own', kind: 'own' },
];

describe('cells and pages of writeXlsx', () => {
  const folder = createFolder();
  const path = join(folder, 'results.xlsx');
  const write = (rows: Row[], name = 'Results') =>
    writeXlsx({ path, sheet: { name, columns, rows: batches(rows) }, summary: () => [] });

  /** The text of a part of the file. */
  async function partOf(name: string): Promise<string> {
    const handle = await openHandle(path);
    try {
      const entries = await readZipDirectory(handle);
      const entry = typeof entries === 'string' ? undefined : findZipEntry(entries, name);
      return entry === undefined ? '' : await readText(await readZipEntry(handle, entry));
    } finally {
      await handle.close();
    }
  }
  const linksOf = async () => (await partOf('xl/worksheets/sheet1.xml')).match(/<hyperlink [^>]*>/g) ?? [];

  it('links a text where its column has an address for it, and is read back as the text', async () => {
    await write([{ id: '17' }, { id: 'none' }, { id: null }, { id: 'x'.repeat(2_100) }]);
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.readFile(path);
    const sheet = workbook.getWorksheet('Results');
    expect(sheet?.getCell('A2').value).toEqual({ text: '17', hyperlink: 'https://crm.example/17' });
    expect([sheet?.getCell('A3').value, sheet?.getCell('A4').value]).toEqual(['none', null]);
    expect(sheet?.getCell('A5').type).toBe(ExcelJS.ValueType.String);
    const found: unknown[] = [];
    for await (const { rows } of readXlsx(path)) found.push(...rows.map(({ cells }) => cells));
    expect(found).toEqual([['17'], ['none'], ['x'.repeat(2_100)]]);
  });

  it('writes texts after 65,530 links, the most that Excel takes', async () => {
    await write(Array.from({ length: 65_532 }, (_, index) => ({ id: String(index) })));
    const links = await linksOf();
    expect([links.length, links.at(-1)]).toEqual([65_530, expect.stringContaining('ref="A65531"')]);
    let rows = 0;
    for await (const page of readXlsx(path)) rows += page.rows.length;
    expect(rows).toBe(65_532);
  });

  it('writes texts after 32 MB of addresses, the most that are read back', async () => {
    await write(Array.from({ length: 20_000 }, (_, index) => ({ id: `${index}${'&'.repeat(2_000)}` })));
    expect((await linksOf()).length).toBeLessThan(3_000);
    let rows = 0;
    for await (const page of readXlsx(path)) rows += page.rows.length;
    expect(rows).toBe(20_000);
  });

  it('prints landscape pages, one page wide, each with the header', async () => {
    await write([{ id: '17' }], "Jane's results");
    const sheet = await partOf('xl/worksheets/sheet1.xml');
    expect(sheet).toContain('<pageSetUpPr fitToPage="1"/>');
    expect(sheet).toMatch(/<pageSetup orientation="landscape" [^>]*fitToWidth="1" fitToHeight="0"/);
    const names = /<definedName name="_xlnm.Print_Titles" localSheetId="0">([^<]*)</;
    expect(names.exec(await partOf('xl/workbook.xml'))?.[1]).toBe('&apos;Jane s results&apos;!$1:$1');
  });

  it('writes dates in the formats 22 and 14, which Excel shows in the language of the user', async () => {
    const [at, own] = [new Date('2026-11-21T10:00:00Z'), new Date('2026-11-21T00:00:00Z')];
    await write([{ id: '17', at, own }]);
    const styles = await partOf('xl/styles.xml');
    expect(styles).not.toContain('<numFmt ');
    expect(styles.match(/numFmtId="(?:22|14)"/g)?.toSorted()).toEqual(['numFmtId="14"', 'numFmtId="22"']);
    for await (const { rows } of readXlsx(path)) expect(rows[0]?.cells).toEqual(['17', at, own]);
  });
});
