/** How much of a portal's limits one client uses: `hubspot.budget` of the configuration. */
export interface RateLimitSettings {
  /** Share of the calls that HubSpot allows in 10 seconds; calls of other workers and apps count towards it. */
  readonly burstPercent: number;
  /** HubSpot allows 5 for the whole account and does not report the remaining ones. */
  readonly searchPerSecond: number;
  /** Share of the daily calls that bulk work leaves to other apps. */
  readonly dailyReservePercent: number;
  /** Most calls in flight. */
  readonly concurrency: number;
}

export const defaultRateLimits: RateLimitSettings = {
  burstPercent: 95,
  searchPerSecond: 4,
  dailyReservePercent: 10,
  concurrency: 8,
};

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
  const read = (name: string): number | null => {
    const value = Number(headers.get(`x-hubspot-ratelimit-${name}`) ?? Number.NaN);
    return Number.isFinite(value) && value >= 0 ? value : null;
  };
  const [max, remaining, milliseconds] = [read('max'), read('remaining'), read('interval-milliseconds')];
  const [dailyMax, dailyRemaining] = [read('daily'), read('daily-remaining')];
  const seconds = milliseconds === null || milliseconds === 0 ? burstSeconds : milliseconds / 1000;
  return {
    burst: max === null || max === 0 || remaining === null ? null : { max, remaining, seconds },
    daily:
      dailyMax === null || dailyMax === 0 || dailyRemaining === null
        ? null
        : { max: dailyMax, remaining: dailyRemaining },
  };
}
