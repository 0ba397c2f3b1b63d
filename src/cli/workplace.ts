import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Clients } from '../../activities/clients.ts';
import type { Config } from '../config/shape.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { createClients, openConfiguredLedger } from '../worker.ts';
import type { GlobalOptions } from './configuration.ts';
import { bothSides, checkConnections, type Side } from './connections.ts';
import { isWorkedOn, openTemporal, openWorker, type TemporalSession } from './session.ts';
import { CommandError, type Terminal } from './terminal.ts';

export interface WorkDone<T> {
  readonly seconds: number;
  readonly uiUrl: string | null;
  readonly result: T;
}

export interface OpenWorkplace {
  readonly client: Client;
  readonly ledger: Ledger;
}

/** Opens what a command needs, has it work, and closes everything whatever happens. Starts a worker when no other one lives. */
export async function withWorkplace<T>(
  terminal: Terminal,
  config: Config,
  { dataDir }: GlobalOptions,
  work: (open: OpenWorkplace) => Promise<T>,
  needed: readonly Side[] = bothSides,
): Promise<WorkDone<T>> {
  const started = performance.now();
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openConfiguredLedger(config, dataDir), (opened) => opened.close());
  const clients = createClients(config, ledger);
  await checkConnections(config, clients, needed);
  const session = cleanup.adopt(await openTemporal(terminal, dataDir), (opened) => opened.close());
  const backup = new AbortController();
  const working = workWhenNobodyDoes(terminal, clients, session, backup.signal);
  const failed = working.then(() => Promise.withResolvers<never>().promise);
  cleanup.defer(async () => {
    backup.abort();
    await working.catch(() => {}); // told by `failed`
  });
  if (session.uiUrl !== null) terminal.say(`Temporal UI: ${session.uiUrl}`);
  // Without anybody who works there is nothing to wait for.
  const result = await Promise.race([work({ client: session.client, ledger }), failed]);
  return { seconds: (performance.now() - started) / 1_000, uiUrl: session.uiUrl, result };
}

const lookForWorkersMs = 5_000;

/** Has this process work as soon as no other one does, which may be at once or when a worker goes away; until aborted. */
async function workWhenNobodyDoes(
  terminal: Terminal,
  clients: Clients,
  session: TemporalSession,
  signal: AbortSignal,
): Promise<void> {
  let told = false;
  while (!signal.aborted && (await isWorkedOn(session).catch(() => true))) {
    if (!told) terminal.say('Worker: another process works on the task queue');
    told = true;
    await sleep(lookForWorkersMs, null, { signal }).catch(() => {});
  }
  if (signal.aborted) return;
  terminal.say('Worker: none is running, this process works for the time of the command');
  const worker = await openWorker(terminal, clients, session);
  if (!signal.aborted) await Promise.race([once(signal, 'abort'), worker.ended]);
  await worker.close();
  if (!signal.aborted) throw new CommandError('the worker ended by itself; see the lines above');
}
