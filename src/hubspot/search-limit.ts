// HubSpot limits searches for the whole account and does not report the remaining ones: calls are spaced, and farther apart after a 429.

/** HubSpot's limit for the account. */
const MOST_PER_SECOND = 5;
const SLOWEST_PER_SECOND = 0.25;
/** From a standstill back to full rate. With it, fewer than one in a hundred searches of two workers gets a 429. */
const RECOVERY_SECONDS = 300;
/** As in burst-limit.ts. */
const LONGEST_DELAY_MS = 250;

export interface SearchCall {
  readonly sent: number;
  answered: number | undefined;
}

export function createSearchLimit(perSecond: number) {
  let calls: SearchCall[] = [];
  let lastSent = Number.NEGATIVE_INFINITY;
  let slowed = { perSecond, at: 0 };
  const rateAt = (now: number): number =>
    Math.min(perSecond, slowed.perSecond + (perSecond * Math.max(0, now - slowed.at)) / (RECOVERY_SECONDS * 1000));
  const expiresAt = ({ sent, answered }: SearchCall): number =>
    answered === undefined ? Number.POSITIVE_INFINITY : sent + 1000 + Math.min(answered - sent, LONGEST_DELAY_MS);

  return {
    start(now: number): SearchCall {
      const call: SearchCall = { sent: now, answered: undefined };
      calls.push(call);
      lastSent = now;
      return call;
    },

    finish(call: SearchCall, now: number): void {
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
