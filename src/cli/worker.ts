import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { openTemporal, openWorker } from './session.ts';
import { createClients, openConfiguredLedger } from '../worker.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** Works until it is told to stop; what it was doing goes on in the next worker. */
export async function worker(terminal: Terminal, { config: path, dataDir }: GlobalOptions): Promise<void> {
  const config = await readConfiguration(path, terminal.env);
  await using cleanup = new AsyncDisposableStack();
  const session = cleanup.adopt(await openTemporal(terminal, dataDir, config.temporal), (opened) => opened.close());
  const ledger = cleanup.adopt(await openConfiguredLedger(config, dataDir), (opened) => opened.close());
  const opened = await openWorker(terminal, createClients(config, ledger), session);
  cleanup.defer(() => opened.close());
  terminal.say(`Worker: ready${session.uiUrl === null ? '' : `, Temporal UI ${session.uiUrl}`}`);
  const end = await Promise.race([terminal.interrupted, opened.ended.then(() => null)]);
  if (end === null) throw new CommandError('the worker ended by itself; see the lines above');
  terminal.say(`Worker: ${end}, stopping`);
}
