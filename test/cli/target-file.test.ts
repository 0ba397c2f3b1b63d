import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { assertFreeTarget } from '../../src/cli/target-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-target-'));
  await mkdir(path.join(folder, '.prospect-sync'));
  await writeFile(
    path.join(folder, 'prospect-sync.yaml'),
    'runs: {enrich: {companies: {file: lists/companies.csv}}}\ncertificates: {key: signing.pem}\n',
  );
  await mkdir(path.join(folder, 'lists'));
  for (const name of ['lists/companies.csv', 'signing.pem', 'results.csv', '.prospect-sync/ledger.db'])
    await writeFile(path.join(folder, name), 'before');
  await symlink('lists/companies.csv', path.join(folder, 'link.csv'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const target = (file: string, format: 'csv' | 'jsonLines' = 'csv') =>
  assertFreeTarget(
    path.join(folder, file),
    { overwrite: true, format },
    { config: path.join(folder, 'prospect-sync.yaml'), json: false },
  );

describe('assertFreeTarget', () => {
  it.each([
    ['the configuration', 'prospect-sync.yaml', 'is the configuration'],
    ['a file of companies', 'lists/companies.csv', 'a file that the configuration names'],
    ['a link to such a file', 'link.csv', 'a file that the configuration names'],
    ['a key of certificates', 'signing.pem', 'a file that the configuration names'],
    ['the ledger', '.prospect-sync/ledger.db', 'in the data folder'],
    ['a file in a folder that is missing', 'missing/results.csv', 'There is no folder'],
    ['a file below a file', 'results.csv/results.csv', 'There is no folder'],
  ])('refuses %s also with --overwrite', async (_, file, reason) => {
    await expect(target(file)).rejects.toThrow(reason);
    expect(existsSync(path.join(folder, 'missing'))).toBe(false);
  });

  it('accepts another file with --overwrite, and a new one', async () => {
    await expect(target('results.csv')).resolves.toBeUndefined();
    await expect(target('new.csv')).resolves.toBeUndefined();
  });

  it.each([
    ['csv', 's.xlsx'],
    ['csv', 's.json'],
    ['csv', 's.csv.gz'],
    ['csv', 'S.XLSX'],
    ['jsonLines', 's.csv'],
    ['jsonLines', 's.xlsx'],
    ['jsonLines', 's.zip'],
    ['jsonLines', 's.csv.gz'],
  ] as const)('refuses for %s the name %s of another format', async (format, file) => {
    await expect(target(file, format)).rejects.toThrow(format === 'csv' ? 'writes CSV' : 'writes JSON lines');
  });

  it.each([
    ['csv', 's'],
    ['csv', 's.CSV'],
    ['csv', 'list-26.11'],
    ['jsonLines', 's'],
    ['jsonLines', 's.jsonl'],
    ['jsonLines', 's.ndjson.gz'],
    ['jsonLines', 's.gz'],
    ['jsonLines', 'order-26.11'],
  ] as const)('accepts for %s the name %s', async (format, file) => {
    await expect(target(file, format)).resolves.toBeUndefined();
  });
});
