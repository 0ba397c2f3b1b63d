/** How much of a portal's limits one client takes. */
export interface RateLimitSettings {
  /** Of the calls that HubSpot allows in 10 seconds, those of other workers and apps included. */
  readonly burstPercent: number;
  /** HubSpot allows 5 for the whole account, and says nothing about how many are left. */
  readonly searchPerSecond: number;
  /** Of the calls of a day, which bulk work leaves to others. */
  readonly dailyReservePercent: number;
  /** Calls in flight at once. */
  readonly concurrency: number;
}

export const defaultRateLimits: RateLimitSettings = {
  burstPercent: 95,
  searchPerSecond: 4,
  dailyReservePercent: 10,
  concurrency: 8,
};

/** What the last answers said of the portal's limits. */
export interface ReportedLimits {
  readonly burst: { readonly max: number; readonly remaining: number; readonly seconds: number } | null;
  readonly daily: { readonly max: number; readonly remaining: number } | null;
}

/** The rate headers of an answer; what is missing or no number is null. Search sends none. */
export function readLimitHeaders(headers: Headers): ReportedLimits {
  const read = (name: string): number | null => {
    const value = Number(headers.get(`x-hubspot-ratelimit-${name}`) ?? Number.NaN);
    return Number.isFinite(value) && value >= 0 ? value : null;
  };
  const [max, remaining, milliseconds] = [read('max'), read('remaining'), read('interval-milliseconds')];
  const [dailyMax, dailyRemaining] = [read('daily'), read('daily-remaining')];
  const seconds = milliseconds === null || milliseconds === 0 ? 10 : milliseconds / 1000;
  return {
    burst: max === null || max === 0 || remaining === null ? null : { max, remaining, seconds },
    daily:
      dailyMax === null || dailyMax === 0 || dailyRemaining === null
        ? null
        : { max: dailyMax, remaining: dailyRemaining },
  };
}
