// The rolling window of the burst limit, as far as one client can know it: its own calls, and what others must have sent.
import type { ReportedLimits } from './rate-limits.ts';

export interface TrackedCall {
  /** Milliseconds since the epoch, as all times here. */
  readonly sent: number;
  answered: number | undefined;
}

type SeenBurst = NonNullable<ReportedLimits['burst']>;

/** Before the first answer: the smallest limit of any HubSpot plan. */
const CAUTIOUS: SeenBurst = { max: 100, remaining: 100, seconds: 10 };
/** HubSpot counts a call somewhere between its sending and its answer, most likely soon after the sending. */
const LONGEST_WAY_MS = 250;

export type BurstLimit = ReturnType<typeof createBurstLimit>;

/** @param percent how much of the window is used at most, by all together */
export function createBurstLimit(percent: number) {
  let { max, seconds } = CAUTIOUS;
  let isUnlimited = false;
  let own: TrackedCall[] = [];
  /** When others sent theirs, as far as the remaining calls tell, oldest first. */
  let foreign: number[] = [];
  let learnedFrom = Number.NEGATIVE_INFINITY;

  const intervalMs = (): number => seconds * 1000;
  const leaves = ({ sent, answered }: TrackedCall): number =>
    answered === undefined ? Number.POSITIVE_INFINITY : sent + intervalMs() + Math.min(answered - sent, LONGEST_WAY_MS);

  /** Others' calls then are those used and not ours: new ones came since we looked last, and gone ones were the oldest. */
  function learn(call: TrackedCall, used: number): void {
    // Answers overtake each other; an older one knows less.
    if (call.sent < learnedFrom) return;
    const from = call.sent - intervalMs();
    const ours = own.filter(({ sent }) => sent > from && sent <= call.sent).length;
    foreign = foreign.filter((at) => at > from);
    const more = Math.min(Math.max(used - ours, 0), max) - foreign.length;
    const since = Math.max(learnedFrom, from);
    if (more < 0) foreign = foreign.slice(-more);
    for (let index = 1; index <= more; index += 1) foreign.push(since + ((call.sent - since) * index) / more);
    learnedFrom = call.sent;
  }

  const inFlight = (): number => own.filter(({ answered }) => answered === undefined).length;
  const foreignAt = (now: number): number => foreign.filter((at) => at + intervalMs() > now).length;
  /** Our part of what is used; half at most, lest one that was alone goes on as if it were. */
  const shareAt = (now: number): number => {
    const ours = own.filter((call) => leaves(call) > now).length;
    return Math.min(1 / 2, Math.max(ours, 1) / (ours + foreignAt(now)));
  };
  /** Others do not see our calls in flight, nor we theirs: near the limit each has no more than its part of the free places. */
  const isCrowded = (now: number): boolean => foreignAt(now) > max / 20;

  return {
    begin(now: number): TrackedCall {
      const call: TrackedCall = { sent: now, answered: undefined };
      own.push(call);
      return call;
    },

    /** @param seen what the answer says of the limit, null where there is none or it says nothing */
    end(call: TrackedCall, now: number, seen: SeenBurst | null): void {
      call.answered = now;
      if (seen === null) return;
      isUnlimited = false;
      ({ max, seconds } = seen);
      learn(call, seen.max - seen.remaining);
    },

    /** HubSpot tells its limit with every answer about records: who tells none there has none. */
    noLimit(): void {
      isUnlimited = true;
    },

    /** Refused without a word about the limit. */
    refused(): void {
      if (isUnlimited) ({ max, seconds } = CAUTIOUS);
      isUnlimited = false;
    },

    /** Milliseconds until one more call fits, if nobody else takes the place; 0 when it fits now. */
    waitMs(now: number): number {
      // Those that have left the window are still asked for when a late answer tells what was used at its time.
      own = own.filter((call) => leaves(call) + intervalMs() > now);
      if (isUnlimited) return 0;
      const ends = [...own.map((call) => leaves(call)), ...foreign.map((at) => at + intervalMs())].filter(
        (at) => at > now,
      );
      const limit = Math.max(1, Math.floor((max * percent) / 100));
      const free = limit - ends.length;
      if (free > 0) return isCrowded(now) && inFlight() >= Math.ceil(free * shareAt(now)) ? intervalMs() : 0;
      const end = ends.sort((a, b) => a - b)[ends.length - limit] ?? now;
      // Of calls in flight nobody knows; their answers will ask again.
      return Math.min(end - now, intervalMs());
    },

    /** Others' calls in the window, as far as known. */
    foreign: foreignAt,
  };
}
