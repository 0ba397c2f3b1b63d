import { randomUUID } from 'node:crypto';

import { createAccount, withPortalCheck, type ExpectedPortal } from './portal-account.ts';
import { createAssociations } from './associations.ts';
import { defaultRateLimits } from './rate-limiter.ts';
import { createProperties } from './ensure-properties.ts';
import { createEngagements } from './engagements.ts';
import { createLists } from './crm-lists.ts';
import { createOwners } from './owners.ts';
import { createObjectReads } from './object-reads.ts';
import { createObjectSearch } from './object-search.ts';
import { createObjectWrites } from './object-writes.ts';
import { createSubscriptions } from './subscriptions.ts';
import { createTransport, type TransportOptions } from './hubspot-transport.ts';

export interface HubSpotClientOptions extends TransportOptions {
  /** Returns a unique value; trace ids of batch writes derive from it. */
  readonly newId?: (() => string) | undefined;
  /** Calls to any other portal are refused. */
  readonly portal?: ExpectedPortal | undefined;
  /** Default of `create` in `properties.ensure`: create missing properties. Default: true. */
  readonly createProperties?: boolean | undefined;
}

export type HubSpotClient = ReturnType<typeof createHubSpotClient>;

/**
 * Every method throws HubSpotError only. Calls wait for the rate limits, up to 15 seconds. For longer waits they throw, and
 * `retryAfterSeconds` of the error says when to call again.
 */
export function createHubSpotClient({
  newId = randomUUID,
  portal,
  createProperties: createsMissing = true,
  ...options
}: HubSpotClientOptions) {
  const plain = createTransport(options);
  const readAccount = createAccount(plain);
  const account: typeof readAccount = async (signal) => {
    const found = await readAccount(signal);
    plain.learnTimeZone(found.timeZone);
    return found;
  };
  const isChecked = portal?.id !== undefined || portal?.type !== undefined;
  const transport = isChecked
    ? withPortalCheck(plain, { portal, readAccount: account, clock: options.clock ?? Date.now })
    : plain;
  const concurrency = options.budget?.concurrency ?? defaultRateLimits.concurrency;
  const reads = createObjectReads(transport, concurrency);
  const associations = createAssociations(transport, concurrency);
  return {
    objects: {
      ...reads,
      ...createObjectSearch(transport, concurrency),
      ...createObjectWrites(transport, { newId, concurrency }),
    },
    associations,
    engagements: createEngagements(transport, { objects: reads, associations }),
    lists: createLists(transport),
    owners: createOwners(transport),
    subscriptions: createSubscriptions(transport),
    properties: createProperties(transport, createsMissing),
    account,
    /** Totals since the client was created. */
    usage: plain.usage,
    /** The portal's limits, as the latest answers reported them. */
    limits: plain.limits,
  };
}
