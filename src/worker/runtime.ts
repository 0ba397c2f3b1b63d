/** Opens what a process needs to start workflows: the clients, Temporal, the ledger, and an embedded worker. */
import type { Client } from '@temporalio/client';
import type { Config } from '../config/config.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openConfiguredTracing } from './telemetry/configured-tracing.ts';
import { applyRetentionDaily } from './daily-retention.ts';
import {
  bindToPortal,
  createDependencies,
  createSystems,
  openConfiguredLedger,
  type SystemClients,
} from './configured-clients.ts';
import { assertOwnWorkers, listLiveWorkers, runEmbeddedWorker } from './embedded-worker.ts';
import { openTemporal, openWorker, type ProcessContext } from './temporal-session.ts';
import { toDeployment } from './worker.ts';

export interface RuntimeOptions extends ProcessContext {
  /** Folder of the SQLite ledger and of the local Temporal dev server. */
  readonly dataDir: string;
  /** Waits for a Temporal that cannot be reached yet, until aborted. */
  readonly waiting?: AbortSignal;
  /** Runs before Temporal and the ledger are opened, for example to check that the systems can be reached. */
  readonly beforeOpen?: (systems: SystemClients) => Promise<void>;
}

export interface Runtime {
  /** Calls are retried until Temporal answers. */
  readonly client: Client;
  /** Task queue for workflows. */
  readonly queue: string;
  readonly ledger: Ledger;
  readonly systems: SystemClients;
  /** Address of the Temporal UI; null when unknown. */
  readonly uiUrl: string | null;
  /** Starts an embedded worker whenever no other process works on the task queue; `beforeOpen` runs first. Resolves at `close`, rejects when the worker fails. */
  readonly runWorker: (beforeOpen?: () => Promise<void>) => Promise<void>;
  /** Stops the embedded worker and closes all connections. Running workflows stay in Temporal. */
  readonly close: () => Promise<void>;
}

/** @throws {ExplainedError} when a setting is invalid, or Temporal or the ledger cannot be opened */
export async function createRuntime(
  config: Config,
  { env, log, dataDir, waiting, beforeOpen = async () => {} }: RuntimeOptions,
): Promise<Runtime> {
  const deployment = toDeployment(env);
  await using cleanup = new AsyncDisposableStack();
  const tracing = cleanup.adopt(await openConfiguredTracing(env), (opened) => opened?.close());
  const watchers = tracing === null ? [] : [tracing.watchCall];
  const opening = createSystems(config, watchers);
  await beforeOpen(opening);
  const session = cleanup.adopt(
    await openTemporal({ env, log }, dataDir, config.temporal, { tracing, answerWithinMs: null, waiting }),
    (opened) => opened.close(),
  );
  const ledger = cleanup.adopt(await openConfiguredLedger(config, dataDir, log), (opened) => opened.close());
  assertOwnWorkers(await listLiveWorkers(session), session, ledger);
  const systems = await bindToPortal(config, ledger, opening, watchers);
  const dependencies = createDependencies(config, ledger, systems);
  const closing = new AbortController();
  let worker: Promise<void> | null = null;
  let retention: Promise<void> | null = null;
  cleanup.defer(async () => {
    closing.abort();
    await retention;
    await worker?.catch(() => {}); // the caller of runWorker receives the error
  });
  const opened = cleanup.move();
  return {
    client: session.client,
    queue: session.queue,
    ledger,
    systems,
    uiUrl: session.uiUrl,
    runWorker(beforeOpen = async () => {}) {
      const open = () => openWorker({ env, log }, dependencies, session, { deployment });
      retention ??= applyRetentionDaily({ retention: config.retention, ledger, log, signal: closing.signal });
      return (worker ??= runEmbeddedWorker({
        session,
        log,
        open,
        beforeOpen,
        signal: closing.signal,
      }));
    },
    close: () => opened[Symbol.asyncDispose](),
  };
}
