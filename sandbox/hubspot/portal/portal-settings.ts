import type { Subscription } from '../limits/subscription-plans.ts';

/** Settings of a portal. A reset keeps them. */
export interface PortalSettings extends Subscription {
  /** How long a write takes to reach search, on the portal's clock. */
  searchLagMs: number;
  /** IANA name. The day of the daily limit starts at its midnight. */
  timeZone: string;
  /** Names by the plural of the object type. */
  requiredProperties: Readonly<Record<string, readonly string[]>>;
  /** Of those that a workflow, a form or a list uses, which cannot be archived. By the plural of the object type. */
  propertiesInUse: Readonly<Record<string, readonly string[]>>;
}
