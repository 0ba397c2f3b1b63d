import { ApplicationFailure } from '@temporalio/common';
import { fetchWebsites, findProspectSearch } from '../src/delivery/files/fetch-websites.ts';
import type { WebsiteTally } from '../src/ledger/website-store.ts';
import { activityContext } from './activity-heartbeat.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { checked, rangeSchema } from './checked-input.ts';
import { assertNotErased } from './erased-order.ts';

export function createWebsiteActivities(dependencies: ActivityDependencies) {
  const { prospecting, ledger, toFailure } = dependencies;
  return {
    /**
     * Fetches the website texts of one range of delivered companies into the ledger. A retried attempt fetches what the ledger does not
     * have. A text that fails for good is counted and left out.
     */
    fetchWebsites: checked(rangeSchema, async ({ orderId, ...range }): Promise<WebsiteTally> => {
      await assertNotErased(ledger, orderId);
      const context = { ...dependencies, ...activityContext(), isPermanent };
      const profileId = (await ledger.orders.get(orderId))?.profileId ?? null;
      const prospectSearchId = await findProspectSearch(prospecting, { orderId, profileId }, context.signal);
      return fetchWebsites(context, { orderId, prospectSearchId, ...range });
    }),
  };

  function isPermanent(error: Error): boolean {
    const failure = toFailure(error);
    return failure instanceof ApplicationFailure && failure.nonRetryable === true;
  }
}
