/** How many of the ordered companies came, and whether that is enough. */
import type { SlotStatus } from '../contract/index.ts';
import type { Finding } from '../report/order-report.ts';

/** Slots of these statuses have no company of their own ("Order results"). */
const withoutCompany: readonly SlotStatus[] = ['UNRESOLVED', 'DUPLICATE', 'BLOCKED'];

/** Slots with a company of their own. */
export function countDelivered(byStatus: Readonly<Record<string, number>>): number {
  return Object.entries(byStatus)
    .filter(([status]) => !withoutCompany.some((each) => each === status))
    .reduce((total, [, count]) => total + count, 0);
}

export interface Quantities {
  /** 0 when unknown, because no run placed the order. */
  readonly ordered: number;
  readonly delivered: number;
  /** `expect.min_delivered` of the run; null when it is not set. */
  readonly minDeliveredPercent: number | null;
}

/** `count` is the number of companies that are missing. */
export function toDeliveryFindings({ ordered, delivered, minDeliveredPercent }: Quantities): Finding[] {
  const missing = Math.max(0, ordered - delivered);
  if (delivered === 0) return [{ code: 'nothing_delivered', count: missing, positions: [] }];
  const isTooFew = minDeliveredPercent !== null && delivered * 100 < ordered * minDeliveredPercent;
  return isTooFew ? [{ code: 'fewer_delivered_than_expected', count: missing, positions: [] }] : [];
}
