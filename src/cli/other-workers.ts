/** Whether other processes work on the task queue. */
import { hostname } from 'node:os';
import type { TemporalSession } from './temporal-session.ts';

/** Who asked Temporal for work, and when it last did. */
export interface Poller {
  /** A worker's is `pid@host`. */
  readonly identity: string;
  readonly lastSeconds: number;
}

/** `unsure`: none is seen, and yet one may live. */
export type OtherWorkers = 'working' | 'unsure' | 'gone';

/** Between two looks. */
export const lookForWorkersMs = 5_000;
const patienceMs = 10_000;
/** Pollers are remembered for minutes; one that lives asks again within a minute. */
const livingPollerSeconds = 70;
const quietLooksOfNobody = (livingPollerSeconds * 1_000) / lookForWorkersMs;

export interface OtherWorkersOptions {
  readonly readPollers: () => Promise<readonly Poller[]>;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Whether the process may live, as far as is known here. */
  readonly lives?: (identity: string) => boolean;
}

/**
 * Each call is a look. Temporal keeps its list of pollers in memory: it is empty after a restart, and out of date after a
 * pause, although workers live and ask again within a poll's time. So that those of the last sight are gone only when the list
 * still names each of them as too long ago, with no look failing in between, or when their processes, on this machine, are
 * gone. Otherwise it takes a poll's time of looks in a row that were answered and found nobody. A first look that finds an
 * empty list is believed, or every command on a laptop would wait.
 */
export function watchOtherWorkers({ readPollers, clock = Date.now, lives = mayLive }: OtherWorkersOptions) {
  let sighted: readonly string[] = [];
  let hasFailed = false;
  let quietLooks = 0;
  return async (): Promise<OtherWorkers> => {
    const pollers = await readPollers().catch(() => null);
    if (pollers === null) {
      hasFailed = true;
      quietLooks = 0;
      return 'unsure';
    }
    const oldest = clock() / 1_000 - livingPollerSeconds;
    const living = pollers.filter(({ identity, lastSeconds }) => lastSeconds > oldest && lives(identity));
    if (living.length > 0) {
      sighted = living.map(({ identity }) => identity);
      hasFailed = false;
      quietLooks = 0;
      return 'working';
    }
    quietLooks += 1;
    if (quietLooks > quietLooksOfNobody) return 'gone';
    const listed = new Set(pollers.map(({ identity }) => identity));
    return !hasFailed && sighted.every((identity) => listed.has(identity) || !lives(identity)) ? 'gone' : 'unsure';
  };
}

/** As Temporal tells them; fails where it does not answer in time. */
export async function readPollers({ client, service, queue }: TemporalSession): Promise<Poller[]> {
  const { pollers } = await client.withDeadline(Date.now() + patienceMs, () =>
    client.workflowService.describeTaskQueue({ namespace: service.namespace, taskQueue: { name: queue } }),
  );
  return (pollers ?? []).map(({ identity, lastAccessTime }) => ({
    identity: identity ?? '',
    lastSeconds: Number(lastAccessTime?.seconds ?? 0),
  }));
}

/** Of this host's processes we know whether they still live. */
function mayLive(identity: string): boolean {
  const [pid, host] = identity.split('@');
  if (host !== hostname() || !/^\d+$/.test(pid ?? '')) return true;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}
