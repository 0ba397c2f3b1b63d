/** `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that a service may still send (RFC 9110, 5.6.7). */
const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/;

/**
 * What a Retry-After asks to wait; undefined where there is none or it says nothing. `now`: milliseconds since the epoch.
 * Read here and not as the product reads it: a mistake in one of the two shows as a difference.
 */
export function toWaitSeconds(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return Number.parseInt(text, 10);
  const until = httpDate.test(text) ? new Date(text).getTime() : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  return until <= now ? 0 : Math.ceil((until - now) / 1_000);
}
