/**
 * Starts the workflows of stored replies. A delivery is answered as soon as its reply is in the inbox, so a slow Temporal, or none, delays no
 * answer. What is not started, because the process ended or Temporal was away, is started from the inbox.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { errorName } from '../base/failures/error-name.ts';
import type { ReplyStore, UnfinishedPage } from '../ledger/reply-store.ts';
import type { Log } from '../base/logs.ts';

export interface ReplyToStart {
  readonly webhookId: string;
  readonly classification: string | null;
}

interface StarterDependencies {
  /** Leaves a running workflow as it is. */
  readonly startWorkflow: (reply: ReplyToStart) => Promise<void>;
  readonly inbox: Pick<ReplyStore, 'unfinished'>;
  readonly log: Log;
  readonly now?: () => number;
  /** Between two looks into the inbox, and the age of a reply that has not been started by the process that stored it. */
  readonly lookEveryMs?: number;
  /** Between two attempts while Temporal starts nothing. */
  readonly retryEveryMs?: number;
}

export interface WorkflowStarter {
  /** Starts the workflow of a reply soon; never throws, and never waits. */
  readonly start: (reply: ReplyToStart) => void;
  /** Starts what is left in the inbox, until aborted. */
  readonly watch: (signal: AbortSignal) => Promise<void>;
  /** Resolves when no start is in progress or waiting. */
  readonly idle: () => Promise<void>;
}

type Place = UnfinishedPage['after'];

interface Look {
  readonly before: string;
  readonly most: number;
  readonly signal: AbortSignal;
}

/** Maximum number of concurrent calls to Temporal. */
const concurrency = 8;
/** Further replies stay in the inbox. */
const mostWaiting = 5_000;
/** From the inbox at once. */
const batchSize = 16;
/** From the inbox in one look, while Temporal is available: most are in progress, and starting them again has no effect. */
const mostInOneLook = 1_000;

export function createWorkflowStarter({
  startWorkflow,
  inbox,
  log,
  now = Date.now,
  lookEveryMs = 60_000,
  retryEveryMs = 5_000,
}: StarterDependencies): WorkflowStarter {
  const waiting: ReplyToStart[] = [];
  const running = new Set<Promise<void>>();
  let isAway = false;
  let failed = Promise.withResolvers<void>();

  async function tryStart(reply: ReplyToStart): Promise<boolean> {
    try {
      await startWorkflow(reply);
      return true;
    } catch (error) {
      if (!isAway)
        log(
          `Temporal does not start workflows: ${errorName(error)}. Replies are stored, and started when it does`,
          'warn',
        );
      isAway = true;
      failed.resolve();
      return false;
    }
  }

  function startNext(): void {
    if (isAway) waiting.length = 0;
    const reply = running.size < concurrency ? waiting.shift() : undefined;
    if (reply === undefined) return;
    const started: Promise<void> = tryStart(reply).then(() => {
      running.delete(started);
      startNext();
    });
    running.add(started);
  }

  /** Where the last look has ended: replies that can never be started must not hold up the others. */
  let place: Place = null;

  /** @returns whether Temporal has started some of them, or there was none */
  async function startFromInbox({ before, most, signal }: Look, mayWrap: boolean): Promise<boolean> {
    let isLastRound = !mayWrap || place === null;
    for (let count = 0; count < most && !signal.aborted; count += batchSize) {
      const batch = await inbox.unfinished(before, { after: place, limit: batchSize });
      const results = await Promise.all(batch.map(tryStart));
      place = batch.at(-1) ?? null;
      if (batch.length > 0 && !results.includes(true)) return false;
      if (batch.length === batchSize) continue;
      place = null;
      if (isLastRound) return true;
      isLastRound = true;
    }
    return true;
  }

  async function look(signal: AbortSignal): Promise<void> {
    const at = new Date(now());
    if (!isAway) {
      const before = new Date(at.getTime() - lookEveryMs).toISOString();
      await startFromInbox({ before, most: mostInOneLook, signal }, true);
      return;
    }
    // After an outage, everything that was stored may be waiting.
    if (!(await startFromInbox({ before: at.toISOString(), most: Infinity, signal }, true))) return;
    isAway = false;
    place = { receivedAt: at.toISOString(), webhookId: '' };
    await startFromInbox({ before: new Date(now()).toISOString(), most: Infinity, signal }, false);
    log('Temporal starts workflows again, and those of the stored replies were started');
  }

  return {
    start(reply) {
      if (isAway || waiting.length >= mostWaiting) return;
      waiting.push(reply);
      startNext();
    },
    async watch(signal) {
      while (!signal.aborted) {
        try {
          await look(signal);
        } catch (error) {
          log(`Stored replies were not started: ${errorName(error)}. They are tried again soon`, 'warn');
        }
        failed = Promise.withResolvers();
        const pause = sleep(isAway ? retryEveryMs : lookEveryMs, null, { signal, ref: false }).catch(() => undefined);
        await (isAway ? pause : Promise.race([pause, failed.promise]));
      }
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
