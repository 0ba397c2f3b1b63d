import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readSuppressionList } from '../../src/cli/suppression-list.ts';
import { writeCsv } from '../../src/spreadsheet/csv-writer.ts';
import { batches, createFolder } from '../spreadsheet/temporary-folder.ts';

const folder = createFolder();
const fixtures = path.resolve(import.meta.dirname, '../fixtures/source-files');

async function read(content: string | Uint8Array) {
  const file = path.join(folder, 'list.csv');
  await writeFile(file, content);
  return (await readSuppressionList(file)).map(({ value }) => value);
}

describe('readSuppressionList', () => {
  it.each([
    ['a header', 'email,why\njane@acme.example,x\n'],
    ['no header', 'jane@acme.example\n'],
    ['the line sep= and a byte order mark', '\uFEFFsep=;\r\nE-Mail;why\r\njane@acme.example;x\r\n'],
    ['invisible characters and a dot at the end', '\u200Bjane@acme.example.\u200B\n'],
  ])('reads a file with %s', async (_, content) => {
    expect(await read(content)).toEqual(['jane@acme.example']);
  });

  it.each([
    ['a first row with a typing error', 'jane@acme,x\njohn@acme.example\n', 'row 1'],
    ['a later row that is no address', 'email\njane@acme.example\n\ngmail.com\n', 'row 4'],
    [
      'bytes that are not UTF-8',
      Buffer.from('email\nm\xfcller@acme.example\n', 'latin1'),
      'in line 2: it has bytes that are not UTF-8',
    ],
  ])('refuses %s, and names the row but no address', async (_, content, place) => {
    const message = await read(content).then(String, (error: Error) => error.message);
    expect(message).toContain(place);
    expect(message).toContain('nothing was imported');
    expect(message).not.toMatch(/jane|john|ller@|acme/);
  });

  it('reads what an export writes, also addresses that begin with a sign', async () => {
    const values = (await readSuppressionList(path.join(fixtures, 's6-plus.csv'))).map(({ value }) => value);
    expect(values).toEqual(['+tag@sup-sechs.example', '-minus@sup-sechs.example', '=gleich@sup-sechs.example']);
    const file = path.join(folder, 'exported.csv');
    const columns = ['value', 'kind'].map((key) => ({ key, header: key, kind: 'text' as const }));
    await writeCsv({ path: file, columns, rows: batches(values.map((value) => ({ value, kind: 'person' }))) });
    expect((await readSuppressionList(file)).map(({ value }) => value)).toEqual(values);
  });
});
