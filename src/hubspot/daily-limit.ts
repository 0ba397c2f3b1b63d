// All apps of an account share its daily calls: bulk work stops at a reserve.
import type { ReportedLimits } from './rate-limits.ts';

/** Used when the portal's time zone is unknown. */
const RETRY_MS = 1_800_000;
/** Allows for a difference between HubSpot's clock and ours. */
const AFTER_MIDNIGHT_MS = 60_000;

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
  return 86_400_000 - ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
