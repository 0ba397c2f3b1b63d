import { inspect } from 'node:util';
import { stringify } from 'yaml';
import { parseConfig } from '../../src/config/load-config.ts';
import { toRunPlan } from '../../src/config/run-plan.ts';
import { fileCompanies } from '../helpers/companies-source.ts';

const secret = 'postgres://reader:hunter2@db.example/crm';
const env = { PROSPECTING_API_KEY: 'k', HUBSPOT_TOKEN: 't', CRM_DATABASE_URL: secret, WRONG: 'mysql://hunter2' };
const query = 'select name as company_name from accounts';

function parse(companies: object) {
  const text = stringify({
    service: { base_url: 'https://service.example', api_key: { env: 'PROSPECTING_API_KEY' } },
    hubspot: { token: { env: 'HUBSPOT_TOKEN' } },
    runs: { crm: { kind: 'enrichment', profile_id: '7c1e9b52-3f60-4a8e-9d0b-6f2a1c3e5d70', companies } },
  });
  return parseConfig(text, { env, file: '/x/prospect-sync.yaml' });
}

function problemsOf(companies: object): string[] {
  const parsed = parse(companies);
  return parsed.ok ? [] : parsed.problems.map(({ field, rule }) => `${field}: ${rule}`);
}

describe('companies.sql', () => {
  it('takes a SQLite file relative to the configuration, with columns and external_ids', () => {
    const columns = { company_name: 'name' };
    const parsed = parse({ sql: { sqlite: 'crm.db', query }, columns, external_ids: 'record_id' });
    expect(parsed).toMatchObject({
      ok: true,
      config: {
        runs: {
          crm: {
            companies: {
              from: 'sql',
              sql: { database: { sqlite: '/x/crm.db' }, query },
              columns,
              externalIds: 'record_id',
            },
          },
        },
      },
    });
  });

  it('takes the address of PostgreSQL from the environment, and never prints it', () => {
    const parsed = parse({ sql: { postgres: { env: 'CRM_DATABASE_URL' }, query } });
    const run = parsed.ok ? parsed.config.runs['crm'] : undefined;
    if (!parsed.ok || run === undefined) throw new Error(inspect(parsed));
    const plan = toRunPlan(parsed.config, 'crm', run);
    const database = plan.companies?.from === 'sql' ? plan.companies.sql.database : null;
    expect(database !== null && 'postgres' in database && database.postgres.reveal()).toBe(secret);
    expect(JSON.stringify(plan) + inspect(plan, { depth: 10 })).not.toContain('hunter2');
    expect(JSON.parse(JSON.stringify(plan)).companies.sql).toEqual({ database: { postgres: '***' }, query });
  });

  it('reports wrong settings with their path', () => {
    const sqlite = 'crm.db';
    expect(problemsOf({ sql: { sqlite, query }, csv: 'a.csv' })).toEqual([
      'runs.crm.companies: needs exactly one source',
    ]);
    expect(problemsOf({ sql: { query } })).toEqual(['runs.crm.companies.sql: needs exactly one database']);
    expect(problemsOf({ sql: { sqlite, postgres: { env: 'CRM_DATABASE_URL' }, query } })).toEqual([
      'runs.crm.companies.sql: needs exactly one database',
    ]);
    expect(problemsOf({ sql: { postgres: { env: 'WRONG' }, query } })).toEqual([
      'runs.crm.companies.sql.postgres.env: environment variable WRONG must hold a postgres:// address',
    ]);
    expect(problemsOf({ sql: { postgres: secret, query } }).join()).not.toContain('hunter2');
    expect(problemsOf({ sql: { sqlite, query }, sheet: 'Leads' })).toEqual([
      'runs.crm.companies.sheet: goes with xlsx only',
    ]);
    for (const wrong of ['delete from accounts', '/* select */ drop table accounts', 'selected', ' -- select'])
      expect(problemsOf({ sql: { sqlite, query: wrong } })).toEqual([
        expect.stringMatching(/^runs\.crm\.companies\.sql\.query: (?:must begin with SELECT|holds no statement)/),
      ]);
    for (const right of ['-- all\nSELECT 1', '/* a */ with x as (select 1) select 1', 'values (1)'])
      expect(problemsOf({ sql: { sqlite, query: right } })).toEqual([]);
  });
});

describe('companies.bad_rows', () => {
  it('is in the plan of a run, refuse by default', () => {
    const toPlan = (companies: object) => {
      const parsed = parse(companies);
      const run = parsed.ok ? parsed.config.runs['crm'] : undefined;
      return parsed.ok && run !== undefined ? toRunPlan(parsed.config, 'crm', run).companies : null;
    };
    expect(toPlan({ csv: 'a.csv' })).toEqual(fileCompanies('/x/a.csv'));
    expect(toPlan({ csv: 'a.csv', bad_rows: 'refuse' })).toEqual(fileCompanies('/x/a.csv'));
    expect(toPlan({ csv: 'a.csv', bad_rows: 'reject' })).toMatchObject({ badRows: 'reject' });
    expect(problemsOf({ hubspot: { lists: [1] }, bad_rows: 'reject' })).toEqual([
      'runs.crm.companies.bad_rows: goes with csv, xlsx or sql only',
    ]);
  });
});
