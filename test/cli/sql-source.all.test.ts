// An enrichment whose companies come from a database, from the first try to the result.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { parse, stringify } from 'yaml';
import type { Ended } from '../helpers/command.ts';
import { startExampleProject, type ExampleProject } from '../helpers/example-project.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../helpers/postgres.ts';

const tables = `create table accounts (id integer, name text, domain text, owner text);
  insert into accounts values (1001, 'Müller & Söhne GmbH', 'www.mueller-soehne.example', 'Olga'), (1002, 'Größe AG', 'groesse.example', 'Jo')`;
const query = 'SELECT name AS company_name, domain AS website_url, id AS external_id, owner FROM accounts ORDER BY id';
const isAvailable = hasPostgres();

let project: ExampleProject;
let postgres: PostgresServer | undefined;
let postgresUrl = 'postgres://u:hunter2@127.0.0.1:1/x';
let sqlite = '';
const databases = isAvailable ? ['lite', 'pg'] : ['lite'];
/** A run from each database. */
const ended = new Map<string, Ended>();

beforeAll(async () => {
  project = await startExampleProject();
  sqlite = path.join(project.folder, 'crm.db');
  const database = new DatabaseSync(sqlite);
  database.exec(tables);
  database.close();
  if (isAvailable) {
    postgres = await startPostgres();
    postgresUrl = await postgres.createSchema();
    const client = new Client(postgresUrl);
    await client.connect();
    await client.query(tables).finally(() => client.end());
  }
  // Commands run with the environment of the project.
  Object.assign(project.env, { CRM_DATABASE_URL: postgresUrl });
  const file = path.join(project.folder, 'prospect-sync.yaml');
  const yaml = parse(await readFile(file, 'utf8'));
  const withSql = (sql: object) => ({ ...yaml.runs['demo-enrichment'], exclusions: [], companies: { sql } });
  const address = { env: 'CRM_DATABASE_URL' };
  const deletion = 'WITH old AS (SELECT 1) DELETE FROM accounts RETURNING name AS company_name';
  yaml.runs['lite'] = withSql({ sqlite: 'crm.db', query });
  yaml.runs['lite-deletes'] = withSql({ sqlite: 'crm.db', query: deletion });
  yaml.runs['unnamed'] = withSql({ sqlite: 'crm.db', query: 'SELECT name AS firma FROM accounts' });
  yaml.runs['nameless'] = withSql({ sqlite: 'crm.db', query: 'SELECT upper(name), 1 FROM accounts' });
  yaml.runs['pg'] = withSql({ postgres: address, query });
  await writeFile(file, stringify(yaml));
  for (const run of databases) ended.set(run, await project.command('run', run, '--json', '--yes'));
});
afterAll(async () => {
  await project?.stop();
  await postgres?.stop();
});

describe.each(databases)('an enrichment from the database %s', (run) => {
  it('is previewed and ordered; rows and files show the number of the row and all columns', async () => {
    const preview = await project.command('run', run, '--dry-run', '--json');
    expect(JSON.parse(preview.stdout)).toMatchObject({
      order: { quantity: 2 },
      source: { kind: 'sql', rows: 2, ordered: 2, columns_ignored: ['owner'] },
    });
    const { stdout = '', stderr } = ended.get(run) ?? {};
    expect(stderr).toContain(`${run}: 2 rows, 2 ordered`);
    const [order] = JSON.parse(stdout).orders;
    expect(order).toMatchObject({ ordered: 2, slots: 2, source: { kind: 'sql', rows: 2, ordered: 2 } });
    const rows = JSON.parse((await project.command('rows', order.order_id, '--json')).stdout);
    expect(new Set(rows.map((row: { source_row: number }) => row.source_row))).toEqual(new Set([1, 2]));
    const csv = await readFile(order.files.find(({ kind }: { kind: string }) => kind === 'csv').path, 'utf8');
    expect(csv.replaceAll('"', '')).toContain('2,Größe AG,groesse.example,1002,Jo,1');
  });
});

it('fails with one message when the query writes, and changes nothing', async () => {
  const { code, stderr } = await project.command('run', 'lite-deletes');
  expect(code).toBe(1);
  expect(stderr).toContain('runs.lite-deletes.companies.sql.query');
  expect(stderr).toContain('Nothing was started.');
  const { stdout } = await project.command('run', 'lite', '--dry-run', '--json');
  expect(JSON.parse(stdout).order.quantity).toBe(2);
});

it('suggests the setting for a column with another name', async () => {
  const { code, stderr } = await project.command('run', 'unnamed');
  expect(code).toBe(1);
  expect(stderr).toContain('runs.unnamed.companies.sql was not used');
  expect(stderr).toContain('Set runs.unnamed.companies.columns: {company_name: firma}');
});

it('asks for names of columns in the words of a query', async () => {
  const { code, stderr } = await project.command('run', 'nameless');
  expect(code).toBe(1);
  expect(stderr).toContain(
    'it has no column company_name. Its columns are "upper(name)", "1". Name them in the query, for example SELECT firma AS company_name',
  );
});

it('is checked by doctor, which never prints the address', async () => {
  const { stdout, stderr } = await project.command('doctor', '--json');
  const { checks } = JSON.parse(stdout) as { checks: { check: string; state: string }[] };
  const stateOf = (run: string) => checks.find(({ check }) => check === `source of ${run}`)?.state;
  expect(['lite', 'unnamed', 'pg'].map(stateOf)).toEqual(['ok', 'problem', isAvailable ? 'ok' : 'problem']);
  expect(stdout + stderr).not.toMatch(/hunter2|postgres:\/\//);
});

/** All histories with their payloads as text. */
async function readHistories(): Promise<string> {
  const texts: string[] = [];
  // The JSON of a history has its payloads in base64.
  const decode = (key: string, value: unknown) =>
    key === 'data' && typeof value === 'string' ? Buffer.from(value, 'base64').toString() : value;
  for await (const { workflowId, runId } of project.client.workflow.list()) {
    const history = await project.client.workflow.getHandle(workflowId, runId).fetchHistory();
    texts.push(JSON.stringify(history.events, decode));
  }
  return texts.join('\n');
}

it('shows neither the address nor companies in Temporal', async () => {
  const histories = await readHistories();
  const has = (text: string) => histories.includes(text);
  expect({ query: has('SELECT name AS company_name'), hiddenAddress: has('***') }).toEqual({
    query: true,
    hiddenAddress: isAvailable,
  });
  expect([postgresUrl, 'postgres://', 'groesse', 'Müller'].filter(has)).toEqual([]);
});
