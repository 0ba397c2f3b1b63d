/**
 * Starts the workflows of stored replies behind the answers to their deliveries: a slow Temporal must not delay an answer. What is not
 * started, because the process ends or Temporal does not answer, is in the inbox, and is started from there.
 */

export interface ReplyToStart {
  readonly webhookId: string;
  readonly classification: string | null;
}

export interface WorkflowStarter {
  /**
   * Resolves at once while Temporal answers. After a failure, it waits for the start, until one succeeds again.
   * @throws the error of the start
   */
  readonly start: (reply: ReplyToStart) => Promise<void>;
  /** Resolves when no start is in progress or waiting. */
  readonly idle: () => Promise<void>;
}

/** Calls to Temporal at the same time. */
const concurrency = 8;
/** Further replies are left in the inbox, from where they are started within two minutes. */
const mostWaiting = 5_000;

export function createWorkflowStarter(
  startWorkflow: (reply: ReplyToStart) => Promise<void>,
  onFailure: (error: unknown) => void,
): WorkflowStarter {
  const waiting: (() => void)[] = [];
  const pending = new Set<Promise<void>>();
  let running = 0;
  let isReachable = true;

  async function run(reply: ReplyToStart): Promise<void> {
    if (running >= concurrency) await new Promise<void>((resolve) => void waiting.push(resolve));
    running += 1;
    try {
      await startWorkflow(reply);
      isReachable = true;
    } catch (error) {
      if (isReachable) onFailure(error);
      isReachable = false;
      throw error;
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  }

  return {
    async start(reply) {
      if (isReachable && waiting.length >= mostWaiting) return;
      const started = run(reply).finally(() => pending.delete(started));
      pending.add(started);
      if (!isReachable) return started;
      started.catch(() => undefined); // `onFailure` has the error
    },
    async idle() {
      await Promise.allSettled(pending);
    },
  };
}
