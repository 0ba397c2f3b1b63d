/** A worker in this process that runs only while no other process works on the task queue. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { TransportError } from '@temporalio/worker';
import { ExplainedError } from '../base/text/explained-error.ts';
import type { Log } from '../base/logs.ts';
import type { openWorker, TemporalSession } from './temporal-session.ts';
import { hostname } from 'node:os';
import type { Config } from '../config/config.ts';
import { toInstallationName } from '../config/blacklist-settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { parseWorkerIdentity, toRunsVersion, type WorkerIdentity } from './worker-identity.ts';

export interface EmbeddedWorkerOptions {
  readonly session: TemporalSession;
  readonly log: Log;
  readonly open: () => ReturnType<typeof openWorker>;
  /** Runs before the worker starts, for example to tell the user what it will work on. */
  readonly beforeOpen: () => Promise<void>;
  /** Stops the worker. */
  readonly signal: AbortSignal;
}

const openAttempts = 5;

/** Starts the worker as soon as no other process polls the task queue; resolves once aborted and closed. @throws when the worker stops by itself */
export async function runEmbeddedWorker({
  session,
  log,
  open,
  beforeOpen,
  signal,
}: EmbeddedWorkerOptions): Promise<void> {
  const aborted = once(signal, 'abort');
  const checkOtherWorkers = watchOtherWorkers({ readPollers: () => readPollers(session) });
  let isLogged = false;
  while (!signal.aborted) {
    const found = await Promise.race([checkOtherWorkers(), aborted.then(() => 'unsure' as const)]);
    if (found === 'none') break;
    if (found === 'working' && !isLogged) log('Worker: using the worker of another process on the task queue');
    isLogged ||= found === 'working';
    await sleep(pollerCheckIntervalMs, null, { signal }).catch(() => {});
  }
  if (signal.aborted) return;
  log('Worker: none is running, starting an embedded worker');
  await Promise.race([beforeOpen(), aborted]);
  if (signal.aborted) return;
  const worker = await openThroughOutages(open, session, aborted);
  if (worker === null) return;
  if (!signal.aborted) await Promise.race([aborted, worker.ended]);
  await worker.close();
  if (!signal.aborted)
    throw new ExplainedError(
      'The embedded worker stopped unexpectedly: see the lines above. Started workflows are kept in Temporal; run the same command again to attach to them',
    );
}

/** Temporal may become unavailable between the first call of the client and that of the worker. null: aborted. */
async function openThroughOutages(
  open: EmbeddedWorkerOptions['open'],
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

/** A worker that polled the task queue, and when it last did. */
export interface Poller {
  /** Of worker-identity.ts for workers. */
  readonly identity: string;
  readonly lastSeconds: number;
}

/** `unsure`: no poller is listed, but a worker may still be alive. */
export type OtherWorkers = 'working' | 'unsure' | 'none';

const pollerCheckIntervalMs = 5_000;
const requestTimeoutMs = 10_000;
/** Temporal lists pollers for minutes; a live one polls again within a minute. */
const livePollerSeconds = 70;
const emptyChecksUntilNone = (livePollerSeconds * 1_000) / pollerCheckIntervalMs;

export interface OtherWorkersOptions {
  readonly readPollers: () => Promise<readonly Poller[]>;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Whether the process of this identity may be alive, as far as this host knows. */
  readonly mayBeAlive?: (identity: string) => boolean;
}

/**
 * Each call checks once. Temporal keeps pollers in memory: after a restart or a pause the list is empty or outdated although workers
 * are alive. Workers seen before have therefore ended only if the list still names them with an old time and no check failed, or if
 * their processes on this host have ended; otherwise only after a full poll time of empty checks. An empty first check counts.
 */
export function watchOtherWorkers({
  readPollers,
  clock = Date.now,
  mayBeAlive = processMayBeAlive,
}: OtherWorkersOptions) {
  let seenIdentities: readonly string[] = [];
  let hasFailed = false;
  let emptyChecks = 0;
  return async (): Promise<OtherWorkers> => {
    const pollers = await readPollers().catch(() => null);
    if (pollers === null) {
      hasFailed = true;
      emptyChecks = 0;
      return 'unsure';
    }
    const live = selectLive(pollers, { now: clock(), mayBeAlive });
    if (live.length > 0) {
      seenIdentities = live.map(({ identity }) => identity);
      hasFailed = false;
      emptyChecks = 0;
      return 'working';
    }
    emptyChecks += 1;
    if (emptyChecks > emptyChecksUntilNone) return 'none';
    const listed = new Set(pollers.map(({ identity }) => identity));
    return !hasFailed && seenIdentities.every((identity) => listed.has(identity) || !mayBeAlive(identity))
      ? 'none'
      : 'unsure';
  };
}

function selectLive(
  pollers: readonly Poller[],
  { now, mayBeAlive }: { readonly now: number; readonly mayBeAlive: (identity: string) => boolean },
): readonly Poller[] {
  const oldest = now / 1_000 - livePollerSeconds;
  return pollers.filter(({ identity, lastSeconds }) => lastSeconds > oldest && mayBeAlive(identity));
}

/** The workers that are alive. One of another host is listed for a minute after its end. Empty where Temporal does not say. */
export async function listLiveWorkers(session: TemporalSession): Promise<WorkerIdentity[]> {
  const pollers = await readPollers(session).catch(() => []);
  const live = selectLive(pollers, { now: Date.now(), mayBeAlive: processMayBeAlive });
  return live.map(({ identity }) => parseWorkerIdentity(identity));
}

/** Those that have read other runs, `pid@host`: they order what their version of the file says. */
export function findWorkersOfOtherRuns(workers: readonly WorkerIdentity[], { runs }: Pick<Config, 'runs'>): string[] {
  const own = toRunsVersion(Object.entries(runs).map(([runName, { digest }]) => ({ runName, digest })));
  return workers.flatMap(({ process: worker, version }) => (version === null || version === own ? [] : [worker]));
}

/**
 * A worker of another installation would order by its own configuration, and write into its own HubSpot.
 * @throws {ExplainedError} for such a worker
 */
export function assertOwnWorkers(
  workers: readonly WorkerIdentity[],
  { queue }: Pick<TemporalSession, 'queue'>,
  { installation }: Pick<Ledger, 'installation'>,
): void {
  const own = toInstallationName(installation);
  const other = workers.find((worker) => (worker.installation ?? own) !== own);
  if (other === undefined) return;
  throw new ExplainedError(
    `Worker ${other.process} on the task queue ${queue} belongs to another installation (${other.installation}; this ledger is that of ${own}), and would order and write as its own configuration says: nothing was started. Give each installation its own namespace or TEMPORAL_TASK_QUEUE. A worker that ended on another computer is listed for a minute`,
  );
}

/** True if no worker polls the task queue; false also where Temporal does not say. */
export async function isWithoutWorker(session: TemporalSession): Promise<boolean> {
  return (await watchOtherWorkers({ readPollers: () => readPollers(session) })()) === 'none';
}

/** @throws when Temporal does not answer in time */
async function readPollers({ client, service, queue }: TemporalSession): Promise<Poller[]> {
  const { pollers } = await client.withDeadline(Date.now() + requestTimeoutMs, () =>
    client.workflowService.describeTaskQueue({ namespace: service.namespace, taskQueue: { name: queue } }),
  );
  return pollers.map(({ identity, lastAccessTime }) => ({
    identity: identity ?? '',
    lastSeconds: Number(lastAccessTime?.seconds ?? 0),
  }));
}

/** Only processes of this host can be checked. */
function processMayBeAlive(identity: string): boolean {
  const [pid, host] = parseWorkerIdentity(identity).process.split('@');
  if (host !== hostname() || !/^\d+$/.test(pid ?? '')) return true;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}
