/** The rate limits of a portal; null: unlimited. */
export interface Rates {
  /** Calls of one token in any ten seconds. */
  readonly burst: number | null;
  /** Calls of all tokens from midnight to midnight. */
  readonly daily: number | null;
  /** Searches of all tokens in any second. */
  readonly search: number | null;
}

/** `none`: not a plan of HubSpot; calls are not counted. */
export const plans = ['none', 'free', 'professional', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

// HubSpot's usage guidelines, for private apps and service keys.
const ratesOf: Readonly<Record<Plan, Rates>> = {
  none: { burst: null, daily: null, search: null },
  free: { burst: 100, daily: 250_000, search: 5 },
  professional: { burst: 190, daily: 625_000, search: 5 },
  enterprise: { burst: 190, daily: 1_000_000, search: 5 },
};

/** Each purchased increase adds calls per day; only the first one raises the burst limit. */
const increase = { burst: 250, daily: 1_000_000 };
export const maxIncreases = 2;

export interface Subscription {
  plan: Plan;
  /** API limit increases, 0 to 2. */
  increases: number;
  /** Figures that differ from those of the plan. */
  rates: Partial<Rates>;
}

export function toRates({ plan, increases, rates }: Subscription): Rates {
  const { burst, daily, search } = ratesOf[plan];
  return {
    burst: burst === null || increases === 0 ? burst : increase.burst,
    daily: daily === null ? null : daily + increases * increase.daily,
    search,
    ...rates,
  };
}
