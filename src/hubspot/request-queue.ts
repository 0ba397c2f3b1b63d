// Every call of a client waits here until the rate limiter lets it be sent. Calls of one family are sent in their order of arrival.
import { HubSpotError } from './hubspot-error.ts';
import { createRateLimiter, type CallResult, type HoldReason, type StartedCall } from './rate-limiter.ts';
import { defaultRateLimits } from './rate-limiter.ts';
import type { ReportedLimits } from './account-limits.ts';
import type { RateLimitSettings } from './rate-limiter.ts';
import type { CallFamily } from './hubspot-api-versions.ts';

/** Calls `run` after so many milliseconds. @returns cancels the timer */
export type Timer = (milliseconds: number, run: () => void) => () => void;

export interface RequestQueueOptions {
  readonly budget?: Partial<RateLimitSettings> | undefined;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly timer: Timer;
}

/** Totals since the client was created. */
export interface Usage {
  /** Number of calls by family, then by status; `none` for calls without an answer. */
  readonly calls: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Sum over all calls of the time in the queue. */
  readonly secondsWaited: number;
  /** Calls that HubSpot answered with 429. */
  readonly rateLimited: number;
  /** Calls that were not sent, because they would have waited too long. */
  readonly postponed: number;
}

interface Call {
  readonly family: CallFamily;
  readonly method: string;
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
}

interface WaitingCall {
  readonly call: Call;
  readonly since: number;
  readonly resolve: (started: StartedCall) => void;
  readonly reject: (error: HubSpotError) => void;
}

export interface RequestQueue {
  /** Calls `send` once the limits allow it. @throws HubSpotError, kind `postponed` or `cancelled`, without sending */
  run<Answer extends { readonly reply: CallResult }>(call: Call, send: () => Promise<Answer>): Promise<Answer>;
  readonly usage: () => Usage;
  readonly limits: () => ReportedLimits;
  /** The daily limit ends at midnight of the account's time zone. */
  readonly learnTimeZone: (name: string | undefined) => void;
}

export function createRequestQueue({ budget, clock, timer }: RequestQueueOptions): RequestQueue {
  const settings = { ...defaultRateLimits, ...budget };
  const rateLimiter = createRateLimiter(settings);
  const counter = createUsageCounter();
  const waiting = new Set<WaitingCall>();
  let inFlight = 0;
  let cancelTimer = (): void => undefined;

  /** Starts every waiting call that may be sent now, and sets a timer for the next one. */
  function startAllowed(): void {
    cancelTimer();
    const now = clock();
    const waits = new Map<CallFamily, number>();
    for (const entry of waiting) {
      if (inFlight >= settings.concurrency) return;
      const { family } = entry.call;
      // Calls of one family keep their order.
      if (waits.has(family)) continue;
      const decision = rateLimiter.decide(family, now);
      if (decision.kind === 'wait') waits.set(family, decision.milliseconds);
      else if (decision.kind === 'hold') hold(entry, decision.seconds, decision.reason);
      else start(entry, now);
    }
    if (waits.size === 0) return;
    const shortest = Math.min(...waits.values());
    cancelTimer = timer(Math.max(1, Math.ceil(shortest)), startAllowed);
  }

  function start(entry: WaitingCall, now: number): void {
    waiting.delete(entry);
    inFlight += 1;
    counter.waited(now - entry.since);
    entry.resolve(rateLimiter.start(entry.call.family, now));
  }

  function hold(entry: WaitingCall, seconds: number, reason: HoldReason): void {
    waiting.delete(entry);
    counter.postponed();
    entry.reject(new HubSpotError({ ...entry.call, kind: 'postponed', ...reason, retryAfterSeconds: seconds }));
  }

  /** @returns when the call may be sent */
  async function waitToStart(call: Call): Promise<StartedCall> {
    if (call.signal?.aborted === true) throw new HubSpotError({ ...call, kind: 'cancelled' });
    const { promise, resolve, reject } = Promise.withResolvers<StartedCall>();
    const entry: WaitingCall = { call, since: clock(), resolve, reject };
    const cancel = (): void => {
      waiting.delete(entry);
      reject(new HubSpotError({ ...call, kind: 'cancelled' }));
      startAllowed();
    };
    call.signal?.addEventListener('abort', cancel, { once: true });
    waiting.add(entry);
    startAllowed();
    try {
      return await promise;
    } finally {
      call.signal?.removeEventListener('abort', cancel);
    }
  }

  function finish(started: StartedCall, reply: CallResult | undefined): void {
    inFlight -= 1;
    rateLimiter.finish(started, clock(), reply);
    counter.finished(started.family, reply?.status);
    startAllowed();
  }

  return {
    async run(call, send) {
      const started = await waitToStart(call);
      let reply: CallResult | undefined;
      try {
        const answer = await send();
        reply = answer.reply;
        return answer;
      } finally {
        finish(started, reply);
      }
    },
    usage: counter.usage,
    limits: rateLimiter.limits,
    learnTimeZone: rateLimiter.learnTimeZone,
  };
}

function createUsageCounter() {
  const calls = new Map<CallFamily, Map<string, number>>();
  const totals = { millisecondsWaited: 0, rateLimited: 0, postponed: 0 };
  return {
    waited(milliseconds: number): void {
      totals.millisecondsWaited += milliseconds;
    },
    postponed(): void {
      totals.postponed += 1;
    },
    finished(family: CallFamily, status: number | undefined): void {
      const counts = calls.get(family) ?? new Map<string, number>();
      calls.set(family, counts);
      const name = status === undefined ? 'none' : `${status}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (status === 429) totals.rateLimited += 1;
    },
    usage: (): Usage => ({
      calls: Object.fromEntries([...calls].map(([family, counts]) => [family, Object.fromEntries(counts)])),
      secondsWaited: totals.millisecondsWaited / 1000,
      rateLimited: totals.rateLimited,
      postponed: totals.postponed,
    }),
  };
}
