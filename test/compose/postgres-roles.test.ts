// The databases of docker-compose.yml on a real PostgreSQL of its own: roles concern all databases of a cluster.
import path from 'node:path';
import { Client } from 'pg';
import { openLedger } from '../../src/ledger/ledger.ts';
import { findPsql, startCluster } from '../helpers/postgres.ts';
import { environmentOf, passwords, root, runScript } from '../helpers/compose-file.ts';
import { describeIf, needsPsql } from '../helpers/describe-if.ts';

const binaries = findPsql();
const administrator = { user: 'prospect_sync', password: passwords.POSTGRES_PASSWORD };
const temporal = { user: 'temporal', password: passwords.TEMPORAL_DB_PASSWORD };
const ledger = { user: 'ledger', password: passwords.LEDGER_DB_PASSWORD };
let cluster: Awaited<ReturnType<typeof startCluster>>;

type Login = typeof administrator;

async function query(login: Login, database: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ ...login, database, host: cluster.folder });
  await client.connect();
  const { rows } = await client.query(text).finally(() => client.end());
  return rows;
}

const addressOf = ({ user, password }: Login) =>
  `postgres://${user}:${password}@localhost/prospect_sync?host=${encodeURIComponent(cluster.folder)}`;

async function useLedger(): Promise<number> {
  const opened = await openLedger({ databaseUrl: addressOf(ledger) });
  const counts = await opened.orders.quantities([]);
  await opened.close();
  return counts.size;
}

const makeRoles = () =>
  runScript('postgres-roles', { PATH: `${binaries}:/usr/bin:/bin`, PGHOST: cluster.folder }, [
    ['/server/', `${path.join(root, 'tools/server')}/`],
  ]);

/** As Temporal's tables are made. */
const tables = `
  create function public.to_day(at text) returns date language sql immutable as 'select at::date';
  create table public.executions (id bigserial primary key, at text, day date generated always as (public.to_day(at)) stored);
  create view public.open_executions as select * from public.executions;
  insert into public.executions (at) values ('2026-11-23');
`;

describeIf(binaries !== null, needsPsql)('the service postgres-roles', () => {
  beforeAll(async () => {
    cluster = await startCluster({ superuser: administrator.user, password: administrator.password });
    // The image of PostgreSQL makes it.
    await query(administrator, 'postgres', 'create database prospect_sync');
    await makeRoles();
  });
  afterAll(() => cluster?.end());

  it('creates roles without superuser rights, each the owner of its databases, and nothing twice', async () => {
    expect(await makeRoles()).toBe('');
    const roles = await query(
      administrator,
      'postgres',
      `select rolname, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
         (select array_agg(datname::text order by datname) from pg_database where datdba = pg_roles.oid) as databases
       from pg_roles where rolname in ('temporal', 'ledger') order by rolname`,
    );
    const none = {
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolreplication: false,
      rolbypassrls: false,
    };
    expect(roles).toEqual([
      { rolname: 'ledger', ...none, databases: ['prospect_sync'] },
      { rolname: 'temporal', ...none, databases: ['temporal', 'temporal_visibility'] },
    ]);
  });

  it('keeps each role out of the databases of the other and out of the operating system, whatever the password', async () => {
    for (const [login, closed] of [
      [ledger, ['temporal', 'temporal_visibility', 'postgres', 'template1']],
      [temporal, ['prospect_sync', 'postgres', 'template1']],
    ] as const)
      for (const database of closed)
        await expect(query(login, database, 'select 1')).rejects.toThrow('permission denied for database');
    const mixed = [
      { ...ledger, password: temporal.password },
      { ...temporal, password: ledger.password },
      { ...administrator, password: ledger.password },
    ];
    for (const login of mixed)
      await expect(query(login, 'prospect_sync', 'select 1')).rejects.toThrow('password authentication failed');
    for (const [login, database] of [
      [ledger, 'prospect_sync'],
      [temporal, 'temporal'],
    ] as const)
      for (const attack of [
        "copy (select 1) to program 'true'",
        "select pg_read_file('postgresql.conf')",
        'create role another',
      ])
        await expect(query(login, database, attack)).rejects.toThrow(/permission denied|must be superuser/);
  });

  it('lets Temporal create and change tables in both databases', async () => {
    await query(temporal, 'temporal', tables);
    await query(temporal, 'temporal', 'alter table executions add column note text; drop view open_executions');
    await query(
      temporal,
      'temporal',
      `create or replace function public.to_day(at text) returns date language sql immutable as 'select at::date'`,
    );
    await query(temporal, 'temporal', `insert into executions (at) values ('2026-11-24')`);
    expect(await query(temporal, 'temporal', 'select id from executions order by id')).toEqual([
      { id: '1' },
      { id: '2' },
    ]);
    // The tables of the visibility need it.
    await query(temporal, 'temporal_visibility', `create extension btree_gin; ${tables}`);
  });

  it('lets the ledger create its tables, and use them again', async () => {
    for (let time = 0; time < 2; time += 1) expect(await useLedger()).toBe(0);
    const others = await query(
      ledger,
      'prospect_sync',
      `select relname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname !~ '^pg_' and nspname <> 'information_schema' and relowner <> 'ledger'::regrole`,
    );
    expect(others).toEqual([]);
  });

  it('matches the logins of the other services', () => {
    expect(environmentOf('temporal', passwords)).toMatchObject({
      POSTGRES_USER: temporal.user,
      POSTGRES_PWD: temporal.password,
    });
    expect(environmentOf('temporal-schema', passwords)).toEqual({ SQL_PASSWORD: temporal.password });
    expect(environmentOf('worker', passwords)['DATABASE_URL']).toBe(
      'postgres://ledger:ghi@postgres:5432/prospect_sync',
    );
    const { PGPASSWORD } = environmentOf('postgres-roles', passwords);
    expect(PGPASSWORD).toBe(administrator.password);
  });
});
