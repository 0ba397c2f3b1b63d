/** Detects whether workers in other processes poll the task queue. */
import { hostname } from 'node:os';
import type { TemporalSession } from './temporal-session.ts';

/** A worker that polled the task queue, and when it last did. */
export interface Poller {
  /** A worker's is `pid@host`. */
  readonly identity: string;
  readonly lastSeconds: number;
}

/** `unsure`: no poller is listed, but a worker may still be alive. */
export type OtherWorkers = 'working' | 'unsure' | 'none';

export const pollerCheckIntervalMs = 5_000;
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
 * are alive. Workers seen before are therefore gone only if the list still names them with an old time and no check failed, or if
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
    const oldest = clock() / 1_000 - livePollerSeconds;
    const live = pollers.filter(({ identity, lastSeconds }) => lastSeconds > oldest && mayBeAlive(identity));
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

/** @throws when Temporal does not answer in time */
export async function readPollers({ client, service, queue }: TemporalSession): Promise<Poller[]> {
  const { pollers } = await client.withDeadline(Date.now() + requestTimeoutMs, () =>
    client.workflowService.describeTaskQueue({ namespace: service.namespace, taskQueue: { name: queue } }),
  );
  return (pollers ?? []).map(({ identity, lastAccessTime }) => ({
    identity: identity ?? '',
    lastSeconds: Number(lastAccessTime?.seconds ?? 0),
  }));
}

/** Only processes of this host can be checked. */
function processMayBeAlive(identity: string): boolean {
  const [pid, host] = identity.split('@');
  if (host !== hostname() || !/^\d+$/.test(pid ?? '')) return true;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}
