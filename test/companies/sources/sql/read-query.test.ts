import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { readQuery, readQueryColumns, type SqlDatabase } from '../../../../src/companies/sources/sql/read-query.ts';
import type { SourceCell } from '../../../../src/base/spreadsheet/table.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../../../helpers/postgres.ts';
import { until } from '../../../helpers/until.ts';
import { describeIf, needsPostgres } from '../../../helpers/describe-if.ts';

const setting = 'runs.crm.companies.sql';
const signal = new AbortController().signal;

const tables = `create table accounts (id bigint, name text, domain text);
  insert into accounts values (9007199254740993, 'Geheim', 'geheim.example'), (2, 'Two', null), (3, null, null)`;

interface Place {
  readonly database: SqlDatabase;
  /** Runs statements with the right to write. */
  readonly execute: (text: string) => Promise<void>;
  readonly names: () => Promise<SourceCell[][]>;
}

async function readAll(database: SqlDatabase, query: string) {
  const rows: { number: number; cells: readonly SourceCell[] }[] = [];
  for await (const page of readQuery({ database, query, setting }, { signal })) rows.push(...page.rows);
  return rows;
}

const problemOf = (database: SqlDatabase, query: string) =>
  readAll(database, query).then(
    () => 'no problem',
    (error: Error) => error.message,
  );

function onDatabase(prepare: () => Promise<Place>): void {
  let place: Place;
  const before = async () => {
    place = await prepare();
    await place.execute(tables);
  };

  it('returns rows by number, without those that have no value, and keeps long numbers exactly', async () => {
    await before();
    const query = 'select id, name, domain from accounts order by name desc';
    const named = await readAll(place.database, `-- all\n${query.replace('id, ', '')};`);
    expect(new Set(named.map(({ cells }) => cells[0]))).toEqual(new Set(['Two', 'Geheim']));
    expect((await readAll(place.database, query)).map(({ cells }) => cells[0])).toEqual(
      expect.arrayContaining(['9007199254740993', 2, 3]),
    );
    expect(await readQueryColumns({ ...place, query, setting }, { signal })).toEqual(['id', 'name', 'domain']);
  });

  it('reads page by page', async () => {
    await before();
    const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500) select i from n';
    const sizes: number[] = [];
    for await (const { rows } of readQuery({ ...place, query: numbers, setting }, { signal })) sizes.push(rows.length);
    expect(sizes).toEqual([0, 1_000, 1_000, 500]);
  });

  it('gives the columns of a result without rows', async () => {
    await before();
    const pages = [];
    const query = 'select name from accounts where 1 = 0';
    for await (const page of readQuery({ ...place, query, setting }, { signal })) pages.push(page);
    expect(pages.map(({ headers, rows }) => [headers, rows.length])).toEqual([
      [['name'], 0],
      [['name'], 0],
    ]);
  });

  it('refuses statements that write, and changes nothing', async () => {
    await before();
    const texts = [
      `insert into accounts values (4, 'x', 'x') returning name`,
      'delete from accounts',
      'with doomed as (select 1) delete from accounts returning name',
      'with gone as (delete from accounts returning name) select name from gone',
      'select 1 as name; delete from accounts',
      `select 1 as name; commit; delete from accounts`,
      'update accounts set name = 1',
      'select name into copied from accounts',
    ];
    for (const text of texts) {
      const problem = await problemOf(place.database, text);
      expect([text, problem]).toEqual([text, expect.stringContaining(`${setting}.query`)]);
      expect(problem).not.toMatch(/geheim/i);
    }
    expect(await place.names()).toHaveLength(3);
  });

  it('names the setting and the unknown table, column or name', async () => {
    await before();
    expect(await problemOf(place.database, 'select name from nowhere')).toMatch(
      /companies\.sql\.query.*(42P01|no such table: nowhere)/,
    );
    for (const [query, sqlite, postgres] of [
      ['select missing from accounts', 'no such column: missing', '42703 at character 8: missing'],
      ['select a.missing from accounts a', 'no such column: a.missing', '42703 at character 8: a.missing'],
      [
        'select "citty" as city from accounts',
        'no such column: "citty"; texts are in single quotes',
        '42703 at character 8: "citty"',
      ],
      ['select a."Kunden-Nr." from accounts a', 'no such column: a.Kunden-Nr.', '42703 at character 8: a."Kunden-Nr."'],
      ['select straße from accounts', 'no such column: straße', '42703 at character 8: straße'],
      ['select name from "keine"', 'no such table: keine', '42P01 at character 18: "keine"'],
      ['select name from accounts a, accounts b', 'ambiguous column name: name', '42702 at character 8: name'],
      ['select unheard(1) from accounts', 'no such function: unheard', '42883 at character 8: unheard'],
    ] as const) {
      const named = 'sqlite' in place.database ? `(SQLite result code 1, ${sqlite})` : `(SQLSTATE ${postgres})`;
      expect(await problemOf(place.database, query)).toContain(named);
    }
    const text = await problemOf(place.database, `select name from accounts where name = "a'@b.example"`);
    expect(text).toContain('companies.sql.query');
    expect(text).not.toContain('example');
    expect(await problemOf(place.database, 'select from where')).toContain('must be one');
  });

  it('ends a query that exceeds the timeout', async () => {
    await before();
    const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) as name from n';
    const reading = readQuery({ ...place, query: endless, setting }, { signal, statementTimeoutMs: 1_000 });
    const drain = async () => {
      for await (const _ of reading);
    };
    await expect(drain()).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining(`${setting}.query: it took longer than 1 s`),
    });
  });

  it('ends at once when it is aborted', async () => {
    await before();
    const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) as name from n';
    const stop = new AbortController();
    const reading = readQuery({ ...place, query: endless, setting }, { signal: stop.signal });
    await reading.next();
    setTimeout(() => stop.abort(new Error('stopped')), 300);
    await expect(reading.next()).rejects.toThrow('stopped'); // the query itself never ends
  });
}

describe('readQuery on SQLite', () => {
  const folders: string[] = [];
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));
  const newFile = () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'query-'));
    folders.push(folder);
    return path.join(folder, 'crm.db');
  };
  const withFile = async <T>(file: string, work: (database: DatabaseSync) => T): Promise<T> => {
    const database = new DatabaseSync(file);
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  onDatabase(async () => {
    const sqlite = newFile();
    return {
      database: { sqlite },
      execute: (text) => withFile(sqlite, (database) => database.exec(text)),
      names: () =>
        withFile(sqlite, (database) =>
          database
            .prepare('select name from accounts')
            .all()
            .map(({ name }) => [name as SourceCell]),
        ),
    };
  });

  it('writes no file by VACUUM INTO or ATTACH, and changes no byte of the database', async () => {
    const sqlite = newFile();
    await withFile(sqlite, (database) => database.exec(tables));
    const bytes = readFileSync(sqlite);
    const { readSqlite } = await import('../../../../src/companies/sources/sql/read-sqlite.ts');
    const target = path.join(path.dirname(sqlite), 'copy.db');
    for (const query of [`vacuum into '${target}'`, `attach '${target}' as other`, 'pragma user_version = 5']) {
      const pages = readSqlite({ path: sqlite, query, setting, signal, statementTimeoutMs: 5_000 });
      await expect(pages.next()).rejects.toThrow(`${setting}.query: it returns no columns`);
    }
    expect(await readdir(path.dirname(sqlite))).toEqual(['crm.db']);
    expect(readFileSync(sqlite).equals(bytes)).toBe(true);
  });

  describe('a file in WAL mode', () => {
    const select = 'select count(*) as n from accounts';
    const prepare = async () => {
      const sqlite = newFile();
      const program = new DatabaseSync(sqlite);
      program.exec(`pragma journal_mode = wal; ${tables}`);
      return { sqlite, program, files: () => readdir(path.dirname(sqlite)) };
    };
    const countIn = async (sqlite: string) => (await readAll({ sqlite }, select)).map(({ cells }) => cells[0]);

    it('gets no files beside it when its program has ended, so that it can start again', async () => {
      const { sqlite, program, files } = await prepare();
      program.close();
      expect(await countIn(sqlite)).toEqual([3]);
      expect(await files()).toEqual(['crm.db']);
    });

    it('is read with the newest rows while its program runs, and keeps its files', async () => {
      const { sqlite, program, files } = await prepare();
      program.exec(`insert into accounts values (4, 'Four', null)`);
      expect(await countIn(sqlite)).toEqual([4]);
      expect((await files()).toSorted()).toEqual(['crm.db', 'crm.db-shm', 'crm.db-wal']);
      program.close();
    });

    it('is read with the rows of -wal from a copy when its program was killed, and stays as it is', async () => {
      const { sqlite, program, files } = await prepare();
      const killed = path.join(path.dirname(newFile()), 'killed.db');
      for (const suffix of ['', '-wal']) copyFileSync(sqlite + suffix, killed + suffix);
      program.close();
      expect(await countIn(killed)).toEqual([3]);
      expect((await readdir(path.dirname(killed))).toSorted()).toEqual(['killed.db', 'killed.db-wal']);
      expect(await files()).toEqual(['crm.db']);
      expect((await readdir(tmpdir())).filter((name) => name.startsWith('prospect-sync-sqlite-'))).toEqual([]);
    });

    it('is not read to its end when it changes meanwhile', async () => {
      const { sqlite, program } = await prepare();
      program.exec(
        'insert into accounts with recursive n(i) as (select 10 union all select i + 1 from n where i < 3000) select i, i, null from n',
      );
      program.close();
      const pages = readQuery({ database: { sqlite }, query: 'select id from accounts', setting }, { signal });
      await pages.next();
      await pages.next();
      await withFile(sqlite, (database) => database.exec(`insert into accounts values (5, 'Five', null)`));
      await expect(Array.fromAsync(pages)).rejects.toThrow(
        `${setting}.sqlite: the file was changed while it was read. Try again`,
      );
    });
  });

  it('says that a file is missing, is no database, or holds bytes', async () => {
    const sqlite = newFile();
    expect(await problemOf({ sqlite }, 'select 1')).toContain(
      `${setting}.sqlite: reading ${sqlite} failed: there is no such file (ENOENT)`,
    );
    writeFileSync(sqlite, 'x'.repeat(5_000));
    expect(await problemOf({ sqlite }, 'select 1 as a from accounts')).toContain('the file is not a SQLite database');
    const other = newFile();
    await withFile(other, (database) => database.exec(tables));
    expect(await problemOf({ sqlite: other }, `select x'00' as picture`)).toContain('column "picture" holds bytes');
  });
});

describeIf(hasPostgres(), needsPostgres)('readQuery on PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());
  const withClient = async <T>(url: string, work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client(url);
    await client.connect();
    return work(client).finally(() => client.end());
  };
  const newDatabase = async () => {
    const url = await server.createSchema();
    return { url, database: { postgres: { reveal: () => url } } };
  };
  onDatabase(async () => {
    const { url, database } = await newDatabase();
    return {
      database,
      execute: (text) => withClient(url, async (client) => void (await client.query(text))),
      names: () => withClient(url, async (client) => (await client.query('select name from accounts')).rows),
    };
  });

  it('refuses a function that writes', async () => {
    const { url, database } = await newDatabase();
    const body = `insert into accounts values (7, 'x', 'x'); select 1`;
    const text = `${tables}; create function sneak() returns int language sql as $$ ${body} $$; create sequence s`;
    await withClient(url, (client) => client.query(text));
    expect(await problemOf(database, 'select sneak() as name')).toContain('because it writes; nothing was changed');
    expect(await problemOf(database, `select nextval('s') as name`)).toContain(
      'because it writes; nothing was changed',
    );
    expect(await withClient(url, async (client) => (await client.query('select * from accounts')).rowCount)).toBe(3);
  });

  it('reads dates in UTC, numbers, truth values and other types as cells', async () => {
    const { database } = await newDatabase();
    const values = [
      `date '2026-03-31'`,
      `timestamp '2026-03-31 10:00'`,
      `timestamptz '2026-03-31 10:00+02'`,
      '12.50::numeric',
      '0.1::float8',
      'true',
      `'{"a":1}'::json`,
      `'infinity'::date`,
      '12345678901234567890::numeric',
    ];
    const columns = values.map((value, index) => `${value} as c${index}`).join();
    const [row] = await readAll(database, `select ${columns}`);
    expect(row?.cells).toEqual(
      [
        '2026-03-31T00:00:00.000Z',
        '2026-03-31T10:00:00.000Z',
        '2026-03-31T08:00:00.000Z',
        12.5,
        0.1,
        true,
        '{"a":1}',
        'infinity',
        '12345678901234567890',
      ].map((cell, index) => (index < 3 ? new Date(cell as string) : cell)),
    );
    expect(await problemOf(database, `select '\\x00'::bytea as picture`)).toContain('column "picture" holds bytes');
  });

  it('ends the query in PostgreSQL when it is aborted', async () => {
    const { url, database } = await newDatabase();
    const stop = new AbortController();
    const query = 'select pg_sleep(3600) as name';
    const reading = readQuery({ database, query, setting }, { signal: stop.signal });
    await reading.next();
    const active = `select count(*)::int as count from pg_stat_activity where query like 'fetch%prospect_sync_rows' and state = 'active'`;
    const countActive = () => withClient(url, async (client) => Number((await client.query(active)).rows[0].count));
    const ended = reading.next().then(String, String);
    await until(async () => (await countActive()) > 0);
    stop.abort(new Error('stopped'));
    expect(await ended).toContain('stopped');
    await until(async () => (await countActive()) === 0);
  });

  it('never prints the address', async () => {
    const { url } = await newDatabase();
    const address = new URL(url);
    address.username = 'missing-user';
    address.password = 'hunter2';
    const missing = { postgres: { reveal: () => address.href } };
    const unreachable = { postgres: { reveal: () => 'postgres://u:hunter2@127.0.0.1:1/x' } };
    for (const database of [missing, unreachable]) {
      const problem = await problemOf(database, 'select 1 as name');
      expect(problem).toContain(`${setting}.postgres: PostgreSQL at`);
      expect(problem).not.toContain('hunter2');
    }
    await expect(readAll(unreachable, 'select 1 as name')).rejects.toMatchObject({ reason: 'unreachable' });
  });
});
