import { randomUUID } from 'node:crypto';

import { createAccount } from './account.ts';
import { createAssociations } from './associations.ts';
import { createProperties } from './ensure-properties.ts';
import { createLists } from './lists.ts';
import { createObjectReads } from './object-reads.ts';
import { createObjectSearch } from './object-search.ts';
import { createObjectWrites } from './object-writes.ts';
import { createTransport } from './transport.ts';
import type { TransportOptions } from './transport.ts';

export interface HubSpotClientOptions extends TransportOptions {
  /** A value that no other has; the trace ids of batch writes derive from it. */
  readonly newId?: (() => string) | undefined;
}

export type HubSpotClient = ReturnType<typeof createHubSpotClient>;

/** Every method throws HubSpotError only. None waits for a rate limit: `retryAfterSeconds` of the error says when to call again. */
export function createHubSpotClient({ newId = randomUUID, ...options }: HubSpotClientOptions) {
  const transport = createTransport(options);
  return {
    objects: {
      ...createObjectReads(transport),
      ...createObjectSearch(transport),
      ...createObjectWrites(transport, newId),
    },
    associations: createAssociations(transport),
    lists: createLists(transport),
    properties: createProperties(transport),
    account: createAccount(transport),
    /** Calls, waits and refusals since the client was made. */
    usage: transport.usage,
    /** What the last answers said of the portal's limits. */
    limits: transport.limits,
  };
}
