import { dayMs } from '../base/day-milliseconds.ts';
// The limits of a HubSpot account: burst (all calls in 10 seconds), daily and search. Each tracks the calls of this client, and the calls
// of others as far as HubSpot's answers reveal them. Pure: times are arguments in milliseconds since the epoch.

/** Rate limit exceeded, record locked by many writes, account moving to another data centre. */
export const pausingStatuses: readonly number[] = [429, 423, 477];
/** The window of the burst limit, for the case that its header is missing. */
export const burstSeconds = 10;
/** The search limit counts by the second and sends no rate headers. */
export const searchSeconds = 1;

/** The portal's limits, as the latest answers reported them. */
export interface ReportedLimits {
  readonly burst: { readonly max: number; readonly remaining: number; readonly seconds: number } | null;
  readonly daily: { readonly max: number; readonly remaining: number } | null;
}

/** Reads the X-HubSpot-RateLimit headers; null where a header is missing or no number. Search sends none. */
export function readLimitHeaders(headers: Headers): ReportedLimits {
  const read = (name: string) => readLimitHeader(headers, name);
  const [max, remaining] = [read('max'), read('remaining')];
  const [dailyMax, dailyRemaining] = [read('daily'), read('daily-remaining')];
  const seconds = readIntervalSeconds(headers);
  return {
    burst: max === null || max === 0 || remaining === null ? null : { max, remaining, seconds },
    daily:
      dailyMax === null || dailyMax === 0 || dailyRemaining === null
        ? null
        : { max: dailyMax, remaining: dailyRemaining },
  };
}

/** The window of the burst limit. */
export function readIntervalSeconds(headers: Headers): number {
  const milliseconds = readLimitHeader(headers, 'interval-milliseconds');
  return milliseconds === null || milliseconds === 0 ? burstSeconds : milliseconds / 1000;
}

function readLimitHeader(headers: Headers, name: string): number | null {
  const value = Number(headers.get(`x-hubspot-ratelimit-${name}`) ?? Number.NaN);
  return Number.isFinite(value) && value >= 0 ? value : null;
}

export interface TrackedCall {
  /** Milliseconds since the epoch, as all times here. */
  readonly sent: number;
  answered: number | undefined;
}

type ReportedBurst = NonNullable<ReportedLimits['burst']>;

/** Until the first answer: the smallest limit of any HubSpot plan. */
const CAUTIOUS: ReportedBurst = { max: 100, remaining: 100, seconds: burstSeconds };
/** HubSpot counts a call somewhere between its sending and its answer, most likely soon after the sending. */
const LONGEST_DELAY_MS = 250;

export type BurstLimit = ReturnType<typeof createBurstLimit>;

/** @param percent largest share of the window that all clients together may fill */
export function createBurstLimit(percent: number) {
  let { max, seconds } = CAUTIOUS;
  let isUnlimited = false;
  let ownCalls: TrackedCall[] = [];
  /** Estimated sending times of other clients' calls, oldest first. */
  let foreignCalls: number[] = [];
  let learnedFrom = Number.NEGATIVE_INFINITY;

  const intervalMs = (): number => seconds * 1000;
  const expiresAt = ({ sent, answered }: TrackedCall): number =>
    answered === undefined
      ? Number.POSITIVE_INFINITY
      : sent + intervalMs() + Math.min(answered - sent, LONGEST_DELAY_MS);

  /**
   * Estimates the calls of other clients: all used calls minus those of this client. An increase was sent since the last answer; after a
   * decrease the oldest ones have left the window.
   */
  function learnForeignCalls(call: TrackedCall, used: number): void {
    // Answers overtake each other: the answer to an older call is outdated.
    if (call.sent < learnedFrom) return;
    const from = call.sent - intervalMs();
    const own = ownCalls.filter(({ sent }) => sent > from && sent <= call.sent).length;
    foreignCalls = foreignCalls.filter((at) => at > from);
    const change = Math.min(Math.max(used - own, 0), max) - foreignCalls.length;
    const since = Math.max(learnedFrom, from);
    if (change < 0) foreignCalls = foreignCalls.slice(-change);
    for (let index = 1; index <= change; index += 1) foreignCalls.push(since + ((call.sent - since) * index) / change);
    learnedFrom = call.sent;
  }

  const inFlight = (): number => ownCalls.filter(({ answered }) => answered === undefined).length;
  const countForeign = (now: number): number => foreignCalls.filter((at) => at + intervalMs() > now).length;
  /** This client's share of the used calls. At most half, so that a client that was alone leaves room for a second one. */
  const shareAt = (now: number): number => {
    const own = ownCalls.filter((call) => expiresAt(call) > now).length;
    return Math.min(1 / 2, Math.max(own, 1) / (own + countForeign(now)));
  };
  /** Clients do not see each other's calls in flight: near the limit each keeps to its share of the free calls. */
  const isShared = (now: number): boolean => countForeign(now) > max / 20;

  return {
    start(now: number): TrackedCall {
      const call: TrackedCall = { sent: now, answered: undefined };
      ownCalls.push(call);
      return call;
    },

    /** @param reported null when there was no answer, or one without rate headers */
    finish(call: TrackedCall, now: number, reported: ReportedBurst | null): void {
      call.answered = now;
      if (reported === null) return;
      isUnlimited = false;
      ({ max, seconds } = reported);
      learnForeignCalls(call, reported.max - reported.remaining);
    },

    /** HubSpot sends rate headers with every answer about records. A server that sends none has no limit. */
    noLimit(): void {
      isUnlimited = true;
    },

    /** After a 429 without rate headers. */
    refused(): void {
      if (isUnlimited) ({ max, seconds } = CAUTIOUS);
      isUnlimited = false;
    },

    /** Milliseconds until one more call is allowed, unless another client sends it; 0 when it is allowed now. */
    waitMs(now: number): number {
      // Expired calls are kept for one more window: a late answer reports the use at its own time.
      ownCalls = ownCalls.filter((call) => expiresAt(call) + intervalMs() > now);
      if (isUnlimited) return 0;
      const expiries = [...ownCalls.map(expiresAt), ...foreignCalls.map((at) => at + intervalMs())].filter(
        (at) => at > now,
      );
      const limit = Math.max(1, Math.floor((max * percent) / 100));
      const free = limit - expiries.length;
      if (free > 0) return isShared(now) && inFlight() >= Math.ceil(free * shareAt(now)) ? intervalMs() : 0;
      const expiry = expiries.sort((a, b) => a - b)[expiries.length - limit] ?? now;
      // The expiry of a call in flight is unknown; its answer triggers the next check.
      return Math.min(expiry - now, intervalMs());
    },
  };
}

/** Used when the portal's time zone is unknown. */
const RETRY_MS = 1_800_000;
/** Tolerates a difference between HubSpot's clock and the local one. */
const AFTER_MIDNIGHT_MS = 60_000;

/** All apps of an account share its daily calls; bulk work stops at a reserve. */
export function createDailyLimit(percent: number) {
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
  return dayMs - ((hours * 60 + minutes) * 60 + seconds) * 1000;
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
    answered === undefined
      ? Number.POSITIVE_INFINITY
      : sent + searchSeconds * 1000 + Math.min(answered - sent, LONGEST_DELAY_MS);

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
      return Math.max(gap, Math.min(first - now, searchSeconds * 1000));
    },
  };
}
