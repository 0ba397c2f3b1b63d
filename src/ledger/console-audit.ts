/** Who has done what in the console: commands by name, with the ids that they are about, and without texts. */
import type { Database, Tables } from './tables.ts';

/** `code`: exit code of the command, see docs/cli.md; null while it works, after a process that died, and when it has asked and ended. */
export type ConsoleAction = Tables['consoleActions'];

export function createConsoleAudit(db: Database) {
  return {
    async start(action: Pick<ConsoleAction, 'id' | 'at' | 'who' | 'command'>): Promise<void> {
      await db
        .insertInto('consoleActions')
        .values({ ...action, code: null, endedAt: null })
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
