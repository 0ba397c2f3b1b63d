// Decides when a call may be sent. Pure: times are given, nothing waits here.
import { readLimitHeaders } from './rate-limits.ts';
import type { RateLimitSettings, ReportedLimits } from './rate-limits.ts';
import { createBurstLimit } from './burst-limit.ts';
import type { BurstLimit, TrackedCall } from './burst-limit.ts';
import { createDailyLimit } from './daily-limit.ts';
import { createSearchLimit } from './search-limit.ts';
import type { CallFamily } from './api-versions.ts';

export interface StartedCall {
  readonly family: CallFamily;
  readonly call: TrackedCall;
}

/** What came back, as far as it matters here. */
export interface CallResult {
  readonly status: number;
  readonly headers: Headers;
  readonly policyName: string | undefined;
  readonly retryAfterSeconds: number | undefined;
}

/** `hold`: so long that nobody should wait for it here. */
export type Decision =
  | { readonly kind: 'go' }
  | { readonly kind: 'wait'; readonly milliseconds: number }
  | { readonly kind: 'hold'; readonly seconds: number; readonly reason: HoldReason };

export interface HoldReason {
  readonly policyName: string | undefined;
  readonly code: string | undefined;
}

interface Pause {
  readonly until: number;
  readonly reason: HoldReason;
}

/** Waits up to this are waited for, longer ones are the caller's. */
const LONGEST_WAIT_MS = 15_000;
const BURST_SECONDS = 10;
const SEARCH_SECONDS = 1;
/** With these a day's calls are eaten; what is left over is for asking who and what the portal is, and for other apps. */
const bulkFamilies: readonly CallFamily[] = ['objects', 'search', 'associations', 'lists'];
/** Too many calls, too many writes to one place, a move to another data centre. */
const pausingStatuses: readonly number[] = [429, 423, 477];

export function createRateLimiter({ burstPercent, searchPerSecond, dailyReservePercent }: RateLimitSettings) {
  const common = createBurstLimit(burstPercent);
  // Some plans count associations by themselves, which shows in another limit.
  let ofAssociations: BurstLimit | undefined;
  const search = createSearchLimit(searchPerSecond);
  const daily = createDailyLimit(dailyReservePercent);
  let seen: ReportedLimits = { burst: null, daily: null };
  let pause: Pause | undefined;
  let searchPause: Pause | undefined;

  const burstOf = (family: CallFamily): BurstLimit =>
    family === 'associations' && ofAssociations !== undefined ? ofAssociations : common;

  function learnBurst(
    { family, call }: StartedCall,
    now: number,
    reply: CallResult | undefined,
    limit: ReportedLimits['burst'],
  ): void {
    if (family === 'associations' && limit !== null && seen.burst !== null && limit.max !== seen.burst.max)
      ofAssociations ??= createBurstLimit(burstPercent);
    const burst = burstOf(family);
    burst.end(call, now, limit);
    if (limit !== null || reply === undefined) return;
    if (reply.status === 429) burst.refused();
    if (family === 'objects' && reply.status >= 200 && reply.status <= 299) burst.noLimit();
  }

  function keepAway(
    family: CallFamily,
    now: number,
    { status, headers, policyName, retryAfterSeconds }: CallResult,
  ): void {
    if (policyName === 'DAILY') daily.refused(now);
    const isAboutSearch = family === 'search' && status === 429;
    if (isAboutSearch) search.refused(now);
    // A 429 need not name its limit, nor say how long to wait.
    const isUnnamed = status === 429 && policyName === undefined;
    const window = isAboutSearch ? SEARCH_SECONDS : (readLimitHeaders(headers).burst?.seconds ?? BURST_SECONDS);
    const seconds = retryAfterSeconds ?? (isUnnamed ? window : 0);
    const asked = { until: now + seconds * 1000, reason: { policyName, code: `STATUS_${status}` } };
    if (isAboutSearch && policyName !== 'TEN_SECONDLY_ROLLING') searchPause = later(searchPause, asked);
    else pause = later(pause, asked);
  }

  return {
    judge(family: CallFamily, now: number): Decision {
      const reserve = bulkFamilies.includes(family) ? daily.waitMs(now) : 0;
      if (reserve > 0) return hold(reserve, { policyName: 'DAILY', code: undefined });
      const pauses = family === 'search' ? [pause, searchPause] : [pause];
      const longest = pauses.reduce((one, other) => (other === undefined ? one : later(one, other)), undefined);
      const paused = longest === undefined ? 0 : longest.until - now;
      if (longest !== undefined && paused > LONGEST_WAIT_MS) return hold(paused, longest.reason);
      const milliseconds = Math.max(paused, family === 'search' ? search.waitMs(now) : burstOf(family).waitMs(now));
      return milliseconds > 0 ? { kind: 'wait', milliseconds } : { kind: 'go' };
    },

    begin(family: CallFamily, now: number): StartedCall {
      return { family, call: family === 'search' ? search.begin(now) : burstOf(family).begin(now) };
    },

    /** @param reply undefined when none came */
    end(ticket: StartedCall, now: number, reply: CallResult | undefined): void {
      const { family, call } = ticket;
      const limits = reply === undefined ? { burst: null, daily: null } : readLimitHeaders(reply.headers);
      if (family === 'search') search.end(call, now);
      else learnBurst(ticket, now, reply, limits.burst);
      const burst = family === 'associations' && ofAssociations !== undefined ? null : limits.burst;
      seen = { burst: burst ?? seen.burst, daily: limits.daily ?? seen.daily };
      if (limits.daily !== null) daily.learn(now, limits.daily);
      if (reply !== undefined && pausingStatuses.includes(reply.status)) keepAway(family, now, reply);
    },

    learnTimeZone: daily.learnTimeZone,
    limits: (): ReportedLimits => seen,
  };
}

function later(one: Pause | undefined, other: Pause): Pause {
  return one === undefined || other.until > one.until ? other : one;
}

function hold(milliseconds: number, reason: HoldReason): Decision {
  return { kind: 'hold', seconds: Math.ceil(milliseconds / 1000), reason };
}
