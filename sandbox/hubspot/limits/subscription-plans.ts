/** The rate limits of a portal; null: unlimited. */
export interface Rates {
  /** Calls of one token in any ten seconds. */
  readonly burst: number | null;
  /** Calls of all tokens from midnight to midnight. */
  readonly daily: number | null;
  /** Searches of all tokens in any second. */
  readonly search: number | null;
  /** Association calls of one token in any ten seconds; null: they count towards `burst`. */
  readonly associationBurst: number | null;
  /** Association calls of all tokens from midnight to midnight; they count towards `daily` too. */
  readonly associationDaily: number | null;
}

/** `none`: not a plan of HubSpot; calls are not counted. */
export const plans = ['none', 'free', 'professional', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

// HubSpot's usage guidelines, for private apps and service keys. No figure is given for association calls of a free account in a day.
const ratesOf: Readonly<Record<Plan, Rates>> = {
  none: { burst: null, daily: null, search: null, associationBurst: null, associationDaily: null },
  free: { burst: 100, daily: 250_000, search: 5, associationBurst: 100, associationDaily: null },
  professional: { burst: 190, daily: 625_000, search: 5, associationBurst: 150, associationDaily: 500_000 },
  enterprise: { burst: 190, daily: 1_000_000, search: 5, associationBurst: 150, associationDaily: 500_000 },
};

/** Each purchased increase adds calls per day; only the first one raises the other limits. */
const increase = { burst: 250, daily: 1_000_000, associationBurst: 200, associationDaily: 1_000_000 };
export const maxIncreases = 2;

export interface Subscription {
  plan: Plan;
  /** API limit increases, 0 to 2. */
  increases: number;
  /** Figures that differ from those of the plan. */
  rates: Partial<Rates>;
}

export function toRates({ plan, increases, rates }: Subscription): Rates {
  const usual = ratesOf[plan];
  const { daily, search } = usual;
  const { burst, associationBurst, associationDaily } = plan === 'none' || increases === 0 ? usual : increase;
  const total = daily === null ? null : daily + increases * increase.daily;
  return { burst, daily: total, search, associationBurst, associationDaily, ...rates };
}
