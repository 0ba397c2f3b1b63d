import { type Dialect, PostgresDialect } from 'kysely';
import { Client, Pool, TypeOverrides } from 'pg';

import { wrapDriver } from './database-driver.ts';
import { LedgerError, systemCodeOf } from './ledger-error.ts';
import { explainPostgres } from './postgres-failure.ts';

const int8 = 20;
const connectTimeoutMilliseconds = 10_000;
/** Of one statement; without it a connection that went dead would be waited for as long as the activity may take. */
const queryTimeoutMilliseconds = 120_000;

/** PostgreSQL at `databaseUrl`, `postgres://user:password@host:port/database`. Connects with the first query. */
export function createPostgresDialect({ databaseUrl }: { databaseUrl: string }): Dialect {
  const place = describePlace(databaseUrl);
  const types = new TypeOverrides();
  types.setTypeParser(int8, Number); // pg gives strings; counts and file sizes are far below 2^53
  const pool = new Pool({
    connectionString: databaseUrl,
    connectionTimeoutMillis: connectTimeoutMilliseconds,
    application_name: 'prospect-sync',
    keepAlive: true,
    query_timeout: queryTimeoutMilliseconds,
    types,
    // Every query follows an index. About an order that is new since the tables were last analyzed, PostgreSQL believes
    // that it has a handful of rows, and would collect and sort all that is left of it for each page.
    // Not in Kysely's onCreateConnection: when that fails, its connection never returns to the pool.
    onConnect: (client) => client.query('set enable_bitmapscan = off'),
  });
  // A lost connection is also an `error` event, which ends the process where nobody listens. The pool listens to idle
  // connections only. The query in progress fails by itself, and the next one connects again.
  pool.on('error', ignoreLostConnection);
  pool.on('connect', (client) => client.on('error', ignoreLostConnection));
  const base = new PostgresDialect({ pool });
  return {
    createDriver: () => wrapDriver(base.createDriver(), { around: (task) => explaining(task, place) }),
    createQueryCompiler: () => base.createQueryCompiler(),
    createIntrospector: (db) => base.createIntrospector(db),
    createAdapter: () => base.createAdapter(),
  };
}

function ignoreLostConnection(): void {}

async function explaining<T>(task: () => Promise<T>, place: string): Promise<T> {
  try {
    return await task();
  } catch (error) {
    throw explainPostgres(error, place);
  }
}

/** `host:port`, as pg understands the address, which may also come from a socket folder or PGHOST. Never the password. */
export function describePlace(databaseUrl: string): string {
  try {
    const { protocol } = new URL(databaseUrl);
    if (protocol === 'postgres:' || protocol === 'postgresql:') {
      const { host, port } = new Client({ connectionString: databaseUrl });
      return `${host}:${port}`;
    }
  } catch (error) {
    // The parser's own error quotes the whole address; that of a file of certificates, which it reads, only the path.
    const code = systemCodeOf(error);
    if (code !== undefined && code !== 'ERR_INVALID_URL') {
      const files = 'a file that the address of the ledger names cannot be read';
      throw new LedgerError('refused', `${files} (${code}): correct sslrootcert, sslcert or sslkey there`, code);
    }
  }
  throw new LedgerError(
    'refused',
    'the address of the ledger is not one of PostgreSQL: write postgres://user:password@host:port/database',
  );
}
