import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { isWholeZip, readZipDirectory } from '../../../src/base/spreadsheet/zip-reader.ts';
import { writeXlsx } from '../../../src/base/spreadsheet/xlsx-writer.ts';
import { batches, createFolder } from './temporary-folder.ts';

describe('isWholeZip', () => {
  const path = join(createFolder(), 'a.xlsx');
  const isWhole = async () => {
    await using handle = await open(path);
    const entries = await readZipDirectory(handle);
    return typeof entries !== 'string' && (await isWholeZip(handle, entries));
  };
  const edit = (change: (bytes: Buffer) => void) => {
    const bytes = readFileSync(path);
    change(bytes);
    writeFileSync(path, bytes);
  };
  beforeEach(async () => {
    const columns = [{ key: 'a', header: 'A', kind: 'text' }] as const;
    const rows = batches(Array.from({ length: 500 }, (_, index) => ({ a: `row ${index}` })));
    await writeXlsx({ path, sheet: { name: 'Results', columns, rows }, summary: () => [] });
  });

  it('is true for a complete file, also with a comment at its end', async () => {
    expect(await isWhole()).toBe(true);
    edit((bytes) => bytes.writeUInt16LE(7, bytes.length - 2));
    appendFileSync(path, 'comment');
    expect(await isWhole()).toBe(true);
  });

  it('is false for a truncated sheet whose bytes can still be decompressed', async () => {
    const sheet = 'xl/worksheets/sheet1.xml';
    edit((bytes) => bytes.fill(0xff, bytes.indexOf(sheet) + 500, bytes.indexOf(sheet) + 600));
    expect(await isWhole()).toBe(false);
  });

  it('is false when an entry has another name than in the directory', async () => {
    edit((bytes) => bytes.write('xl/worksheets/sheet9.xml', bytes.indexOf('xl/worksheets/sheet1.xml')));
    expect(await isWhole()).toBe(false);
  });

  it.each([0, 1, 21, 22, 3_000])('is false for a file that ends after %i bytes', async (bytes) => {
    truncateSync(path, bytes);
    expect(await isWhole()).toBe(false);
  });

  it('is false when entries share bytes, which would multiply the reading', async () => {
    const sheet = 'xl/worksheets/sheet1.xml';
    edit((bytes) => bytes.writeUInt32LE(bytes.length, bytes.lastIndexOf(sheet) - 46 + 20));
    expect(await isWhole()).toBe(false);
  });

  it('recognises a zip64 file', async () => {
    edit((bytes) => bytes.writeUInt32LE(0xffffffff, bytes.length - 6));
    await using handle = await open(path);
    expect(await readZipDirectory(handle)).toBe('zip64');
  });
});
