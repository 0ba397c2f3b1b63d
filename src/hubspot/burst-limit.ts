// The rolling window of the burst limit: our own calls, and the calls of others as far as the headers reveal them.
import type { ReportedLimits } from './rate-limits.ts';

export interface TrackedCall {
  /** Milliseconds since the epoch, as all times here. */
  readonly sent: number;
  answered: number | undefined;
}

type ReportedBurst = NonNullable<ReportedLimits['burst']>;

/** Until the first answer: the smallest limit of any HubSpot plan. */
const CAUTIOUS: ReportedBurst = { max: 100, remaining: 100, seconds: 10 };
/** HubSpot counts a call somewhere between its sending and its answer, most likely soon after the sending. */
export const LONGEST_DELAY_MS = 250;

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
   * Estimates the calls of other clients: used calls that are not ours. More of them than before were sent since the last answer; fewer
   * mean that the oldest ones have left the window.
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
  /** Our share of the used calls. At most half, so that a client that was alone gives way to a second one. */
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

    /** HubSpot sends the rate headers with every answer about records: a sandbox that sends none has no limit. */
    noLimit(): void {
      isUnlimited = true;
    },

    /** After a 429 without rate headers. */
    refused(): void {
      if (isUnlimited) ({ max, seconds } = CAUTIOUS);
      isUnlimited = false;
    },

    /** Milliseconds until one more call fits, unless another client takes its place; 0 when it fits now. */
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
