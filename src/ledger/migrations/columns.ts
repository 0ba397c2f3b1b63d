import { type ColumnDefinitionBuilder, type CreateTableBuilder, sql } from 'kysely';
import type { DatabaseKind } from '../tables.ts';

/** Differences between the databases. */
export interface Differences {
  /** The type of a text that is compared or sorted. */
  readonly key: ReturnType<typeof sql>;
  /** For tables of short rows. */
  readonly compact: <T extends string>(table: CreateTableBuilder<T>) => CreateTableBuilder<T>;
}

export function differencesOf(kind: DatabaseKind): Differences {
  return kind === 'postgres'
    ? { key: sql`text collate "C"`, compact: (table) => table } // bytes, as in SQLite; a locale's order is slow
    : { key: sql`text`, compact: (table) => table.modifyEnd(sql`without rowid`) }; // the key is the table: half the size
}

export const required = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull();

export const primary = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.primaryKey().notNull();

/** One of these words, or null in a column that is not required: a program would wait for an unknown state for ever. */
export const oneOf =
  (name: string, words: readonly string[]) =>
  (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
    column.check(sql`${sql.ref(name)} in (${sql.join(words.map((word) => sql.lit(word)))})`);
