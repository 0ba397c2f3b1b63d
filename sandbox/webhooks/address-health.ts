/** When an address that fails is paused ("paused address" of "Limits"). Whole deliveries count, not their attempts. */
import { limits } from '../../src/contract/index.ts';
import type { PauseReason, StoredAddress } from '../store/webhook-records.ts';

const { pauseAfterDays, pauseAfterDeliveries } = limits.webhook;

export function afterDelivered(address: StoredAddress): StoredAddress {
  return address.failing === null ? address : { ...address, failing: null };
}

export function afterFailed(address: StoredAddress, now: number): StoredAddress {
  const { since, deliveries } = address.failing ?? { since: now, deliveries: 0 };
  return { ...address, failing: { since, deliveries: deliveries + 1 } };
}

/** Nothing but failures for three days, three deliveries at least. */
export function failsForDays({ failing }: StoredAddress, now: number): boolean {
  if (failing === null || failing.deliveries < pauseAfterDeliveries) return false;
  return now - failing.since >= pauseAfterDays * 24 * 3_600_000;
}

export function toPaused(address: StoredAddress, reason: PauseReason): StoredAddress {
  return { ...address, state: 'paused', pausedBecause: reason };
}

export function toActive(address: StoredAddress): StoredAddress {
  return { ...address, state: 'active', pausedBecause: null };
}
