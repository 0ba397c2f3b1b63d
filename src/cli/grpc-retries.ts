/** Retries of calls to Temporal that end before their connection does: one that woke up later would end the process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { OutageWatch } from './temporal-outage.ts';

export interface GrpcRetrySettings {
  /** A call without a deadline of its own fails that long after it began, its retries included; null: it is repeated until Temporal answers. */
  readonly answerWithinMs: number | null;
  /** Hears of each answer, and of each attempt without one. */
  readonly outage?: OutageWatch;
}

type Retry = ReturnType<typeof makeGrpcRetryInterceptor>;

// grpc.status, of a package that is not a direct dependency.
const timedOut = 4;
/** CANCELLED, by a server that stops, DEADLINE_EXCEEDED and UNAVAILABLE. */
const unansweredCodes: readonly number[] = [1, timedOut, 14];
/** A server that hangs keeps its connections: without a deadline an attempt would wait for ever. */
const attemptMs = 15_000;
/** Temporal answers the question for a workflow's end after 20 s at the latest, with "not yet". */
const longPollAttemptMs = 70_000;
const longestPauseMs = 2_000;

/** `No connection established. Last error: Error: connect ECONNREFUSED 127.0.0.1:7233. Resolution note: .` has one fact. */
function toReason(details: string): string {
  const reason = details.replace(/^No connection established\. Last error: (?:Error: )?/, '');
  const end = reason.indexOf('Resolution note: ');
  return end < 0 ? reason : reason.slice(0, end).trimEnd().replace(/\.$/, '');
}

export function createGrpcRetries({ answerWithinMs, outage }: GrpcRetrySettings) {
  const usual = defaultGrpcRetryOptions();
  let ending = false;
  /** When the last of the retries that wait now will have been sent. */
  let asleepUntil = 0;

  const delayFunction: typeof usual.delayFunction = (attempt, status) => {
    const delayMs = Math.min(longestPauseMs, usual.delayFunction(attempt, status));
    asleepUntil = Math.max(asleepUntil, performance.now() + delayMs);
    return delayMs;
  };
  const retryInTime = makeGrpcRetryInterceptor({
    retryableDecider: (attempt, status) => !ending && usual.retryableDecider(attempt, status),
    delayFunction,
  });

  const retryUntilAnswered: Retry = (options, nextCall) => {
    let attemptBegan = performance.now();
    const retry = makeGrpcRetryInterceptor({
      retryableDecider(attempt, status) {
        const code: number = status.code;
        const isAnswered = !unansweredCodes.includes(code);
        if (isAnswered) outage?.answered();
        // What was refused at once says nothing about the time before.
        else if (!ending)
          outage?.unanswered(code === timedOut ? attemptBegan : performance.now(), toReason(status.details));
        return !ending && (!isAnswered || usual.retryableDecider(attempt, status));
      },
      delayFunction,
    });
    const withinMs = options.method_definition.path.endsWith('/GetWorkflowExecutionHistory')
      ? longPollAttemptMs
      : attemptMs;
    return retry(options, (attemptOptions) => {
      attemptBegan = performance.now();
      return nextCall({ ...attemptOptions, deadline: Date.now() + withinMs });
    });
  };

  const interceptor: Retry = (options, nextCall) => {
    if (options.deadline !== undefined) return retryInTime(options, nextCall);
    if (answerWithinMs !== null) return retryInTime({ ...options, deadline: Date.now() + answerWithinMs }, nextCall);
    // Without a worker to answer it, a query fails although Temporal does answer.
    const isQuery = options.method_definition.path.endsWith('/QueryWorkflow');
    if (isQuery) return retryInTime({ ...options, deadline: Date.now() + attemptMs }, nextCall);
    return retryUntilAnswered(options, nextCall);
  };
  return {
    interceptors: [interceptor],
    /** Before the connection is closed: nothing is tried again from now on, and what waited to be has been sent. */
    async end(): Promise<void> {
      ending = true;
      // A timer may fire a little early by another clock.
      const left = asleepUntil - performance.now() + 10;
      if (left > 10) await sleep(left);
    },
  };
}
