import { type Dialect, PostgresDialect } from 'kysely';
import { Client, Pool, TypeOverrides } from 'pg';

import { wrapDriver } from './database-driver.ts';
import { LedgerError, systemCodeOf } from './ledger-error.ts';
import { explainPostgres } from './postgres-failure.ts';

const int8 = 20;
const connectTimeoutMilliseconds = 10_000;
/** Limit of one statement; a dead connection would otherwise block until the activity times out. */
const queryTimeoutMilliseconds = 120_000;

/** PostgreSQL at `databaseUrl`, `postgres://user:password@host:port/database`. Connects with the first query. */
export function createPostgresDialect({ databaseUrl }: { databaseUrl: string }): Dialect {
  const address = describeAddress(databaseUrl);
  const types = new TypeOverrides();
  types.setTypeParser(int8, Number); // pg gives strings; counts and file sizes are far below 2^53
  const pool = new Pool({
    connectionString: databaseUrl,
    connectionTimeoutMillis: connectTimeoutMilliseconds,
    application_name: 'prospect-sync',
    keepAlive: true,
    query_timeout: queryTimeoutMilliseconds,
    types,
    // For orders that are new since the last ANALYZE, PostgreSQL expects few rows and would sort all of them for each page.
    // Not in Kysely's onCreateConnection: a connection for which that fails never returns to the pool.
    onConnect: (client) => client.query('set enable_bitmapscan = off'),
  });
  // A lost connection emits `error`, which ends the process without a listener, and the pool listens to idle connections only.
  // The query in progress fails by itself, and the next one reconnects.
  pool.on('error', ignoreLostConnection);
  pool.on('connect', (client) => client.on('error', ignoreLostConnection));
  const base = new PostgresDialect({ pool });
  return {
    createDriver: () => wrapDriver(base.createDriver(), { around: (task) => withLedgerErrors(task, address) }),
    createQueryCompiler: () => base.createQueryCompiler(),
    createIntrospector: (db) => base.createIntrospector(db),
    createAdapter: () => base.createAdapter(),
  };
}

function ignoreLostConnection(): void {}

async function withLedgerErrors<T>(task: () => Promise<T>, address: string): Promise<T> {
  try {
    return await task();
  } catch (error) {
    throw explainPostgres(error, address);
  }
}

/** `host:port` as pg resolves the address, which may also come from a socket folder or PGHOST. Never the password. */
export function describeAddress(databaseUrl: string): string {
  try {
    const { protocol } = new URL(databaseUrl);
    if (protocol === 'postgres:' || protocol === 'postgresql:') {
      const { host, port } = new Client({ connectionString: databaseUrl });
      return `${host}:${port}`;
    }
  } catch (error) {
    // The parser's error quotes the whole address. Its error for a certificate file contains only the path.
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
