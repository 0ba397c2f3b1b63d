import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { TransportError } from '@temporalio/worker';
import type { Config } from '../config/config.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { createDependencies, createSystems, openConfiguredLedger } from '../runtime/worker.ts';
import type { GlobalOptions } from './configuration.ts';
import { bothSides, checkConnections, type Side } from './connections.ts';
import { announceLedger } from './data-folder.ts';
import { toDeployment } from './deployment.ts';
import { lookForWorkersMs, readPollers, watchOtherWorkers } from './other-workers.ts';
import { openTemporal, openWorker, type TemporalSession } from './temporal-session.ts';
import { createWaitOutRefusals } from './temporary-refusals.ts';
import { openConfiguredTracing } from './tracing.ts';
import { CommandError, type Terminal } from './terminal.ts';

export interface RuntimeResult<T> {
  readonly seconds: number;
  readonly uiUrl: string | null;
  readonly result: T;
}

export interface OpenRuntime {
  readonly client: Client;
  /** Where its workflows find a worker. */
  readonly queue: string;
  readonly ledger: Ledger;
  readonly systems: ReturnType<typeof createSystems>;
}

const openAttempts = 5;

export interface RuntimeSettings {
  /** Sides that have to be reached. */
  readonly needed?: readonly Side[];
  /** Before this process may become a worker: the place to ask a person. */
  readonly beforeWork?: (open: OpenRuntime) => Promise<void>;
}

/** Opens what a command needs, has it work, and closes everything whatever happens. Starts a worker when no other one lives. */
export async function withRuntime<T>(
  terminal: Terminal,
  config: Config,
  options: GlobalOptions,
  work: (open: OpenRuntime) => Promise<T>,
  { needed = bothSides, beforeWork = async () => {} }: RuntimeSettings = {},
): Promise<RuntimeResult<T>> {
  const started = performance.now();
  const deployment = toDeployment(terminal.env);
  await using cleanup = new AsyncDisposableStack();
  const tracing = cleanup.adopt(await openConfiguredTracing(terminal.env), (opened) => opened?.close());
  const systems = createSystems(config, tracing === null ? [] : [tracing.watchCall]);
  const waitOut = createWaitOutRefusals(terminal);
  const dataDir = await waitOut('The ledger', () => announceLedger(terminal, config, options));
  await checkConnections(config, systems, { needed, waitOut });
  const settings = { tracing, answerWithinMs: null };
  const session = cleanup.adopt(await openTemporal(terminal, dataDir, config.temporal, settings), (opened) =>
    opened.close(),
  );
  const ledger = cleanup.adopt(await openConfiguredLedger(config, dataDir), (opened) => opened.close());
  const place = { client: session.client, queue: session.queue, ledger, systems };
  await beforeWork(place);
  const clients = createDependencies(config, ledger, systems);
  const backup = new AbortController();
  const open = () => openWorker(terminal, clients, session, { deployment });
  const working = workWhileNoOtherWorker(terminal, open, session, backup.signal);
  const failed = working.then(() => Promise.withResolvers<never>().promise);
  cleanup.defer(async () => {
    backup.abort();
    await working.catch(() => {}); // told by `failed`
  });
  if (session.uiUrl !== null) terminal.say(`Temporal UI: ${session.uiUrl}`);
  // Without anybody who works there is nothing to wait for.
  const result = await Promise.race([work(place), failed]);
  return { seconds: (performance.now() - started) / 1_000, uiUrl: session.uiUrl, result };
}

/** Has this process work as soon as no other one does, which may be at once or when a worker goes away; until aborted. */
async function workWhileNoOtherWorker(
  terminal: Terminal,
  open: () => ReturnType<typeof openWorker>,
  session: TemporalSession,
  signal: AbortSignal,
): Promise<void> {
  const aborted = once(signal, 'abort');
  const look = watchOtherWorkers({ readPollers: () => readPollers(session) });
  let told = false;
  while (!signal.aborted) {
    const found = await Promise.race([look(), aborted.then(() => 'unsure' as const)]);
    if (found === 'gone') break;
    if (found === 'working' && !told) terminal.say('Worker: another process works on the task queue');
    told ||= found === 'working';
    await sleep(lookForWorkersMs, null, { signal }).catch(() => {});
  }
  if (signal.aborted) return;
  terminal.say('Worker: none is running, this process works for the time of the command');
  const worker = await openThroughOutages(open, session, aborted);
  if (worker === null) return;
  if (!signal.aborted) await Promise.race([aborted, worker.ended]);
  await worker.close();
  if (!signal.aborted)
    throw new CommandError(
      'the worker of this process ended by itself; see the lines above. What was started is kept in Temporal: the same command attaches to it',
    );
}

/** Temporal may go away between the client's first call and the worker's. null: aborted. */
async function openThroughOutages(
  open: () => ReturnType<typeof openWorker>,
  { client }: TemporalSession,
  aborted: Promise<unknown>,
) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof TransportError) || attempt === openAttempts) throw error;
    }
    // Returns once Temporal answers again.
    const answer = client.workflowService.getSystemInfo({}).then(() => 'answered' as const);
    if ((await Promise.race([answer, aborted])) !== 'answered') return null;
  }
}
