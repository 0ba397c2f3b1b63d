import { readTemporalConfiguration, type GlobalOptions } from './configuration.ts';
import { openTemporal, type TemporalSession } from './session.ts';
import type { Terminal } from './terminal.ts';

/** Temporal for a command that needs nothing else of the configuration; no run has to be in order for it. */
export async function withTemporal<T>(
  terminal: Terminal,
  { config: path, dataDir }: GlobalOptions,
  work: (session: TemporalSession) => Promise<T>,
): Promise<T> {
  await using cleanup = new AsyncDisposableStack();
  const temporal = await readTemporalConfiguration(path, terminal.env);
  const session = cleanup.adopt(await openTemporal(terminal, dataDir, temporal), (opened) => opened.close());
  // Awaited here: what was opened is closed on return.
  return await work(session);
}
