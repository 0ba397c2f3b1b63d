/** Reads a query from PostgreSQL by a cursor, in a transaction that only reads. */
import { Client, DatabaseError } from 'pg';
import { rejectOnAbort } from '../../../base/host/reject-on-abort.ts';
import { describeAddress, explainPostgres } from '../../../ledger/postgres.ts';
import { LedgerError } from '../../../ledger/ledger-error.ts';
import { getOwnProperty } from '../../../base/json/own-property.ts';
import type { SourceCell } from '../../../base/spreadsheet/table.ts';
import { createFetch, type InTime } from './fetch-pages.ts';
import { holdsBytes, rowsPerPage, rowTooLong, tooSlow, type QueryPage } from './query-page.ts';
import { SqlError } from './sql-error.ts';
import { SpreadsheetError } from '../../../base/spreadsheet/spreadsheet-error.ts';

interface PostgresQuery {
  readonly databaseUrl: string;
  readonly query: string;
  readonly setting: string;
  readonly signal: AbortSignal;
  readonly statementTimeoutMs: number;
}

const connectTimeoutMs = 10_000;
/** After the timeout of the statement, which PostgreSQL itself ends: then the connection is dead. */
const answerDelayMs = 10_000;
const cursorName = 'prospect_sync_rows';
const declaration = `declare ${cursorName} no scroll cursor for `;

export async function* readPostgres(source: PostgresQuery): AsyncGenerator<QueryPage> {
  const { databaseUrl, query, setting, signal, statementTimeoutMs } = source;
  const explain = (error: unknown) => (signal.aborted ? signal.reason : toSqlError(error, source));
  let client: Client | null = null;
  try {
    signal.throwIfAborted();
    client = connectionTo(databaseUrl);
    const inTime = createDeadline(source);
    await inTime(client.connect());
    await inTime(client.query('begin transaction read only'));
    const limits = `set local statement_timeout = ${statementTimeoutMs}; set local timezone = 'UTC'; set local datestyle = 'ISO'`;
    await inTime(client.query(limits));
    // Only the extended protocol refuses a second statement, which could end the transaction.
    const declare = { text: declaration + query, queryMode: 'extended' };
    await inTime(client.query(declare));
    const { fields } = await inTime(client.query(`fetch 0 from ${cursorName}`));
    const bytes = fields.find(({ dataTypeID }) => dataTypeID === binaryType);
    if (bytes !== undefined) throw holdsBytes(setting, bytes.name);
    const columns = fields.map(({ name }) => name);
    yield { columns, rows: [] };
    const fetchNext = createFetch(client, cursorName, {
      inTime,
      toError: (long) => rowTooLong(setting, columns, long),
    });
    for (let fetched = rowsPerPage; fetched === rowsPerPage;) {
      fetched = 0;
      for await (const rows of fetchNext()) {
        fetched += rows.length;
        yield { columns, rows };
      }
    }
  } catch (error) {
    throw explain(error);
  } finally {
    if (client !== null) await close(client, source);
  }
}

/** Rejects on abort, or when the connection is dead: PostgreSQL itself ends a slow statement. */
function createDeadline({ signal, setting, statementTimeoutMs }: PostgresQuery): InTime {
  return async (work) => {
    const timeout = AbortSignal.timeout(statementTimeoutMs + answerDelayMs);
    const reason = () => (signal.aborted ? signal.reason : tooSlow(setting, statementTimeoutMs));
    return rejectOnAbort(work, AbortSignal.any([signal, timeout]), reason);
  };
}

function connectionTo(databaseUrl: string): Client {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'prospect-sync',
    keepAlive: true,
    types: { getTypeParser: (type: number) => parserOf(type) },
  });
  // A lost connection emits `error`, which ends the process without a listener. The query in progress fails by itself.
  return client.on('error', () => {});
}

/** Ends the transaction with the connection. After an abort the server would still execute the query until its timeout. */
async function close(client: Client, { databaseUrl, signal }: PostgresQuery): Promise<void> {
  if (signal.aborted) await cancel(client, databaseUrl).catch(() => undefined);
  await client.end().catch(() => undefined);
}

async function cancel(client: Client, databaseUrl: string): Promise<void> {
  // @types/pg does not have it.
  const processID = 'processID' in client ? client.processID : null;
  if (typeof processID !== 'number') return;
  const other = connectionTo(databaseUrl);
  try {
    await other.connect();
    const cancelling = other.query('select pg_cancel_backend($1)', [processID]);
    await rejectOnAbort(cancelling, AbortSignal.timeout(connectTimeoutMs));
  } finally {
    await other.end();
  }
}

type Explanation = readonly [problem: string, remedy: string];

/** SQLSTATE codes, or their class of two characters, of what concerns the query. */
const explanations: Readonly<Record<string, Explanation>> = {
  '0A000': ['PostgreSQL refused it as a query that writes, or that a cursor cannot read', 'Write one SELECT statement'],
  '25006': [
    'PostgreSQL refused it, because it writes; nothing was changed',
    'Write a SELECT statement that only reads',
  ],
  '42501': ['PostgreSQL denied the permission to read', 'Grant SELECT to the user of the address'],
  '42601': ['PostgreSQL does not accept it as one SELECT statement', 'Correct it; it must be one statement that reads'],
  '42P01': ['it names a table that does not exist', 'Correct the name, or set search_path in the address'],
  '42703': ['it names a column that does not exist', 'Correct the name; texts are in single quotes'],
  '42702': ['it names a column that several tables have', 'Write the name of its table in front, with a dot'],
  '42': ['PostgreSQL does not accept it', 'Correct it'],
  '22': ['PostgreSQL cannot compute a value', 'Correct the expression or the data'],
};

const cancelled = '57014';

/** Codes of names that are unknown or ambiguous, which stand at the position of the error. */
const namingCodes: ReadonlySet<string> = new Set(['42P01', '42702', '42703', '42883']);

/** PostgreSQL says the name in the language of the server, and counts characters from 1. */
function findName(query: string, character: number): string {
  const rest = Array.from(query)
    .slice(character - 1)
    .join('');
  return qualifiedName.exec(rest)?.[0] ?? '';
}

const qualifiedName =
  /^(?:"[\p{L}\p{N}_.$ -]{1,100}"|[\p{L}_][\p{L}\p{N}_$]{0,99})(?:\.(?:"[\p{L}\p{N}_.$ -]{1,100}"|[\p{L}_][\p{L}\p{N}_$]{0,99})){0,3}/u;

function toSqlError(error: unknown, { databaseUrl, query, setting, statementTimeoutMs }: PostgresQuery): unknown {
  if (error instanceof SqlError || error instanceof SpreadsheetError) return error;
  try {
    if (error instanceof DatabaseError) {
      const { code = '', position } = error;
      const explained = getOwnProperty(explanations, code) ?? getOwnProperty(explanations, code.slice(0, 2));
      const character = Number(position) - declaration.length;
      const name = namingCodes.has(code) && character > 0 ? findName(query, character) : '';
      const place = character > 0 ? ` at character ${character}` : '';
      const facts = `SQLSTATE ${code}${place}${name === '' ? '' : `: ${name}`}`;
      if (explained !== undefined)
        return new SqlError('refused', `${setting}.query: ${explained[0]} (${facts}). ${explained[1]}`, code);
      if (code === cancelled) return tooSlow(setting, statementTimeoutMs, code);
    }
    return fromLedgerError(explainPostgres(error, describeAddress(databaseUrl, 'the address')), setting);
  } catch (failure) {
    return fromLedgerError(failure, setting);
  }
}

/** The ledger explains the same connection errors. */
function fromLedgerError(error: unknown, setting: string): unknown {
  if (!(error instanceof LedgerError)) return error;
  const isTemporary = error.reason === 'unreachable' || error.reason === 'locked' || error.reason === 'full';
  return new SqlError(isTemporary ? 'unreachable' : 'refused', `${setting}.postgres: ${error.message}`, error.code);
}

/** bytea, see pg_type. */
const binaryType = 17;

const boolean = 16;
const decimals = new Set([20, 21, 23, 26, 1700]);
const floats = new Set([700, 701]);
const [date, timestamp, timestampWithZone] = [1082, 1114, 1184];

function parserOf(type: number): (text: string | null) => SourceCell {
  const parse = selectParser(type);
  return (text) => (text === null ? '' : parse(text));
}

function selectParser(type: number): (text: string) => SourceCell {
  if (type === boolean) return (text) => text === 't';
  if (decimals.has(type)) return toNumber;
  if (floats.has(type)) return (text) => (Number.isFinite(Number(text)) ? Number(text) : text);
  if (type === date || type === timestamp) return (text) => toDate(text, 'Z');
  if (type === timestampWithZone) return (text) => toDate(text.replace(/\+00$/, ''), 'Z');
  return (text) => text;
}

/** What a number of JavaScript cannot hold exactly stays a text: a long id must not change. */
function toNumber(text: string): SourceCell {
  const digits = text.replaceAll(/\D/g, '').length;
  const number = Number(text);
  return digits <= 15 && Number.isFinite(number) ? number : text;
}

/** `infinity` and dates before Christ stay texts. */
function toDate(text: string, zone: string): SourceCell {
  const moment = new Date(text.includes(' ') ? text.replace(' ', 'T') + zone : text);
  return Number.isNaN(moment.getTime()) || text.endsWith(' BC') ? text : moment;
}
