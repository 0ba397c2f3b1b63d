import { randomUUID } from 'node:crypto';

import { createAccount } from './account-details.ts';
import { createAssociations } from './associations.ts';
import { defaultRateLimits } from './rate-limits.ts';
import { createProperties } from './ensure-properties.ts';
import { createLists } from './crm-lists.ts';
import { createObjectReads } from './object-reads.ts';
import { createObjectSearch } from './object-search.ts';
import { createObjectWrites } from './object-writes.ts';
import { withPortalCheck } from './expected-portal.ts';
import type { ExpectedPortal } from './expected-portal.ts';
import { createTransport } from './hubspot-transport.ts';
import type { TransportOptions } from './hubspot-transport.ts';

export interface HubSpotClientOptions extends TransportOptions {
  /** A value that no other has; the trace ids of batch writes derive from it. */
  readonly newId?: (() => string) | undefined;
  /** Nothing is written to another portal than this. */
  readonly portal?: ExpectedPortal | undefined;
  /** Whether `properties.ensure` creates what is missing, where it is not told; true unless given. */
  readonly createProperties?: boolean | undefined;
}

export type HubSpotClient = ReturnType<typeof createHubSpotClient>;

/**
 * Every method throws HubSpotError only. Calls wait for the portal's limits, up to 15 seconds where HubSpot asks for a pause; for longer
 * `retryAfterSeconds` of the error says when to call again.
 */
export function createHubSpotClient({
  newId = randomUUID,
  portal,
  createProperties: createsMissing = true,
  ...options
}: HubSpotClientOptions) {
  const plain = createTransport(options);
  const ask = createAccount(plain);
  const account: typeof ask = async (signal) => {
    const found = await ask(signal);
    plain.learnTimeZone(found.timeZone);
    return found;
  };
  const isGuarded = portal?.id !== undefined || portal?.type !== undefined;
  const transport = isGuarded
    ? withPortalCheck(plain, { portal, ask: account, clock: options.clock ?? Date.now })
    : plain;
  const concurrency = options.budget?.concurrency ?? defaultRateLimits.concurrency;
  return {
    objects: {
      ...createObjectReads(transport, concurrency),
      ...createObjectSearch(transport, concurrency),
      ...createObjectWrites(transport, { newId, concurrency }),
    },
    associations: createAssociations(transport, concurrency),
    lists: createLists(transport),
    properties: createProperties(transport, createsMissing),
    account,
    /** Calls, waits and refusals since the client was made. */
    usage: plain.usage,
    /** What the last answers said of the portal's limits. */
    limits: plain.limits,
  };
}
