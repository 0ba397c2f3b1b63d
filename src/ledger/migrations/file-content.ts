import type { Kysely } from 'kysely';

/** What each spreadsheet says, apart from its bytes; null for files that were written before. */
export async function addFileContent<T>({ schema }: Kysely<T>): Promise<void> {
  await schema.alterTable('files').addColumn('contentJson', 'text').execute();
}
