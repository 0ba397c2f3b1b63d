/** Owners of records: https://developers.hubspot.com/docs/api-reference/crm-owners-v3/guide */
import { callWithoutSdk } from './call-sdk.ts';
import { HubSpotError } from './hubspot-error.ts';
import { isRecordId } from './hubspot-record.ts';
import type { Transport } from './hubspot-transport.ts';

export function createOwners(transport: Transport) {
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
