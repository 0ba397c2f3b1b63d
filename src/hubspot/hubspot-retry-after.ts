import { retryAfterSeconds } from '../http/retry-after.ts';

export interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  readonly policyName: string | undefined;
  /** Milliseconds since the epoch, to read a Retry-After that is a date. */
  readonly now: number;
}

/** HubSpot asks for 2 seconds at least after 423 Locked, and sends no header with it. */
const LOCKED_SECONDS = 2;
/** The window of the burst limit, for the case that its header is missing. */
const BURST_SECONDS = 10;
/** The search limit counts by the second and sends no rate headers. */
const SEARCH_SECONDS = 1;

/** Seconds to wait before the same call may pass; undefined where HubSpot does not say (a DAILY limit lasts until midnight of the portal). */
export function toRetryAfterSeconds(refusal: Refusal): number | undefined {
  const stated = retryAfterSeconds(refusal.headers.get('retry-after'), refusal.now);
  if (refusal.status === 423) return Math.max(stated ?? 0, LOCKED_SECONDS);
  if (stated !== undefined) return stated;
  if (refusal.status !== 429) return undefined;
  if (refusal.policyName === 'TEN_SECONDLY_ROLLING') return toIntervalSeconds(refusal.headers) ?? BURST_SECONDS;
  if (refusal.policyName === 'SECONDLY') return SEARCH_SECONDS;
  return undefined;
}

function toIntervalSeconds(headers: Headers): number | undefined {
  const milliseconds = Number(headers.get('x-hubspot-ratelimit-interval-milliseconds') ?? Number.NaN);
  return milliseconds > 0 && Number.isFinite(milliseconds) ? milliseconds / 1000 : undefined;
}
