import type { SchemaModule } from 'kysely';
import { type Differences, primary, required } from './columns.ts';

/** Who has started which command in the console, and on which page who has asked to see people. */
export async function createConsoleTables(schema: SchemaModule, { key }: Differences): Promise<void> {
  await schema
    .createTable('consoleActions')
    .addColumn('id', key, primary)
    .addColumn('at', key, required)
    .addColumn('who', 'text', required)
    .addColumn('command', 'text', required)
    .addColumn('page', 'text')
    .addColumn('code', 'integer')
    .addColumn('endedAt', 'text')
    .execute();
}
