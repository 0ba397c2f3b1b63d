import type { Client } from '@temporalio/client';
import type { Config } from '../config/shape.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { createClients, openConfiguredLedger } from '../worker.ts';
import type { GlobalOptions } from './configuration.ts';
import { checkConnections } from './connections.ts';
import type { ReportedOrder, Summary } from './report.ts';
import { isWorkedOn, openTemporal, openWorker } from './session.ts';
import type { Terminal } from './terminal.ts';

export interface OpenWorkplace {
  readonly client: Client;
  readonly ledger: Ledger;
}

/** Opens what a command needs, has it work, and closes everything whatever happens. Starts a worker when no other one lives. */
export async function withWorkplace(
  terminal: Terminal,
  config: Config,
  { dataDir }: GlobalOptions,
  work: (open: OpenWorkplace) => Promise<ReportedOrder[]>,
): Promise<Summary> {
  const started = performance.now();
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openConfiguredLedger(config, dataDir), (opened) => opened.close());
  const clients = createClients(config, ledger);
  await checkConnections(config, clients);
  const session = cleanup.adopt(await openTemporal(terminal, dataDir, false), (opened) => opened.close());
  if (await isWorkedOn(session)) terminal.say('Worker: another process works on the task queue');
  else {
    terminal.say('Worker: none is running, this process works for the time of the command');
    cleanup.adopt(await openWorker(terminal, clients, session), (opened) => opened.close());
  }
  if (session.uiUrl !== null) terminal.say(`Temporal UI: ${session.uiUrl}`);
  const orders = await work({ client: session.client, ledger });
  return { seconds: (performance.now() - started) / 1_000, uiUrl: session.uiUrl, orders };
}
