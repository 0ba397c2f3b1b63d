import type { CompiledQuery, DatabaseConnection, Driver } from 'kysely';
import { toStorableText } from '../text/storable.ts';

type Guards = {
  /** Runs around everything that is sent to the database: the place to wait, and to explain errors. */
  around: <T>(task: () => Promise<T>) => Promise<T>;
  /** Instead of the driver's own way to begin a transaction. */
  begin?: (connection: DatabaseConnection) => Promise<void>;
};

/** Whatever was not replaced before: PostgreSQL would refuse the statement, and SQLite would hold another text. */
function withStorableTexts(query: CompiledQuery): CompiledQuery {
  const parameters = query.parameters.map((value) => (typeof value === 'string' ? toStorableText(value) : value));
  return { ...query, parameters };
}

/** A driver of Kysely with `around` around each of its calls. */
export function wrapDriver(driver: Driver, { around, begin }: Guards): Driver {
  // The driver knows its connections by identity: it is handed its own again.
  const originals = new WeakMap<DatabaseConnection, DatabaseConnection>();
  const original = (guarded: DatabaseConnection) => originals.get(guarded) ?? guarded;
  const start = begin ?? ((connection) => driver.beginTransaction(connection, {}));
  return {
    init: (options) => around(() => driver.init(options)),
    async acquireConnection(options) {
      const connection = await around(() => driver.acquireConnection(options));
      const guarded: DatabaseConnection = {
        executeQuery: (query, options) => around(() => connection.executeQuery(withStorableTexts(query), options)),
        streamQuery: (query, size, options) => connection.streamQuery(withStorableTexts(query), size, options),
      };
      originals.set(guarded, connection);
      return guarded;
    },
    beginTransaction: (connection) => around(() => start(original(connection))),
    commitTransaction: (connection) => around(() => driver.commitTransaction(original(connection))),
    rollbackTransaction: (connection) => around(() => driver.rollbackTransaction(original(connection))),
    releaseConnection: (connection, options) => driver.releaseConnection(original(connection), options),
    destroy: (options) => driver.destroy(options),
  };
}
