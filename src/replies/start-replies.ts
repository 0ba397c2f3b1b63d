/**
 * Starts the workflows of stored replies. A delivery is answered as soon as its reply is in the inbox, so a slow Temporal, or none, delays no
 * answer: every worker takes from the inbox what is due.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { errorName } from '../base/failures/error-name.ts';
import type { DueReply, ReplyStore } from '../ledger/reply-store.ts';
import type { Log } from '../base/logs.ts';

interface StarterDependencies {
  /** Leaves a running workflow as it is. */
  readonly startWorkflow: (reply: DueReply) => Promise<void>;
  readonly inbox: Pick<ReplyStore, 'takeDue' | 'countTaken' | 'postpone'>;
  readonly log: Log;
  readonly now?: () => Date;
  /** Between two looks into an inbox in which nothing is due. */
  readonly lookEveryMs?: number;
  /** Between two attempts while Temporal starts nothing, or the ledger does not answer. */
  readonly retryEveryMs?: number;
}

/** Calls to Temporal at once. */
const batchSize = 16;
/**
 * Workflows in progress. HubSpot allows the effects of a few replies a second: more workflows end no sooner, and take the processor from the
 * receiver.
 */
const mostStarted = 64;
/** Started at each look although so many are in progress: they may all wait for something else. */
const trickle = 4;
/** Another worker takes a reply then, if this one has died before it started the workflow. */
const takenForMs = 20_000;
/** A reply that is not processed by then is started again, which has no effect on a running workflow. */
export const restartAfterMs = 300_000;

const away = {
  temporal: {
    from: 'Temporal does not start workflows',
    until: 'Temporal starts workflows again, and those of the stored replies are started',
  },
  ledger: { from: 'The inbox cannot be read', until: 'The inbox can be read again' },
} as const;

/** Ends when aborted; never throws. */
export async function startStoredReplies(dependencies: StarterDependencies, signal: AbortSignal): Promise<void> {
  const { startWorkflow, inbox, log, now = () => new Date() } = dependencies;
  const { lookEveryMs = 500, retryEveryMs = 5_000 } = dependencies;
  let problem: keyof typeof away | null = null;

  function note(found: typeof problem, error?: unknown): void {
    if (found === problem) return;
    if (found !== null)
      log(`${away[found].from}: ${errorName(error)}. Replies stay in the inbox, and are tried again`, 'warn');
    else if (problem !== null) log(away[problem].until);
    problem = found;
  }

  /** @returns milliseconds until the next batch */
  async function startBatch(): Promise<number> {
    const at = now().getTime();
    const free = mostStarted - (await inbox.countTaken(toTime(at), mostStarted));
    const limit = Math.max(trickle, Math.min(batchSize, free));
    const batch = await inbox.takeDue(toTime(at), { until: toTime(at + takenForMs), limit });
    if (problem === 'ledger') note(null);
    if (batch.length === 0) return lookEveryMs;
    const results = await Promise.allSettled(batch.map(startWorkflow));
    const failed = results.find((result) => result.status === 'rejected');
    const started = batch.filter((_, index) => results[index]?.status === 'fulfilled');
    note(started.length === 0 ? 'temporal' : null, failed?.reason);
    if (started.length === 0) return retryEveryMs;
    if (failed !== undefined)
      log(`Replies were not started: ${errorName(failed.reason)}. They are tried again`, 'warn');
    await inbox.postpone(
      started.map(({ webhookId }) => webhookId),
      toTime(at + restartAfterMs),
    );
    return free > trickle ? 0 : lookEveryMs;
  }

  while (!signal.aborted) {
    const pause = await startBatch().catch((error: unknown) => {
      note('ledger', error);
      return retryEveryMs;
    });
    if (pause > 0) await sleep(pause, null, { signal, ref: false }).catch(() => undefined);
  }
}

function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
