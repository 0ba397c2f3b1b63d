// Decides when a call may be sent. Pure: times are arguments in milliseconds since the epoch, and nothing waits here.
import {
  burstSeconds,
  createBurstLimit,
  createDailyLimit,
  createSearchLimit,
  pausingStatuses,
  readLimitHeaders,
  searchSeconds,
  type BurstLimit,
  type ReportedLimits,
  type TrackedCall,
} from './account-limits.ts';
import type { CallFamily } from './hubspot-api-versions.ts';

/** How much of a portal's limits one client uses: `hubspot.budget` of the configuration. */
export interface RateLimitSettings {
  /** Share of the calls that HubSpot allows in 10 seconds; calls of other workers and apps count towards it. */
  readonly burstPercent: number;
  /** HubSpot allows 5 for the whole account and does not report the remaining ones. */
  readonly searchPerSecond: number;
  /** Share of the daily calls that bulk work leaves to other apps. */
  readonly dailyReservePercent: number;
  /** Most calls in flight. */
  readonly concurrency: number;
}

export const defaultRateLimits: RateLimitSettings = {
  burstPercent: 95,
  searchPerSecond: 4,
  dailyReservePercent: 10,
  concurrency: 8,
};

export interface StartedCall {
  readonly family: CallFamily;
  readonly call: TrackedCall;
}

/** The parts of an answer that concern the limits. */
export interface CallResult {
  readonly status: number;
  readonly headers: Headers;
  readonly policyName: string | undefined;
  readonly retryAfterSeconds: number | undefined;
}

/** `hold`: the wait is too long for the queue, and the caller has to come back. */
export type Decision =
  | { readonly kind: 'send' }
  | { readonly kind: 'wait'; readonly milliseconds: number }
  | { readonly kind: 'hold'; readonly seconds: number; readonly reason: HoldReason };

export interface HoldReason {
  readonly policyName: string | undefined;
  readonly code: string | undefined;
}

/** End of the pause that HubSpot requested. */
interface Pause {
  readonly until: number;
  readonly reason: HoldReason;
}

/** The queue waits this long at most; longer waits are errors, and Temporal waits. */
const LONGEST_WAIT_MS = 15_000;
/** These use up the daily limit. The reserve is for account and property calls, and for other apps. */
const bulkFamilies: readonly CallFamily[] = ['objects', 'search', 'associations', 'lists'];

export function createRateLimiter({ burstPercent, searchPerSecond, dailyReservePercent }: RateLimitSettings) {
  const commonBurst = createBurstLimit(burstPercent);
  // Some plans limit associations separately; answers about them then report another limit.
  let associationBurst: BurstLimit | undefined;
  const search = createSearchLimit(searchPerSecond);
  const daily = createDailyLimit(dailyReservePercent);
  let reported: ReportedLimits = { burst: null, daily: null };
  let pause: Pause | undefined;
  let searchPause: Pause | undefined;

  const burstOf = (family: CallFamily): BurstLimit =>
    family === 'associations' && associationBurst !== undefined ? associationBurst : commonBurst;

  function finishBurst(
    { family, call }: StartedCall,
    now: number,
    reply: CallResult | undefined,
    limit: ReportedLimits['burst'],
  ): void {
    if (family === 'associations' && limit !== null && reported.burst !== null && limit.max !== reported.burst.max)
      associationBurst ??= createBurstLimit(burstPercent);
    const burst = burstOf(family);
    burst.finish(call, now, limit);
    if (limit !== null || reply === undefined) return;
    if (reply.status === 429) burst.refused();
    if (family === 'objects' && reply.status >= 200 && reply.status <= 299) burst.noLimit();
  }

  function applyPause(family: CallFamily, now: number, reply: CallResult): void {
    const { status, headers, policyName, retryAfterSeconds } = reply;
    if (policyName === 'DAILY') daily.refused(now);
    const isSearchLimit = family === 'search' && status === 429;
    if (isSearchLimit) search.refused(now);
    // A 429 may name neither its limit nor a wait.
    const isUnnamed = status === 429 && policyName === undefined;
    const window = isSearchLimit ? searchSeconds : (readLimitHeaders(headers).burst?.seconds ?? burstSeconds);
    const seconds = retryAfterSeconds ?? (isUnnamed ? window : 0);
    const requested = { until: now + seconds * 1000, reason: { policyName, code: `STATUS_${status}` } };
    if (isSearchLimit && policyName !== 'TEN_SECONDLY_ROLLING') searchPause = laterOf(searchPause, requested);
    else pause = laterOf(pause, requested);
  }

  return {
    decide(family: CallFamily, now: number): Decision {
      const reserveMs = bulkFamilies.includes(family) ? daily.waitMs(now) : 0;
      if (reserveMs > 0) return hold(reserveMs, { policyName: 'DAILY', code: undefined });
      const current = family === 'search' && searchPause !== undefined ? laterOf(pause, searchPause) : pause;
      const pauseMs = current === undefined ? 0 : current.until - now;
      if (current !== undefined && pauseMs > LONGEST_WAIT_MS) return hold(pauseMs, current.reason);
      const limitMs = family === 'search' ? search.waitMs(now) : burstOf(family).waitMs(now);
      const milliseconds = Math.max(pauseMs, limitMs);
      return milliseconds > 0 ? { kind: 'wait', milliseconds } : { kind: 'send' };
    },

    start(family: CallFamily, now: number): StartedCall {
      return { family, call: family === 'search' ? search.start(now) : burstOf(family).start(now) };
    },

    /** @param reply undefined when there was no answer */
    finish(started: StartedCall, now: number, reply: CallResult | undefined): void {
      const { family, call } = started;
      const limits = reply === undefined ? { burst: null, daily: null } : readLimitHeaders(reply.headers);
      if (family === 'search') search.finish(call, now);
      else finishBurst(started, now, reply, limits.burst);
      const burst = family === 'associations' && associationBurst !== undefined ? null : limits.burst;
      reported = { burst: burst ?? reported.burst, daily: limits.daily ?? reported.daily };
      if (limits.daily !== null) daily.learn(now, limits.daily);
      if (reply !== undefined && pausingStatuses.includes(reply.status)) applyPause(family, now, reply);
    },

    learnTimeZone: daily.learnTimeZone,
    limits: (): ReportedLimits => reported,
  };
}

function laterOf(one: Pause | undefined, other: Pause): Pause {
  return one === undefined || other.until > one.until ? other : one;
}

function hold(milliseconds: number, reason: HoldReason): Decision {
  return { kind: 'hold', seconds: Math.ceil(milliseconds / 1000), reason };
}
