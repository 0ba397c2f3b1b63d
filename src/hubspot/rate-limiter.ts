// Decides when a call may be sent. Pure: times are arguments in milliseconds since the epoch, and nothing waits here.
import {
  burstSeconds,
  pausingStatuses,
  readLimitHeaders,
  searchSeconds,
  type RateLimitSettings,
  type ReportedLimits,
} from './rate-limits.ts';
import { createBurstLimit, LONGEST_DELAY_MS, type BurstLimit, type TrackedCall } from './burst-limit.ts';
import type { CallFamily } from './api-versions.ts';

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

/** HubSpot asked for a pause until then. */
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

/** Used when the portal's time zone is unknown. */
const RETRY_MS = 1_800_000;
/** Allows for a difference between HubSpot's clock and ours. */
const AFTER_MIDNIGHT_MS = 60_000;

/** All apps of an account share its daily calls; bulk work stops at a reserve. */
function createDailyLimit(percent: number) {
  let timeZone: string | undefined;
  let reachedAt: number | undefined;

  const endOf = (reached: number): number =>
    timeZone === undefined ? reached + RETRY_MS : reached + msToMidnight(reached, timeZone) + AFTER_MIDNIGHT_MS;

  return {
    learnTimeZone: (name: string | undefined): void => {
      if (name !== undefined && isTimeZone(name)) timeZone = name;
    },

    learn(now: number, { max, remaining }: NonNullable<ReportedLimits['daily']>): void {
      if (remaining > (max * percent) / 100) reachedAt = undefined;
      else reachedAt ??= now;
    },

    refused(now: number): void {
      reachedAt ??= now;
    },

    /** Milliseconds until bulk work may continue; 0 when it may now. */
    waitMs(now: number): number {
      if (reachedAt === undefined) return 0;
      const wait = endOf(reachedAt) - now;
      // The next answer reports the remaining calls again.
      if (wait <= 0) reachedAt = undefined;
      return Math.max(0, wait);
    },
  };
}

/** Off by an hour on the two days of the year that do not have 24 hours. */
function msToMidnight(now: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: 'numeric', minute: 'numeric', second: 'numeric' });
  const [hours = 0, minutes = 0, seconds = 0] = format.format(now).split(':').map(Number);
  return 86_400_000 - ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

// HubSpot limits searches for the whole account and does not report the remaining ones: calls are spaced, and farther apart after a 429.

/** HubSpot's limit for the account. */
const MOST_PER_SECOND = 5;
const SLOWEST_PER_SECOND = 0.25;
/** From a standstill back to full rate. With it, fewer than one in a hundred searches of two workers gets a 429. */
const RECOVERY_SECONDS = 300;

export function createSearchLimit(perSecond: number) {
  let calls: TrackedCall[] = [];
  let lastSent = Number.NEGATIVE_INFINITY;
  let slowed = { perSecond, at: 0 };
  const rateAt = (now: number): number =>
    Math.min(perSecond, slowed.perSecond + (perSecond * Math.max(0, now - slowed.at)) / (RECOVERY_SECONDS * 1000));
  const expiresAt = ({ sent, answered }: TrackedCall): number =>
    answered === undefined ? Number.POSITIVE_INFINITY : sent + 1000 + Math.min(answered - sent, LONGEST_DELAY_MS);

  return {
    start(now: number): TrackedCall {
      const call: TrackedCall = { sent: now, answered: undefined };
      calls.push(call);
      lastSent = now;
      return call;
    },

    finish(call: TrackedCall, now: number): void {
      call.answered = now;
    },

    /** Other clients search as well: half the rate, which then recovers. */
    refused(now: number): void {
      slowed = { perSecond: Math.max(SLOWEST_PER_SECOND, rateAt(now) / 2), at: now };
    },

    waitMs(now: number): number {
      calls = calls.filter((call) => expiresAt(call) > now);
      const gap = lastSent + 1000 / rateAt(now) - now;
      if (calls.length < MOST_PER_SECOND) return Math.max(0, gap);
      const first = Math.min(...calls.map((call) => expiresAt(call)));
      // The expiry of a call in flight is unknown; its answer triggers the next check.
      return Math.max(gap, Math.min(first - now, 1000));
    },
  };
}
