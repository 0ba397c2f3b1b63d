import type { HubSpotAssumptions } from '../hubspot-assumptions.ts';
import { toRates, type Rates, type Subscription } from './subscription-plans.ts';
import { nextMidnight } from './time-zone.ts';

export type Policy = 'DAILY' | 'TEN_SECONDLY_ROLLING' | 'SECONDLY';

export interface Refused {
  readonly policy: Policy;
  /** Time until the next call is allowed. */
  readonly waitMs: number;
}

export interface Call {
  /** Each token belongs to its own app, which has its own burst limit. */
  readonly key: string;
  readonly path: string;
}

/** The rate limits of a portal, on its clock. */
export interface RateLimits {
  /** Counts a call, unless it is refused. */
  check(call: Call): Refused | undefined;
  /** Adds the rate limit headers; answers of search have none. */
  setHeaders(call: Call, headers: Headers): void;
  rates(): Rates;
  /** Calls since midnight in the portal's time zone. */
  dailyUsed(): number;
  setDailyUsed(calls: number): void;
  /** Must be called after a change of the plan or the time zone. */
  applySettings(): void;
}

export interface RateLimitOptions {
  readonly subscription: Subscription & { readonly timeZone: string };
  readonly assumed: HubSpotAssumptions;
  readonly now: () => number;
}

const second = 1_000;
const burstMs = 10 * second;
/** Reported for a portal without limits: every real answer has these headers. */
const unlimited = { size: 1_000_000, left: 1_000_000 };

export function createRateLimits({ subscription, assumed, now }: RateLimitOptions): RateLimits {
  const present = (): Rates => {
    const rates = toRates(subscription);
    return assumed.associationLimits === 'own' ? rates : { ...rates, associationBurst: null, associationDaily: null };
  };
  let rates = present();
  const windows = new Map<string, RollingWindow>();
  const day = createDay(now, () => subscription.timeZone);
  const associationDay = createDay(now, () => subscription.timeZone);

  const windowOf = (name: string, size: number | null, lengthMs: number) => {
    if (size === null) return undefined;
    let window = windows.get(name);
    if (window?.size === size) return window;
    window = window?.resized(size) ?? createRollingWindow(size, lengthMs);
    windows.set(name, window);
    return window;
  };
  const burstOf = ({ key, path }: Call) =>
    rates.associationBurst !== null && isAssociation(path)
      ? windowOf(`associations of ${key}`, rates.associationBurst, burstMs)
      : windowOf(key, rates.burst, burstMs);

  return {
    check(call) {
      if (Object.values(rates).every((rate) => rate === null)) return undefined;
      const at = now();
      const searches = isSearch(call.path) ? windowOf('search', rates.search, second) : undefined;
      const burst = searches && !assumed.searchCountsTowardBurst ? undefined : burstOf(call);
      const days = [
        { day, limit: rates.daily },
        ...(isAssociation(call.path) ? [{ day: associationDay, limit: rates.associationDaily }] : []),
      ];
      const refused = firstRefusal(at, { days, burst, searches });
      if (refused && !assumed.refusedCallsCount) return refused;
      for (const counted of days) counted.day.add();
      burst?.add(at);
      searches?.add(at);
      return refused;
    },
    setHeaders(call, headers) {
      if (isSearch(call.path)) return;
      const burst = burstOf(call);
      const figures = burst === undefined ? unlimited : { size: burst.size, left: burst.left(now()) };
      setBurstHeaders(headers, figures);
      if (rates.daily === null) return;
      headers.set('X-HubSpot-RateLimit-Daily', String(rates.daily));
      headers.set('X-HubSpot-RateLimit-Daily-Remaining', String(Math.max(0, rates.daily - day.used())));
    },
    rates: () => rates,
    dailyUsed: () => day.used(),
    setDailyUsed: (calls) => day.set(calls),
    applySettings() {
      rates = present();
      day.adapt();
      associationDay.adapt();
    },
  };
}

interface Counted {
  readonly days: readonly { readonly day: Day; readonly limit: number | null }[];
  readonly burst: RollingWindow | undefined;
  readonly searches: RollingWindow | undefined;
}

function firstRefusal(at: number, { days, burst, searches }: Counted): Refused | undefined {
  for (const { day, limit } of days)
    if (limit !== null && day.used() >= limit) return { policy: 'DAILY', waitMs: day.endsAt() - at };
  if (burst && burst.left(at) === 0) return { policy: 'TEN_SECONDLY_ROLLING', waitMs: burst.freeAt() - at };
  if (searches && searches.left(at) === 0) return { policy: 'SECONDLY', waitMs: searches.freeAt() - at };
  return undefined;
}

interface Day {
  used(): number;
  add(): void;
  set(calls: number): void;
  endsAt(): number;
  adapt(): void;
}

/** Counts the calls of a day; starts again at midnight in the portal's time zone. */
function createDay(now: () => number, timeZone: () => string): Day {
  let used = 0;
  let end = 0;
  const turn = () => {
    if (now() < end) return;
    used = 0;
    end = nextMidnight(now(), timeZone());
  };
  return {
    used() {
      turn();
      return used;
    },
    add() {
      turn();
      used += 1;
    },
    set(calls) {
      turn();
      used = calls;
    },
    endsAt() {
      turn();
      return end;
    },
    adapt() {
      turn();
      end = nextMidnight(now(), timeZone());
    },
  };
}

// The headers per second are sent and not enforced: HubSpot calls them deprecated.
function setBurstHeaders(headers: Headers, { size, left }: { size: number; left: number }): void {
  const secondly = Math.ceil(size / 10);
  headers.set('X-HubSpot-RateLimit-Max', String(size));
  headers.set('X-HubSpot-RateLimit-Remaining', String(left));
  headers.set('X-HubSpot-RateLimit-Interval-Milliseconds', String(burstMs));
  headers.set('X-HubSpot-RateLimit-Secondly', String(secondly));
  headers.set('X-HubSpot-RateLimit-Secondly-Remaining', String(Math.min(left, secondly - 1)));
}

function isSearch(path: string): boolean {
  return path.endsWith('/search') && path.includes('/objects/');
}

function isAssociation(path: string): boolean {
  return path.includes('/associations/');
}

/** Counts the events of the last `lengthMs`, up to `size`: a ring buffer of times. */
export interface RollingWindow {
  readonly size: number;
  /** How many more events are allowed now. `now` never decreases. */
  left(now: number): number;
  add(now: number): void;
  /** When the next event is allowed, for a full window. */
  freeAt(): number;
  /** The same events in a window of another size. */
  resized(size: number): RollingWindow;
}

export function createRollingWindow(size: number, lengthMs: number): RollingWindow {
  const times = new Float64Array(size);
  let next = 0;
  let count = 0;
  const at = (age: number) => times[(next - age + size) % size] ?? 0;
  return {
    size,
    left(now) {
      while (count > 0 && at(count) <= now - lengthMs) count -= 1;
      return size - count;
    },
    add(now) {
      times[next] = now;
      next = (next + 1) % size;
      if (count < size) count += 1;
    },
    freeAt: () => at(count) + lengthMs,
    resized(newSize) {
      const window = createRollingWindow(newSize, lengthMs);
      for (let age = Math.min(count, newSize); age > 0; age -= 1) window.add(at(age));
      return window;
    },
  };
}
