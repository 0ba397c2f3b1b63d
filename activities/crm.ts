import { ownProperties, propertyGroup } from '../src/hubspot/properties.ts';
import type { Range } from '../src/ledger/slots.ts';
import type { CrmPlan } from '../src/mapping/crm-plan.ts';
import { keyProperties } from '../src/projection/find-by-key.ts';
import { projectSlots } from '../src/projection/project-slots.ts';
import type { Projection, Tools } from '../src/projection/projection.ts';
import { openSlotBatch, type SlotBatch } from '../src/projection/slot-batch.ts';
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

/** So many slots are worked on together: their companies, people and links then fill HubSpot's batches of 100 and 1,000. */
const slotsPerBatch = 1_000;

export function createCrmActivities(clients: Clients) {
  const { hubspot, ledger, now } = clients;
  return {
    /** Our own properties and the mapped ones exist, and the token may read and change what it has to, before anything is bought. */
    async prepareCrm({ plan: { mapping } }: { plan: CrmPlan }) {
      const created: string[] = [];
      for (const type of ['companies', 'contacts'] as const) {
        const mustExist = Object.keys(mapping[type]).map((name) => ({ type, name }));
        const request = { group: propertyGroup, properties: ownProperties[type], mustExist };
        created.push(...(await hubspot.properties.ensure(type, request, cancellation())).created);
        const nobody = { ids: ['nobody'], idProperty: keyProperties[type], properties: [], signal: cancellation() };
        await hubspot.objects.read(type, nobody);
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
      const batches = openBatches(tools, projection, { from: resumeFrom(from), to });
      await projectSlots(tools, batches, ({ end }) => reached(end));
      return { projected: to - from };
    },

    async tallyCrm({ orderId }: { orderId: string }) {
      return ledger.outcomes.tally(orderId, 'hubspot');
    },
  };
  async function* openBatches(tools: Tools, projection: Projection, { from, to }: Range): AsyncGenerator<SlotBatch> {
    for (let start = from; start < to; start += slotsPerBatch) {
      const range = { from: start, to: Math.min(start + slotsPerBatch, to) };
      const stored = await ledger.slots.read(projection.orderId, range);
      const leaks = await readLeaks(projection.orderId, range);
      yield openSlotBatch(tools, projection, stored, leaks);
    }
  }

  /** Companies that a blacklist of the order names: they are not written. */
  async function readLeaks(orderId: string, range: Range): Promise<Set<number>> {
    const leaks = await ledger.leaks.read(orderId, range);
    return new Set([...leaks].flatMap(([position, { verdict }]) => (verdict === 'LEAK' ? [position] : [])));
  }
}
