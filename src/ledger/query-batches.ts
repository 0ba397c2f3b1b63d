/** Rows of one statement: with a dozen columns still far below SQLite's 32,766 and PostgreSQL's 65,535 parameters. */
export const batchRows = 500;

export function* batchesOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += batchRows) yield rows.slice(start, start + batchRows);
}

/**
 * One row a key, the last one given, in the order of the keys. PostgreSQL refuses an upsert that meets a key twice, two
 * writers that lock rows in different orders block each other, and neighbours in an index are cheaper to insert.
 */
export function distinctBy<T>(rows: readonly T[], keyOf: (row: T) => string): T[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
