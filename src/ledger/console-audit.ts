/** Who has done what in the console, without texts: commands by name, with the ids that they are about, and pages on which people were shown. */
import type { Database, Tables } from './tables.ts';

/** `page`: path on which the user has asked to see people, without its query; null for a command. `code`: exit code of the command, see docs/cli.md; null while it works, after a process that died, and when it has asked and ended. */
export type ConsoleAction = Tables['consoleActions'];

export function createConsoleAudit(db: Database) {
  return {
    async start(action: Pick<ConsoleAction, 'id' | 'at' | 'who' | 'command'>): Promise<void> {
      await db
        .insertInto('consoleActions')
        .values({ ...action, page: null, code: null, endedAt: null })
        .execute();
    },

    async reveal(reveal: Pick<ConsoleAction, 'id' | 'at' | 'who'> & { readonly page: string }): Promise<void> {
      const done = { command: 'Show people', code: 0, endedAt: reveal.at };
      await db
        .insertInto('consoleActions')
        .values({ ...reveal, ...done })
        .execute();
    },

    async end(id: string, { code, at }: { readonly code: number | null; readonly at: string }): Promise<void> {
      await db.updateTable('consoleActions').set({ code, endedAt: at }).where('id', '=', id).execute();
    },

    /** The newest first. */
    recent(limit: number): Promise<ConsoleAction[]> {
      return db.selectFrom('consoleActions').selectAll().orderBy('at', 'desc').orderBy('id').limit(limit).execute();
    },
  };
}
