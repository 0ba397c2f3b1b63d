// Lets calls through as the governor says, in the order in which they came; all calls of a client pass here.
import { defaultRateLimits } from './rate-limits.ts';
import type { RateLimitSettings, ReportedLimits } from './rate-limits.ts';
import { HubSpotError } from './hubspot-error.ts';
import { createRateLimiter } from './rate-limiter.ts';
import type { CallResult, StartedCall } from './rate-limiter.ts';
import type { CallFamily } from './api-versions.ts';

/** Calls `run` after so many milliseconds. @returns takes it back */
export type Timer = (milliseconds: number, run: () => void) => () => void;

export interface RequestQueueOptions {
  readonly budget?: Partial<RateLimitSettings> | undefined;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly timer: Timer;
}

/** Counted since the client was made. */
export interface Usage {
  /** By family, then by status; `none` where no answer came. */
  readonly calls: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** What all calls together waited before they were sent. */
  readonly secondsWaited: number;
  /** Calls that ended in 429. */
  readonly rateLimited: number;
  /** Calls that were not sent at all, since a limit would have made them wait for too long. */
  readonly held: number;
}

interface Call {
  readonly family: CallFamily;
  readonly method: string;
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
}

interface Waiting {
  readonly call: Call;
  readonly since: number;
  readonly enter: (ticket: StartedCall) => void;
  readonly refuse: (error: HubSpotError) => void;
}

export interface RequestQueue {
  /** Waits until `send` may be called, and hears what came of it. @throws HubSpotError, kind `held` or `cancelled`, without sending */
  pass<Answered extends { readonly reply: CallResult }>(call: Call, send: () => Promise<Answered>): Promise<Answered>;
  readonly usage: () => Usage;
  readonly limits: () => ReportedLimits;
  /** For the end of the day, when a day's limit is gone. */
  readonly learnTimeZone: (name: string | undefined) => void;
}

export function createRequestQueue({ budget, clock, timer }: RequestQueueOptions): RequestQueue {
  const whole = { ...defaultRateLimits, ...budget };
  const governor = createRateLimiter(whole);
  const calls = new Map<CallFamily, Map<string, number>>();
  const totals = { millisecondsWaited: 0, rateLimited: 0, held: 0 };
  let waiting: Waiting[] = [];
  let inFlight = 0;
  let disarm: (() => void) | undefined;

  function open(): void {
    disarm?.();
    disarm = undefined;
    const now = clock();
    let next = Number.POSITIVE_INFINITY;
    const blocked = new Set<CallFamily>();
    for (const entry of waiting) {
      const { family } = entry.call;
      if (inFlight >= whole.concurrency) return;
      if (blocked.has(family)) continue;
      const verdict = governor.judge(family, now);
      if (verdict.kind === 'wait') {
        blocked.add(family);
        next = Math.min(next, verdict.milliseconds);
        continue;
      }
      waiting = waiting.filter((other) => other !== entry);
      if (verdict.kind === 'hold') {
        totals.held += 1;
        entry.refuse(
          new HubSpotError({ ...entry.call, kind: 'held', ...verdict.reason, retryAfterSeconds: verdict.seconds }),
        );
        continue;
      }
      inFlight += 1;
      totals.millisecondsWaited += now - entry.since;
      entry.enter(governor.begin(family, now));
    }
    if (waiting.length > 0 && next < Number.POSITIVE_INFINITY) disarm = timer(Math.max(1, Math.ceil(next)), open);
  }

  function enter(call: Call): Promise<StartedCall> {
    const { promise, resolve, reject } = Promise.withResolvers<StartedCall>();
    if (call.signal?.aborted === true) throw new HubSpotError({ ...call, kind: 'cancelled' });
    const leaveQueue = (): void => {
      waiting = waiting.filter((other) => other !== entry);
      reject(new HubSpotError({ ...call, kind: 'cancelled' }));
      open();
    };
    const entry: Waiting = {
      call,
      since: clock(),
      enter(ticket) {
        call.signal?.removeEventListener('abort', leaveQueue);
        resolve(ticket);
      },
      refuse(error) {
        call.signal?.removeEventListener('abort', leaveQueue);
        reject(error);
      },
    };
    call.signal?.addEventListener('abort', leaveQueue, { once: true });
    waiting.push(entry);
    open();
    return promise;
  }

  function leave(ticket: StartedCall, reply: CallResult | undefined): void {
    inFlight -= 1;
    governor.end(ticket, clock(), reply);
    const counts = calls.get(ticket.family) ?? new Map<string, number>();
    calls.set(ticket.family, counts);
    const status = reply === undefined ? 'none' : `${reply.status}`;
    counts.set(status, (counts.get(status) ?? 0) + 1);
    if (reply?.status === 429) totals.rateLimited += 1;
    open();
  }

  return {
    async pass(call, send) {
      const ticket = await enter(call);
      let reply: CallResult | undefined;
      try {
        const answered = await send();
        reply = answered.reply;
        return answered;
      } finally {
        leave(ticket, reply);
      }
    },
    usage: () => ({
      calls: Object.fromEntries([...calls].map(([family, counts]) => [family, Object.fromEntries(counts)])),
      secondsWaited: totals.millisecondsWaited / 1000,
      rateLimited: totals.rateLimited,
      held: totals.held,
    }),
    limits: governor.limits,
    learnTimeZone: governor.learnTimeZone,
  };
}
