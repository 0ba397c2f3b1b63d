/**
 * Retries calls to Temporal, and logs outages. All retries end before the connection is closed: a later one would crash the process.
 */
import { defaultGrpcRetryOptions, makeGrpcRetryInterceptor, type GrpcRetryOptions } from '@temporalio/client';
import type { Log } from '../base/logs.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { explainSystemText } from '../base/failures/system-code.ts';
import { withoutFullStop } from '../base/text/normalize-text.ts';

export interface GrpcRetrySettings {
  /** Time limit for a call without its own deadline, including retries; null: it is retried until Temporal answers. */
  readonly answerWithinMs: number | null;
  /** Is notified of each answer, and of each attempt without an answer. */
  readonly outage?: OutageWatch;
}

type Retry = ReturnType<typeof makeGrpcRetryInterceptor>;

// From grpc.status, whose package is not a direct dependency.
const timedOut = 4;
/** CANCELLED (sent by a server that stops), DEADLINE_EXCEEDED and UNAVAILABLE. */
const unansweredCodes: readonly number[] = [1, timedOut, 14];
/** The text of gRPC for a call whose caller no longer waits. */
const cancelledHere = 'Cancelled on client';
/** A server that hangs keeps its connections open: without a deadline an attempt would wait forever. */
const attemptMs = 15_000;
/** Temporal answers a long poll for the end of a workflow within 20 s. */
const longPollAttemptMs = 70_000;
const longestPauseMs = 2_000;

/** `No connection established. Last error: Error: connect ECONNREFUSED 127.0.0.1:7233. Resolution note: .` contains one fact. */
function toReason(details: string): string {
  const reason = details.replace(/^No connection established\. Last error: (?:Error: )?/, '');
  const end = reason.indexOf('Resolution note: ');
  return explainSystemText(withoutFullStop(end < 0 ? reason : reason.slice(0, end)));
}

export function createGrpcRetries({ answerWithinMs, outage }: GrpcRetrySettings) {
  const usual = defaultGrpcRetryOptions();
  let ending = false;
  /** Retries that wait for their time. A busy process sends them late, so only their number says whether one is left. */
  let waiting = 0;
  const allSent = Promise.withResolvers<void>();

  /** Each retry that is decided is sent once: the client cancels none. */
  function createRetry(decide: GrpcRetryOptions['retryableDecider']): Retry {
    return (options, nextCall) => {
      let isWaiting = false;
      const retry = makeGrpcRetryInterceptor({
        retryableDecider(attempt, status) {
          isWaiting = decide(attempt, status) && !ending;
          if (isWaiting) waiting += 1;
          return isWaiting;
        },
        delayFunction: (attempt, status) => Math.min(longestPauseMs, usual.delayFunction(attempt, status)),
      });
      return retry(options, (attemptOptions) => {
        if (isWaiting) waiting -= 1;
        isWaiting = false;
        if (ending && waiting === 0) allSent.resolve();
        return nextCall(attemptOptions);
      });
    };
  }
  const retryInTime = createRetry(usual.retryableDecider);

  const retryUntilAnswered: Retry = (options, nextCall) => {
    let attemptBegan = performance.now();
    const retry = createRetry((attempt, status) => {
      const code: number = status.code;
      if (status.details === cancelledHere) return false;
      const isAnswered = !unansweredCodes.includes(code);
      if (isAnswered) outage?.answered();
      // An immediate refusal is no information about the time before.
      else if (!ending)
        outage?.unanswered(code === timedOut ? attemptBegan : performance.now(), toReason(status.details));
      return !isAnswered || usual.retryableDecider(attempt, status);
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
    /** Call before the connection is closed: stops new retries, and waits until the pending ones have been sent. */
    async end(): Promise<void> {
      ending = true;
      if (waiting > 0) await allSent.promise;
    },
  };
}

export interface OutageWatch {
  /** `since`: when the attempt began, by performance.now(). `reason`: why there was no answer. */
  readonly unanswered: (since: number, reason: string) => void;
  readonly answered: () => void;
}

/** No message for a shorter outage, for example a restart. */
const toleratedMs = 5_000;

export interface OutageWatchSettings {
  readonly log: Log;
  readonly address: string;
  /** What to do when Temporal is not restarted automatically. */
  readonly hint: string | null;
  /** Milliseconds. */
  readonly clock?: () => number;
}

/** Logs once that Temporal does not answer, and once that it answers again. */
export function watchOutage({ log, address, hint, clock = () => performance.now() }: OutageWatchSettings): OutageWatch {
  let began: number | null = null;
  let lastAnswer = clock();
  let isLogged = false;
  return {
    unanswered(since, reason) {
      began ??= Math.max(since, lastAnswer);
      if (isLogged || clock() - began < toleratedMs) return;
      isLogged = true;
      const waits = `Waiting until it answers; nothing is started twice. Ctrl-C stops only this command.`;
      log(
        `Temporal at ${address} does not answer: ${toPrintable(reason)}. ${waits}${hint === null ? '' : ` ${hint}`}`,
        'warn',
      );
    },
    answered() {
      if (isLogged && began !== null)
        log(`Temporal at ${address} answers again after ${Math.round((clock() - began) / 1_000)} s. Continuing.`);
      lastAnswer = clock();
      began = null;
      isLogged = false;
    },
  };
}
