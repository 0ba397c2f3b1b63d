import type { Config } from '../config/config.ts';
import { isWithoutWorker } from '../worker/embedded-worker.ts';
import { createRuntime, type Runtime } from '../worker/runtime.ts';
import { type GlobalOptions, readTemporalConfiguration } from './configuration.ts';
import { assertOwnLedger, bothSides, checkConnections, type Side, createWaitOutRefusals } from './connections.ts';
import { announceLedger, findDataFolder, findUsedDataFolder } from './data-folder.ts';
import { sayAtSignal, type Terminal } from './terminal.ts';
import { toScheduleError } from '../temporal/schedules/schedule-errors.ts';
import { mayHaveWorkers } from '../temporal/connect-temporal.ts';
import { listWorkflows } from '../temporal/list-workflows.ts';
import { runAttribute } from '../temporal/search-attributes.ts';
import { openTemporal, type TemporalSession } from '../worker/temporal-session.ts';

export interface RuntimeResult<T> {
  readonly seconds: number;
  readonly uiUrl: string | null;
  readonly result: T;
}

export type OpenRuntime = Pick<Runtime, 'client' | 'queue' | 'ledger' | 'systems'>;

export interface RuntimeSettings<P> {
  /** Systems that must be reachable. */
  readonly needed?: readonly Side[];
  /** Runs before the embedded worker may start, for example to ask the user. */
  readonly prepare: (runtime: OpenRuntime) => Promise<P>;
  /** The run that the command itself starts or attaches to; null: none. */
  readonly runName?: string | null;
}

/** Runs `work` with an open runtime, an embedded worker and what was prepared, and closes both in every case. Fails when the worker fails. */
export async function withRuntime<P, T>(
  terminal: Terminal,
  config: Config,
  options: GlobalOptions,
  { needed = bothSides, prepare, runName = null }: RuntimeSettings<P>,
  work: (runtime: OpenRuntime, prepared: P) => Promise<T>,
): Promise<RuntimeResult<T>> {
  const started = performance.now();
  await using cleanup = new AsyncDisposableStack();
  // No worker and no workflow of this command exists before `startsNow`.
  const startsNow = sayAtSignal(terminal, 'this command has started nothing and ordered nothing');
  cleanup.defer(startsNow);
  const dataDir = await findDataFolder(options);
  const waitOut = createWaitOutRefusals(terminal);
  const runtime = await createRuntime(config, {
    env: terminal.env,
    log: terminal.say,
    dataDir,
    async beforeOpen(systems) {
      await announceLedger(terminal, config, dataDir);
      await checkConnections(config, systems, { needed, waitOut });
    },
  });
  cleanup.defer(() => runtime.close());
  await assertOwnLedger(runtime.systems, { needed, ledger: runtime.ledger, waitOut });
  const prepared = await prepare(runtime);
  startsNow();
  const worker = runtime.runWorker(() => announceOtherRuns(terminal, runtime, runName));
  if (runtime.uiUrl !== null) terminal.say(`Temporal UI: ${runtime.uiUrl}`);
  const result = work(runtime, prepared);
  // The worker ends before the work only if it fails. The work could then not progress.
  await Promise.race([result, worker]);
  return { seconds: (performance.now() - started) / 1_000, uiUrl: runtime.uiUrl, result: await result };
}

const namedRuns = 5;
const listWithinMs = 10_000;

/** Names runs in progress that an embedded worker continues too, and which may order. Says nothing if Temporal does not answer. */
export async function announceOtherRuns(
  terminal: Pick<Terminal, 'say'>,
  { client, queue }: Pick<OpenRuntime, 'client' | 'queue'>,
  ownRun: string | null,
): Promise<void> {
  const running = `WorkflowType = "runProspecting" AND ExecutionStatus = "Running" AND TaskQueue = "${queue}"`;
  const query = ownRun === null ? running : `${running} AND ${runAttribute.name} != "${ownRun}"`;
  const ids: string[] = [];
  try {
    await client.withDeadline(Date.now() + listWithinMs, async () => {
      for await (const { workflowId } of listWorkflows(client, { query, pageSize: namedRuns + 1 }))
        if (ids.push(workflowId) > namedRuns) break;
    });
  } catch {
    return;
  }
  if (ids.length === 0) return;
  const more = ids.length > namedRuns ? ' and more' : '';
  terminal.say(
    `Other runs in progress: while this command works, its worker continues ${ids.slice(0, namedRuns).join(', ')}${more}, and they may place orders. To stop one, run: prospect-sync cancel NAME`,
    'warn',
  );
}

/** Opens Temporal for a command that needs only the section `temporal`: the other sections may have problems. */
export async function withTemporal<T>(
  terminal: Terminal,
  options: GlobalOptions,
  work: (session: TemporalSession) => Promise<T>,
): Promise<T> {
  await using cleanup = new AsyncDisposableStack();
  const temporal = await readTemporalConfiguration(options.config, terminal.env);
  const dataDir = await findUsedDataFolder(options, terminal.env);
  const session = await openTemporal({ env: terminal.env, log: terminal.say }, dataDir, temporal);
  cleanup.adopt(session, (opened) => opened.close());
  try {
    // Awaited, since the session closes on return.
    return await work(session);
  } catch (error) {
    throw toScheduleError(error);
  }
}

/** Starts no local Temporal: null where none runs. */
export async function withRunningTemporal<T>(
  terminal: Terminal,
  options: GlobalOptions,
  work: (session: TemporalSession) => Promise<T>,
): Promise<T | null> {
  const runs = await mayHaveWorkers(terminal.env, await findDataFolder(options));
  return runs ? await withTemporal(terminal, options, work) : null;
}

/** Warns when no worker runs. `waiting`: what waits for one. */
export async function warnWithoutWorker(terminal: Terminal, session: TemporalSession, waiting: string): Promise<void> {
  if (!(await isWithoutWorker(session))) return;
  const ends = session.service.isDevServer
    ? ', and the local Temporal stops with the last command or worker that uses it'
    : '';
  terminal.say(`No worker is running${ends}: ${waiting} until one runs. Start it with: prospect-sync worker`, 'warn');
}
