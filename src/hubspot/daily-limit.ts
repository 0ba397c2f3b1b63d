// The day's calls are shared by everything in the account: bulk work stops before it has eaten the rest.
import type { ReportedLimits } from './rate-limits.ts';

/** Where the portal's time zone is not known, the rest of the day is looked at again after this. */
const LOOK_AGAIN_MS = 1_800_000;
/** Clocks differ. */
const AFTER_MIDNIGHT_MS = 60_000;

export function createDailyLimit(percent: number) {
  let timeZone: string | undefined;
  let heldSince: number | undefined;

  const until = (since: number): number =>
    timeZone === undefined ? since + LOOK_AGAIN_MS : since + msToMidnight(since, timeZone) + AFTER_MIDNIGHT_MS;

  return {
    learnTimeZone: (name: string | undefined): void => {
      if (name !== undefined && isTimeZone(name)) timeZone = name;
    },

    learn(now: number, { max, remaining }: NonNullable<ReportedLimits['daily']>): void {
      if (remaining > (max * percent) / 100) heldSince = undefined;
      else heldSince ??= now;
    },

    refused(now: number): void {
      heldSince ??= now;
    },

    /** Milliseconds until bulk work may go on; 0 when it may now. */
    waitMs(now: number): number {
      if (heldSince === undefined) return 0;
      const wait = until(heldSince) - now;
      // The next answer says anew how much is left.
      if (wait <= 0) heldSince = undefined;
      return Math.max(0, wait);
    },
  };
}

/** On the two days of the year that are not 24 hours long it errs by one. */
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
