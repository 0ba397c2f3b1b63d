import type { CompiledQuery, DatabaseConnection, Driver } from 'kysely';
import { toStorableText } from '../base/text/storable.ts';

type Guards = {
  /** Runs around every statement: waits for other writers and converts errors. */
  around: <T>(task: () => Promise<T>) => Promise<T>;
  /** Replaces the driver's statement to begin a transaction. */
  begin?: (connection: DatabaseConnection) => Promise<void>;
  /** True for an error of a rollback that says that there is nothing to roll back. */
  isRolledBack?: (error: unknown) => boolean;
};

/** Replaces characters that PostgreSQL rejects and SQLite would store differently. Earlier layers should have removed them. */
function withStorableTexts(query: CompiledQuery): CompiledQuery {
  const parameters = query.parameters.map((value) => (typeof value === 'string' ? toStorableText(value) : value));
  return { ...query, parameters };
}

/** A Kysely driver that runs `around` around each of its calls. */
export function wrapDriver(driver: Driver, { around, begin, isRolledBack = () => false }: Guards): Driver {
  // The driver identifies its connections by object identity.
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
    rollbackTransaction: (connection) =>
      around(async () => {
        try {
          await driver.rollbackTransaction(original(connection));
        } catch (error) {
          // Its error would hide the one that has ended the transaction.
          if (!isRolledBack(error)) throw error;
        }
      }),
    releaseConnection: (connection, options) => driver.releaseConnection(original(connection), options),
    destroy: (options) => driver.destroy(options),
  };
}
