import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { writeCsv } from '../../../src/base/spreadsheet/csv-writer.ts';
import type { Row } from '../../../src/base/spreadsheet/table.ts';
import { type OpenFile, writeWholeFile } from '../../../src/base/spreadsheet/whole-file.ts';
import { writeXlsx } from '../../../src/base/spreadsheet/xlsx-writer.ts';
import { batches, createFolder } from './temporary-folder.ts';

const hourMs = 3_600_000;
const columns = [{ key: 'text', header: 'Text', kind: 'text' as const }];

const root = createFolder();
const nextFolder = () => mkdtempSync(join(root, 'test-'));

/** A writer that has opened its file and waits. */
async function begin(path: string, text: string) {
  const opened = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const writing = writeWholeFile({ path }, async (file) => {
    await file.append(text);
    opened.resolve();
    await free.promise;
    await file.append(text);
  });
  await opened.promise;
  const finish = () => (free.resolve(), writing);
  return { finish, fail: (error: Error) => (free.reject(error), writing) };
}

const temporaryFiles = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.part'));

function removeTemporaryFiles(folder: string): void {
  for (const name of temporaryFiles(folder)) rmSync(join(folder, name));
}

function age(file: string, hours: number): void {
  const time = new Date(Date.now() - hours * hourMs);
  utimesSync(file, time, time);
}

describe('two writers of one file', () => {
  // Guarantee: A file under its final name is complete
  it('both succeed in whatever order they end, and the file is always one of their complete files', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const folder = nextFolder();
      const path = join(folder, 'results.csv');
      writeFileSync(path, 'old');
      const writers = [await begin(path, 'first '), await begin(path, 'second ')];
      const texts = ['first first ', 'second second '];
      expect(temporaryFiles(folder)).toHaveLength(2);
      expect(readFileSync(path, 'utf8')).toBe('old');
      for (const index of order) {
        expect(await writers[index]?.finish()).toMatchObject({ bytes: texts[index]?.length });
        expect(readFileSync(path, 'utf8')).toBe(texts[index]);
      }
      expect(readdirSync(folder)).toEqual(['results.csv']);
    }
  });

  it('do not disturb each other when one fails', async () => {
    const folder = nextFolder();
    const path = join(folder, 'results.csv');
    const [failing, other] = [await begin(path, 'first '), await begin(path, 'second ')];
    await expect(failing.fail(new Error('the ledger is locked'))).rejects.toThrow('the ledger is locked');
    await other.finish();
    expect(readFileSync(path, 'utf8')).toBe('second second ');
    expect(readdirSync(folder)).toEqual(['results.csv']);
  });

  it.each(['csv', 'xlsx'] as const)('write one complete %s', async (kind) => {
    const folder = nextFolder();
    const path = join(folder, `results.${kind}`);
    /** Starts its successor before it has written all rows. */
    const write = (next: () => Promise<unknown>) => {
      async function* rows(): AsyncGenerator<Row[]> {
        yield [{ text: 'a' }];
        await next();
        yield [{ text: 'b' }];
      }
      return kind === 'csv'
        ? writeCsv({ path, columns, rows: rows() })
        : writeXlsx({ path, sheet: { name: 'Results', columns, rows: rows() }, summary: () => [] });
    };
    const later: Awaited<ReturnType<typeof write>>[] = [];
    const earlier = await write(async () => later.push(await write(async () => undefined)));
    expect(later).toEqual([earlier]);
    expect(readFileSync(path)).toHaveLength(earlier.bytes);
    expect(readdirSync(folder)).toEqual([`results.${kind}`]);
  });
});

describe('the temporary file', () => {
  it('has the mode of the file', async () => {
    const folder = nextFolder();
    const path = join(folder, 'results.csv');
    const writer = await begin(path, 'x');
    const [temporary = ''] = temporaryFiles(folder);
    const { mode } = statSync(join(folder, temporary));
    await writer.finish();
    expect(mode & 0o777).toBe(0o600);
    expect(statSync(path).mode).toBe(mode);
  });

  it('of a killed writer is removed a day later, when any file of the folder is written', async () => {
    const folder = nextFolder();
    const writer = await begin(join(folder, 'killed.csv'), 'x');
    const [leftover = ''] = temporaryFiles(folder);
    await writer.finish();
    renameSync(join(folder, 'killed.csv'), join(folder, leftover));
    const foreign = ['.results.csv.part', 'prospect-sync-1.part', '.prospect-sync-1'];
    for (const name of foreign) {
      writeFileSync(join(folder, name), 'of another program');
      age(join(folder, name), 1_000);
    }
    age(join(folder, leftover), 23);
    await writeCsv({ path: join(folder, 'other.csv'), columns, rows: batches<Row>([]) });
    expect(readdirSync(folder)).toContain(leftover);
    age(join(folder, leftover), 25);
    await writeCsv({ path: join(folder, 'other.csv'), columns, rows: batches<Row>([]) });
    expect(readdirSync(folder).sort()).toEqual([...foreign, 'other.csv'].sort());
  });

  it('that cannot be removed prevents nothing', async () => {
    const folder = nextFolder();
    const leftover = join(folder, '.prospect-sync-1.part');
    mkdirSync(leftover);
    age(leftover, 25);
    await writeCsv({ path: join(folder, 'results.csv'), columns, rows: batches<Row>([]) });
    expect(readdirSync(folder).sort()).toEqual(['.prospect-sync-1.part', 'results.csv']);
  });

  it.each([
    ['was deleted', removeTemporaryFiles],
    ['was deleted with its folder', (folder: string) => rmSync(folder, { recursive: true })],
  ])('that %s is an error that writing again resolves', async (_, remove) => {
    const folder = join(nextFolder(), 'out');
    const path = join(folder, 'results.csv');
    const writer = await begin(path, 'first ');
    remove(folder);
    await expect(writer.finish()).rejects.toMatchObject({
      name: 'SpreadsheetError',
      code: 'TEMPORARY_FILE_GONE',
      message: `writing ${path} failed: its temporary file was deleted before it was complete`,
    });
    await (await begin(path, 'second ')).finish();
    expect(readFileSync(path, 'utf8')).toBe('second second ');
  });

  it('whose folder is deleted before it is opened is the same error', async () => {
    const folder = nextFolder();
    const path = join(folder, 'results.csv');
    const openFile: OpenFile = (file, flags) => {
      rmSync(folder, { recursive: true });
      return open(file, flags);
    };
    const writing = writeWholeFile({ path, openFile }, (file) => file.append('x'));
    await expect(writing).rejects.toMatchObject({ code: 'TEMPORARY_FILE_GONE' });
  });
});

describe('a folder that is a file', () => {
  const taken = createFolder();
  writeFileSync(join(taken, 'out'), 'x');
  it.each(['out', 'out/below'])('is named with what to do, for %s', async (folder) => {
    await expect(writeWholeFile({ path: join(taken, folder, 'a.csv') }, (file) => file.append('x'))).rejects.toThrow(
      `a part of ${join(taken, folder)} is a file, not a folder. Rename that file or choose another folder, then run again`,
    );
  });
});

describe('the rights of a file', () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);
  const write = (path: string) => writeWholeFile({ path }, (file) => file.append('x'));

  it('are those of its owner only, and so are those of the folders that are created for it', async () => {
    const folder = join(nextFolder(), 'made', 'out');
    await write(join(folder, 'a.csv'));
    expect([join(folder, 'a.csv'), folder, join(folder, '..')].map(modeOf)).toEqual(['600', '700', '700']);
  });

  it('are to read for the group of a folder with the setgid bit, whatever the umask, and a wide folder alone changes nothing', async () => {
    const [shared, wide] = [nextFolder(), nextFolder()];
    chmodSync(shared, 0o2750);
    chmodSync(wide, 0o777);
    const umask = process.umask(0o077);
    try {
      await write(join(shared, 'a.csv'));
      await write(join(wide, 'a.csv'));
    } finally {
      process.umask(umask);
    }
    expect([join(shared, 'a.csv'), join(wide, 'a.csv'), wide].map(modeOf)).toEqual(['640', '600', '777']);
  });
});
