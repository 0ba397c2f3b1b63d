import { randomUUID } from 'node:crypto';
import { createAccount, withPortalCheck, type ExpectedPortal } from './portal-account.ts';
import { createAssociations } from './associations.ts';
import { defaultRateLimits } from './rate-limiter.ts';
import { createProperties } from './ensure-properties.ts';
import { createEngagements } from './engagements.ts';
import { createLists } from './crm-lists.ts';
import { createObjectReads } from './object-reads.ts';
import { createObjectSearch } from './object-search.ts';
import { createObjectWrites } from './object-writes.ts';
import { createTransport, type TransportOptions, type Transport } from './hubspot-transport.ts';
import { callWithoutSdk, probeWriteScope } from './call-sdk.ts';
import { HubSpotError } from './hubspot-error.ts';
import { isRecordId } from './hubspot-record.ts';

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
  const objects = {
    ...createObjectReads(transport, concurrency),
    ...createObjectSearch(transport, concurrency),
    ...createObjectWrites(transport, { newId, concurrency }),
  };
  const associations = createAssociations(transport, concurrency);
  return {
    objects,
    associations,
    engagements: createEngagements(objects, associations),
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

function createOwners(transport: Transport) {
  return {
    /** Whether an active owner has this id; archived ones can no longer be assigned. Needs the scope crm.objects.owners.read. */
    async exists(id: string, signal?: AbortSignal): Promise<boolean> {
      if (!isRecordId(id)) return false;
      const call = { method: 'GET', path: `/crm/v3/owners/${id}`, body: undefined, idempotent: true, signal };
      try {
        await callWithoutSdk(transport, call, () => undefined);
        return true;
      } catch (error) {
        if (error instanceof HubSpotError && error.status === 404) return false;
        throw error;
      }
    },
  };
}

function createSubscriptions(transport: Transport) {
  return {
    /**
     * Unsubscribes an address from all marketing email, whether or not a contact has it. HubSpot offers no way back. Can be repeated.
     * Needs the scope communication_preferences.write.
     * @throws HubSpotError, whose message does not contain the address
     */
    async unsubscribeAll(email: string, signal?: AbortSignal): Promise<void> {
      const path = `/communication-preferences/v4/statuses/${encodeURIComponent(email)}/unsubscribe-all?channel=EMAIL`;
      await callWithoutSdk(
        transport,
        { method: 'POST', path, body: undefined, idempotent: true, signal },
        () => undefined,
      );
    },

    /** @throws HubSpotError, status 403, without the scope communication_preferences.write */
    async requireWriteScope(signal?: AbortSignal): Promise<void> {
      const unknownAddress = encodeURIComponent('unknown@prospect-sync.invalid');
      await probeWriteScope(transport, `/communication-preferences/v4/statuses/${unknownAddress}`, signal);
    },
  };
}
