import { mkdtemp, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { checkExclusionSources } from '../../src/cli/preflight/exclusion-source-checks.ts';
import { head, read } from '../config/config-harness.ts';
import { createSandboxPortal } from '../helpers/sandbox-portal.ts';

describe('checkExclusionSources', () => {
  it.each([
    [
      ['2020-01-01', '2021-01-01'],
      'warning',
      '0 of 2 rows of FILE (last changed 2017-07-14) apply, the others have expired',
    ],
    [
      ['2020-01-01', '2099-01-01'],
      'ok',
      '1 of 2 rows of FILE (last changed 2017-07-14) apply, the others have expired',
    ],
    [['2099-01-01', ''], 'ok', '2 rows of FILE, last changed 2017-07-14'],
  ])(
    'counts the rows that have not expired, and shows when the file was changed: %j',
    async (days, state, expected) => {
      const file = join(await mkdtemp(join(tmpdir(), 'exclusions-')), 'a.csv');
      const rows = days.map((day, index) => `Company ${index},c${index}.de,${day}`);
      await writeFile(file, ['company_name,website_url,expires_at', ...rows].join('\n'));
      await utimes(file, new Date('2017-07-14'), new Date('2017-07-14'));
      const config = read(`${head}exclusions: {a: {blacklist: B, csv: ${file}}}`);
      const context = { signal: new AbortController().signal, recordProgress: () => {} };
      const [check] = await checkExclusionSources(config, createSandboxPortal().client, { context, depth: 'check' });
      expect(check).toMatchObject({ state, message: expect.stringContaining(expected.replace('FILE', file)) });
    },
  );

  it('announces rows of an Excel file that are struck through or have comments', async () => {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('Sperrliste');
    sheet.addRows([
      ['Note', 'company_name'],
      ['a', 'Alpha'],
      ['b', 'Beta'],
      ['c', 'Gamma'],
    ]);
    sheet.getCell('B3').font = { strike: true };
    sheet.getCell('A4').note = 'Widerspruch';
    const file = join(await mkdtemp(join(tmpdir(), 'exclusions-')), 'a.xlsx');
    await workbook.xlsx.writeFile(file);
    const config = read(`${head}exclusions: {a: {blacklist: B, xlsx: ${file}}}`);
    const context = { signal: new AbortController().signal, recordProgress: () => {} };
    const [check] = await checkExclusionSources(config, createSandboxPortal().client, { context, depth: 'check' });
    expect(check?.message).toContain('rows that are struck through, which are read like the others: 1 (row 3)');
    expect(check?.message).toContain('rows with comments on their cells, which are not read: 1 (row 4)');
    expect(check?.message).not.toContain('not to contact');
  });
});
