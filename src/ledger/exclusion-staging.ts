import type { Database } from './tables.ts';

export type Staging = 'exclusionsWanted' | 'exclusionsPresent' | 'exclusionsFound';

const clearRows = 20_000;

const keys = { exclusionsWanted: 'hash', exclusionsPresent: 'entryId', exclusionsFound: 'recordId' } as const;

export async function countRows(db: Database, table: Staging, syncId: string): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('syncId', '=', syncId)
    .executeTakeFirstOrThrow();
  return count;
}

/** In pieces: one statement for a million rows would stop the process, and every other writer, for seconds. */
export async function clearTable(db: Database, table: Staging, syncId: string): Promise<void> {
  const key = db.dynamic.ref<'syncId'>(keys[table]);
  for (;;) {
    const bound = await db
      .selectFrom(table)
      .select(key)
      .where('syncId', '=', syncId)
      .orderBy(key)
      .offset(clearRows)
      .limit(1)
      .executeTakeFirst();
    await db
      .deleteFrom(table)
      .where('syncId', '=', syncId)
      .$if(bound !== undefined, (query) => query.where(key, '<=', Object.values(bound ?? {})[0] ?? ''))
      .execute();
    if (!bound) return;
  }
}
