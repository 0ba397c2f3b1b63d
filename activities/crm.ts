import { ownProperties, propertyGroup } from '../src/hubspot/properties.ts';
import type { CrmPlan } from '../src/mapping/crm-plan.ts';
import { toMappedProperties } from '../src/mapping/written-content.ts';
import type { OutcomeTally } from '../src/order-report.ts';
import { keyProperties } from '../src/projection/find-by-key.ts';
import { linkRestored } from '../src/projection/link-contacts.ts';
import { projectSlots } from '../src/projection/project-slots.ts';
import type { Projection } from '../src/projection/projection.ts';
import { openSlotBatches } from '../src/projection/slot-batches.ts';
import type { Clients } from './clients.ts';
import { cancellation, reached, resumeFrom } from './progress.ts';

export interface CrmRange {
  readonly orderId: string;
  readonly projectionId: string;
  readonly plan: CrmPlan;
  readonly externalIdsAreRecordIds: boolean;
  /** Only what an earlier pass has quarantined, failed, or left out because of that. */
  readonly onlyUnfinished: boolean;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

export interface CrmTally {
  readonly companies: OutcomeTally;
  readonly contacts: OutcomeTally;
  /** Links between people and companies that were missing in HubSpot. */
  readonly restoredLinks?: number;
}

export function createCrmActivities(clients: Clients) {
  const { hubspot, ledger, now } = clients;
  return {
    /** Our own properties are there, the mapped ones can hold what is written, and the token may read and write, before anything is bought. */
    async prepareCrm({ plan: { mapping } }: { plan: CrmPlan }) {
      const created: string[] = [];
      const mustExist = toMappedProperties(mapping);
      for (const type of ['companies', 'contacts'] as const) {
        const request = { group: propertyGroup, properties: ownProperties[type], mustExist };
        created.push(...(await hubspot.properties.ensure(type, request, cancellation())).created);
        const nobody = { ids: ['nobody'], idProperty: keyProperties[type], properties: [], signal: cancellation() };
        await hubspot.objects.read(type, nobody);
        await hubspot.objects.requireWriteScope(type, cancellation());
      }
      return { created: created.length };
    },

    /** Writes one range of slots to the CRM; goes on where the last attempt stood. */
    async projectToCrm({ from, to, plan, ...range }: CrmRange) {
      const { orderId } = range;
      const order = await ledger.orders.get(orderId);
      const provenance = { orderId, runName: order?.runName ?? '', mappingVersion: plan.mappingVersion };
      const projection: Projection = { ...range, plan, provenance };
      const tools = { hubspot, ledger, now, signal: cancellation() };
      const batches = openSlotBatches(tools, projection, { from: resumeFrom(from), to });
      await projectSlots(tools, batches, ({ end }) => reached(end));
      return { projected: to - from };
    },

    /** How companies and people stand now; with a projection, how many links it had to make a second time. */
    async tallyCrm({ orderId, projectionId }: { orderId: string; projectionId?: string }): Promise<CrmTally> {
      const tally = await ledger.outcomes.tally(orderId, 'hubspot');
      if (projectionId === undefined) return tally;
      const restored = { orderId, sink: 'hubspot', projectionId, rule: linkRestored } as const;
      return { ...tally, restoredLinks: await ledger.outcomes.countByRule(restored) };
    },
  };
}
