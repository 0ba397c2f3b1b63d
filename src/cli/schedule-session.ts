import { toScheduleError } from '../schedules/schedule-errors.ts';
import { readTemporalConfiguration, type GlobalOptions } from './configuration.ts';
import { useDataFolder } from './data-folder.ts';
import { openTemporal, type TemporalSession } from '../runtime/temporal-session.ts';
import type { Terminal } from './terminal.ts';

/** Temporal for a command that needs nothing else of the configuration; no run has to be in order for it. */
export async function withTemporal<T>(
  terminal: Terminal,
  options: GlobalOptions,
  work: (session: TemporalSession) => Promise<T>,
): Promise<T> {
  await using cleanup = new AsyncDisposableStack();
  const temporal = await readTemporalConfiguration(options.config, terminal.env);
  const dataDir = await useDataFolder(terminal, options);
  const session = await openTemporal({ env: terminal.env, log: terminal.say }, dataDir, temporal);
  cleanup.adopt(session, (opened) => opened.close());
  try {
    // Awaited here: what was opened is closed on return.
    return await work(session);
  } catch (error) {
    throw toScheduleError(error);
  }
}
