import { sql } from 'kysely';

/** Rows of one statement: far below the limits of SQLite (32,766 parameters) and PostgreSQL (65,535). */
export const batchRows = 500;

export function* batchesOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += batchRows) yield rows.slice(start, start + batchRows);
}

/**
 * All rows of a query, page by page. Rows of earlier pages may be changed or deleted meanwhile.
 * @param first less than every key @param keyOf a key that no two rows share @param read the rows after a key, in the order of their keys
 */
export async function* pagesOf<Row, Key>(
  first: Key,
  keyOf: (row: Row) => Key,
  read: (after: Key) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let after = first; ;) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = keyOf(last);
  }
}

/**
 * The last row of each key, in the order of the keys. PostgreSQL rejects an upsert with a repeated key, and writers that lock rows in
 * different orders deadlock.
 */
export function distinctBy<T>(rows: readonly T[], keyOf: (row: T) => string): T[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** A row or a slot: its order or draft, and its number there. */
export interface Place {
  readonly ref: string;
  readonly position: number;
}

/**
 * At least one place as a table, `column1` its `ref` and `column2` its position: PostgreSQL uses no index for a long `or`. Use a cross
 * join, which SQLite begins with this table; otherwise it reads the other one to its end.
 */
export function toPlaceTable(places: readonly Place[]) {
  const rows = places.map(({ ref, position }) => sql`(cast(${ref} as text), cast(${position} as bigint))`);
  return sql<{ column1: string; column2: number }>`(values ${sql.join(rows)})`.as('wanted');
}
