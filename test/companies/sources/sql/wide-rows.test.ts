import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { readQuery, type SqlDatabase } from '../../../../src/companies/sources/sql/read-query.ts';
import { describeIf, needsPostgres } from '../../../helpers/describe-if.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../../../helpers/postgres.ts';
import { until } from '../../../helpers/until.ts';

const setting = 'runs.crm.companies.sql';
const signal = new AbortController().signal;

interface Place {
  readonly database: SqlDatabase;
  /** Of the database, for a process of its own. */
  readonly address: readonly string[];
  /** An expression for a text of so many characters. */
  readonly blanks: (characters: number) => string;
  /** Of a row that is much too long. */
  readonly unit: 'characters' | 'bytes';
}

const upTo = (rows: number) =>
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows}) select i as external_id`;

/** Reads a query in a process that has a heap of so many megabytes. */
async function readInLittleMemory({ address }: Place, query: string, heap: number, purpose: 'pages' | 'draft') {
  const script = path.join(__dirname, 'read-in-little-memory.ts');
  const options = ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${heap}`];
  const { stdout } = await promisify(execFile)(process.execPath, [...options, script, ...address, query, purpose]);
  return JSON.parse(stdout);
}

function onDatabase(prepare: () => Promise<Place>): void {
  it('reads fewer rows at a time when they are wide: 630 MB pass through a heap of 64 MB', async () => {
    const place = await prepare();
    const query = `${upTo(700)}, concat(${place.blanks(899_999)}, '.') as notes from n`;
    const { longestPage, peakMegabytes, ...read } = await readInLittleMemory(place, query, 64, 'pages');
    expect(read).toEqual({ rows: 700, characters: 630_001_992 });
    expect(longestPage).toBeLessThanOrEqual(5_000_000);
    // An idle process uses a third of this.
    expect(peakMegabytes).toBeLessThan(300);
  });

  it('keeps no more of a cell than its first 65,536 characters until the order is placed', async () => {
    const place = await prepare();
    const query = `${upTo(400)}, concat('Company GmbH & Co. ', i, ${place.blanks(900_000)}) as company_name from n`;
    expect(await readInLittleMemory(place, query, 150, 'draft')).toMatchObject({ rows: 400 });
  });

  it('refuses a row of more than 1,000,000 characters, and names the row, the column and the size', async () => {
    const place = await prepare();
    const { database, blanks, unit } = place;
    const query = (characters: number) =>
      `select 'Two' as name, 1 as id, 'no' as notes union all select 'Geheim', 2, ${blanks(characters)} order by id`;
    const read = (characters: number) =>
      Array.fromAsync(readQuery({ database, query: query(characters), setting }, { signal }));
    const problem = (found: string) =>
      `reading ${setting}.query failed: row 2 has ${found} in column "notes", and at most 1,000,000 characters are read. ` +
      'Leave the column out, or shorten it in the query: substr(COLUMN, 1, 1000)';
    expect((await read(999_994)).flatMap(({ rows }) => rows)).toHaveLength(2);
    await expect(read(999_995)).rejects.toMatchObject({
      code: 'OVER_LIMIT',
      message: problem('1,000,001 characters, 999,995 of them'),
    });
    const huge = await readInLittleMemory(place, query(80_000_000), 64, 'pages');
    const size = unit === 'bytes' ? '80,000,007' : '80,000,006';
    expect(huge.problem).toBe(problem(`${size} ${unit}, 80,000,000 of them`));
    expect(huge.peakMegabytes).toBeLessThan(300);
  });
}

describe('wide rows of SQLite', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'wide-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const sqlite = path.join(folder, 'crm.db');
  const prepare = async (): Promise<Place> => {
    const database = new DatabaseSync(sqlite);
    database.exec('create table if not exists accounts (name text)');
    database.close();
    const blanks = (characters: number) => `printf('%.${characters}c', ' ')`;
    return { database: { sqlite }, address: ['sqlite', sqlite], blanks, unit: 'characters' };
  };
  onDatabase(prepare);

  it('are refused by SQLite itself when a value has more than 100,000,000 bytes', async () => {
    const { database, blanks } = await prepare();
    const query = `select ${blanks(100_000_001)} as name`;
    await expect(Array.fromAsync(readQuery({ database, query, setting }, { signal }))).rejects.toThrow(
      `${setting}.query (SQLite result code 18): a value has more than 100,000,000 bytes`,
    );
  });
});

describeIf(hasPostgres(), needsPostgres)('wide rows of PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());
  const prepare = async (): Promise<Place & { url: string }> => {
    const url = await server.createSchema();
    const blanks = (characters: number) => `repeat(' ', ${characters})`;
    return { url, database: { postgres: { reveal: () => url } }, address: ['postgres', url], blanks, unit: 'bytes' };
  };
  onDatabase(prepare);

  const readTwoPages = async (stop: AbortController) => {
    const { url, database, blanks } = await prepare();
    const query = `${upTo(700)}, ${blanks(899_999)} as notes from n`;
    const pages = readQuery({ database, query, setting }, { signal: stop.signal });
    await pages.next();
    expect((await pages.next()).value?.rows).toHaveLength(5);
    return { url, pages };
  };
  const ask = async (url: string, text: string) => {
    const client = new Client(url);
    await client.connect();
    return client.query(text).finally(() => client.end());
  };
  const cursors = `pg_stat_activity where query like 'fetch%prospect_sync_rows'`;
  const isOver = async (url: string) => (await ask(url, `select 1 from ${cursors}`)).rowCount === 0;

  it('end the query in PostgreSQL when no more of its pages are read', async () => {
    const { url, pages } = await readTwoPages(new AbortController());
    expect(await pages.return(undefined)).toEqual({ done: true, value: undefined });
    await until(() => isOver(url));
  });

  it('end the query in PostgreSQL when it is aborted between two pages', async () => {
    const stop = new AbortController();
    const { url, pages } = await readTwoPages(stop);
    stop.abort(new Error('stopped'));
    await expect(Array.fromAsync(pages)).rejects.toThrow('stopped');
    await until(() => isOver(url));
  });

  it('report a connection that is lost between two pages', async () => {
    const { url, pages } = await readTwoPages(new AbortController());
    await ask(url, `select pg_terminate_backend(pid) from ${cursors}`);
    await expect(Array.fromAsync(pages)).rejects.toMatchObject({ name: 'SqlError', reason: 'unreachable' });
  });
});
