import { type Dialect, PostgresDialect, Kysely, sql } from 'kysely';
import { Client, Pool, TypeOverrides, DatabaseError } from 'pg';
import { wrapDriver } from './database-driver.ts';
import { LedgerError, type LedgerErrorReason } from './ledger-error.ts';
import { describeSystemCode, systemCodeOf } from '../base/failures/system-code.ts';
import type { Tables } from './tables.ts';
import { getOwnProperty } from '../base/json/own-property.ts';
import { withSentence } from '../base/text/normalize-text.ts';

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

/** `host:port` as pg resolves the address, which may also come from a socket folder or PGHOST. Never the password. `subject`: for messages. */
export function describeAddress(databaseUrl: string, subject = 'the address of the ledger'): string {
  try {
    const { protocol } = new URL(databaseUrl);
    if (protocol === 'postgres:' || protocol === 'postgresql:') {
      const { host, port } = new Client({ connectionString: databaseUrl });
      return `${host}:${port}`;
    }
  } catch (error) {
    // The parser's error quotes the whole address. Its error for a certificate file contains only the path.
    const code = systemCodeOf(error);
    if (code !== null && code !== 'ERR_INVALID_URL') {
      const files = `a file in ${subject} cannot be read`;
      throw new LedgerError(
        'refused',
        `${files}: ${describeSystemCode(code)}. Correct sslrootcert, sslcert or sslkey there`,
        code,
      );
    }
  }
  throw new LedgerError('refused', `${subject} is not valid. Use the form postgres://user:password@host:port/database`);
}

interface Names {
  readonly database: string;
  /** null: the search path names no schema that exists. */
  readonly schema: string | null;
}

/**
 * Connects without changing anything.
 * @returns a text with host, database and schema
 * @throws {LedgerError}
 */
export async function describePostgres(location: { databaseUrl: string }): Promise<string> {
  const db = new Kysely<Tables>({ dialect: createPostgresDialect(location) });
  try {
    const names = sql<Names>`select current_database() as database, current_schema() as schema`;
    const { rows } = await names.execute(db);
    const { database = null, schema = null } = rows[0] ?? {};
    return `PostgreSQL at ${describeAddress(location.databaseUrl)}, database ${database ?? 'unknown'}, schema ${schema ?? 'none'}`;
  } finally {
    await db.destroy();
  }
}

type Explanation = readonly [reason: LedgerErrorReason, problem: string, remedy: string];

/** SQLSTATE codes, or their class of two characters: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const explanations: Readonly<Record<string, Explanation>> = {
  '08': ['unreachable', 'lost the connection', 'Check that it runs, then try again'],
  '28000': [
    'refused',
    'refused the login',
    'Check the name, pg_hba.conf, and whether it requires TLS (sslmode=verify-full)',
  ],
  '28': ['refused', 'refused the login', 'Check the name, the password and pg_hba.conf'],
  '3D': ['refused', 'has no such database', 'Create it, or correct the address'],
  '3F': ['refused', 'has no such schema', 'Create it, or correct the search_path in the address'],
  '40': ['locked', 'ended the transaction because of another one', 'Try again'],
  '42501': ['refused', 'denied permission', 'Grant this user the right to create and use tables'],
  '42P07': ['refused', 'has other tables of the same name', 'Use a separate database or schema for the ledger'],
  '53100': ['full', 'has a full disk', 'Free some space, then try again'],
  '53': ['unreachable', 'has no connection or memory left', 'Raise its limits, or run fewer workers'],
  '55': ['locked', 'waited too long for a lock', 'Try again'],
  '57': ['unreachable', 'is starting, stopping, or ended the statement', 'Try again'],
  '58': ['failed', 'cannot read or write its files', 'Check its disk'],
  XX: ['damaged', 'reports damaged tables', 'Check its log'],
};

/** TLS failures, by the code of Node or OpenSSL, or by pg's text. Retries cannot succeed. */
const tlsProblems: readonly (readonly [pattern: RegExp, problem: string, remedy: string])[] = [
  [/^CERT_HAS_EXPIRED$/, 'has a certificate that has expired', 'Renew it there'],
  [/^CERT_NOT_YET_VALID$/, 'has a certificate that is not valid yet', 'Compare the clocks'],
  [/ALTNAME_INVALID/, 'has a certificate for another name', 'Use that name in the address'],
  [
    /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_UNTRUSTED/,
    'has a certificate that is not signed by a trusted CA',
    'Add sslrootcert=FILE with its CA to the address',
  ],
  [
    /^The server does not support SSL connections$/,
    'does not support TLS, which the address requires',
    'Turn ssl on there, or set sslmode=disable',
  ],
  [
    /^(?:CERT_|ERR_SSL_|ERR_TLS_|ERR_OSSL_|EPROTO$)/,
    'cannot be reached over TLS',
    'Correct sslmode, sslrootcert, sslcert and sslkey in the address',
  ],
];

/** Explains what happened and where. Contains only codes and names of PostgreSQL's answer, because its text quotes values. */
export function explainPostgres(error: unknown, place: string): unknown {
  if (error instanceof LedgerError) return error;
  if (!(error instanceof DatabaseError)) {
    // pg's own errors are about the connection: no address, no answer, no TLS, no password.
    const code = systemCodeOf(error);
    const cause = code ?? (error instanceof Error ? error.message : 'no answer');
    const tlsProblem = tlsProblems.find(([pattern]) => pattern.test(cause));
    if (tlsProblem !== undefined) {
      const [, problem, remedy] = tlsProblem;
      return new LedgerError('refused', `PostgreSQL at ${place} ${problem} (${cause}). ${remedy}`, code);
    }
    return new LedgerError(
      'unreachable',
      withSentence(`PostgreSQL at ${place} cannot be reached: ${describeSystemCode(cause)}`, 'Check that it runs'),
      code,
    );
  }
  const code = error.code ?? '';
  const explanation = getOwnProperty(explanations, code) ?? getOwnProperty(explanations, code.slice(0, 2));
  const subject = [error.table, error.column, error.constraint].filter((name) => name !== undefined);
  const where = subject.length > 0 ? ` on ${subject.join(' ')}` : '';
  const facts = `(SQLSTATE ${code}${where})`;
  if (explanation === undefined) {
    return new LedgerError('failed', `PostgreSQL at ${place} refused a statement ${facts}`, code);
  }
  const [reason, problem, remedy] = explanation;
  return new LedgerError(reason, `PostgreSQL at ${place} ${problem} ${facts}. ${remedy}`, code);
}
