import type { Subscription } from '../limits/subscription-plans.ts';

/** Settings of a portal. A reset keeps them. */
export interface PortalSettings extends Subscription {
  /** Delay until the search finds a write, on the portal's clock. */
  searchLagMs: number;
  /** IANA name. The day of the daily limit starts at its midnight. */
  timeZone: string;
  /** Names by the plural of the object type. */
  requiredProperties: Readonly<Record<string, readonly string[]>>;
  /** Properties that a workflow, form or list uses, and that therefore cannot be archived. By the plural of the object type. */
  propertiesInUse: Readonly<Record<string, readonly string[]>>;
}
