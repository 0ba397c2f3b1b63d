import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { fileNames } from '../../../src/delivery/erasure/names-in-files.ts';
import { createFolder } from '../../base/spreadsheet/temporary-folder.ts';

describe('fileNames', () => {
  const folder = createFolder();

  it('finds an address that only a link of an Excel file leads to', async () => {
    const path = join(folder, 'edited.xlsx');
    const workbook = new ExcelJS.Workbook();
    workbook.addWorksheet('Results').getCell('A1').value = { text: 'page', hyperlink: 'https://www.acme.example/team' };
    await workbook.xlsx.writeFile(path);
    const names = (domain: string) =>
      fileNames({ kind: 'xlsx', path }, ({ kind, value }) => kind === 'domain' && value === domain);
    expect([await names('acme.example'), await names('beta.example')]).toEqual([true, false]);
  });
});
