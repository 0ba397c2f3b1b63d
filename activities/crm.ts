import { OBJECTS_PER_BATCH } from '../src/hubspot/object-writes.ts';
import { ownProperties, propertyGroup } from '../src/hubspot/properties.ts';
import type { Clients } from './clients.ts';
import { createCrmBatch } from './crm-batch.ts';
import { keyProperties } from './crm-records.ts';
import { projectCompanies } from './crm-companies.ts';
import { projectContacts } from './crm-contacts.ts';
import { cancellation, reached, resumeFrom } from './progress.ts';

export interface CrmRange {
  readonly orderId: string;
  readonly projectionId: string;
  readonly externalIdsAreRecordIds: boolean;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

export function createCrmActivities(clients: Clients) {
  const { hubspot, ledger } = clients;
  return {
    /** Our own properties exist, and the token may read and change what it has to, before anything is bought. */
    async prepareCrm() {
      const created: string[] = [];
      for (const type of ['companies', 'contacts'] as const) {
        const request = { group: propertyGroup, properties: ownProperties[type] };
        created.push(...(await hubspot.properties.ensure(type, request, cancellation())).created);
        const nobody = { ids: ['nobody'], idProperty: keyProperties[type], properties: [], signal: cancellation() };
        await hubspot.objects.read(type, nobody);
      }
      return { created: created.length };
    },

    /** Writes one range of slots to the CRM, 100 at a time; goes on where the last attempt stood. */
    async projectToCrm({ orderId, projectionId, externalIdsAreRecordIds, from, to }: CrmRange) {
      const order = await ledger.orders.get(orderId);
      const provenance = { orderId, runName: order?.runName ?? '' };
      const batch = createCrmBatch(clients, { orderId, projectionId, provenance, externalIdsAreRecordIds });
      let next = resumeFrom(from);
      while (next < to) {
        const end = Math.min(next + OBJECTS_PER_BATCH, to);
        const slots = await batch.open(await ledger.slots.read(orderId, { from: next, to: end }));
        const companies = await projectCompanies(clients, batch, slots);
        await projectContacts(clients, batch, slots, companies);
        next = end;
        reached(next);
      }
      return { projected: to - from };
    },

    async tallyCrm({ orderId }: { orderId: string }) {
      return ledger.outcomes.tally(orderId, 'hubspot');
    },
  };
}
