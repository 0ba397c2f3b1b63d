/** Email subscriptions of an address: https://developers.hubspot.com/docs/api-reference/communication-preferences-subscriptions-v4/guide */
import { callWithoutSdk, probeWriteScope } from './call-sdk.ts';
import type { Transport } from './hubspot-transport.ts';

export function createSubscriptions(transport: Transport) {
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
