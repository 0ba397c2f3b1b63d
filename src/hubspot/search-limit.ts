// Search is limited for the whole account and does not say how much is left: calls are spaced, and farther apart after each refusal.

/** HubSpot's limit for the account. */
const MOST_PER_SECOND = 5;
const SLOWEST_PER_SECOND = 0.25;
/** How long it takes from a standstill back to full pace: two workers then meet fewer than one refusal in a hundred searches. */
const RECOVERY_SECONDS = 300;
/** As in the burst window. */
const LONGEST_WAY_MS = 250;

export interface SearchCall {
  readonly sent: number;
  answered: number | undefined;
}

export function createSearchLimit(perSecond: number) {
  let calls: SearchCall[] = [];
  let lastSent = Number.NEGATIVE_INFINITY;
  let slowed = { perSecond, at: 0 };
  const paceAt = (now: number): number =>
    Math.min(perSecond, slowed.perSecond + (perSecond * Math.max(0, now - slowed.at)) / (RECOVERY_SECONDS * 1000));
  const leaves = ({ sent, answered }: SearchCall): number =>
    answered === undefined ? Number.POSITIVE_INFINITY : sent + 1000 + Math.min(answered - sent, LONGEST_WAY_MS);

  return {
    begin(now: number): SearchCall {
      const call: SearchCall = { sent: now, answered: undefined };
      calls.push(call);
      lastSent = now;
      return call;
    },

    end(call: SearchCall, now: number): void {
      call.answered = now;
    },

    /** Others search as well: half the pace, which then recovers. */
    refused(now: number): void {
      slowed = { perSecond: Math.max(SLOWEST_PER_SECOND, paceAt(now) / 2), at: now };
    },

    waitMs(now: number): number {
      calls = calls.filter((call) => leaves(call) > now);
      const gap = lastSent + 1000 / paceAt(now) - now;
      if (calls.length < MOST_PER_SECOND) return Math.max(0, gap);
      const first = Math.min(...calls.map((call) => leaves(call)));
      // Of calls in flight nobody knows; their answers will ask again.
      return Math.max(gap, Math.min(first - now, 1000));
    },
  };
}
