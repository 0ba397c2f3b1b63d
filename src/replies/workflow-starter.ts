/**
 * Starts the workflows of stored replies after the HTTP answer, because a slow Temporal must not delay it. Replies whose workflow was not
 * started, because the process ended or Temporal was unavailable, are started later from the inbox.
 */

export interface ReplyToStart {
  readonly webhookId: string;
  readonly classification: string | null;
}

export interface WorkflowStarter {
  /**
   * Resolves immediately while Temporal is available. After a failure it waits for each start, until one succeeds.
   * @throws the error of the start
   */
  readonly start: (reply: ReplyToStart) => Promise<void>;
  /** Resolves when no start is in progress or waiting. */
  readonly idle: () => Promise<void>;
}

/** Maximum number of concurrent calls to Temporal. */
const concurrency = 8;
/** Further replies stay in the inbox, from which they are started within two minutes. */
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
