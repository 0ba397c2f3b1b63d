import { z } from 'zod';
import { ownProperties, propertyGroup } from '../src/hubspot/own-properties.ts';
import { toMappedProperties } from '../src/mapping/written-content.ts';
import type { OutcomeTally } from '../src/ledger/record-outcome.ts';
import { keyProperties } from '../src/projection/find-by-key.ts';
import { linkRestored } from '../src/projection/link-contacts.ts';
import { projectSlots } from '../src/projection/project-slots.ts';
import type { Projection } from '../src/projection/projection.ts';
import { openSlotBatches } from '../src/projection/slot-batches.ts';
import { checked, digestSchema, orderIdSchema, rangeSchema, workflowKeySchema } from './checked-input.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { configurationDiffers } from './configured-run.ts';
import { cancellationSignal, recordProgress, resumeFrom } from './activity-heartbeat.ts';

const prepareCrmSchema = z.object({
  /** What a command has read in its configuration; the worker must have the same. */
  mappingVersion: digestSchema.optional(),
});
const projectToCrmSchema = rangeSchema.safeExtend({
  projectionId: workflowKeySchema,
  /** Only what an earlier pass has quarantined, failed, or left out because of that. */
  onlyUnfinished: z.boolean(),
});
const tallyCrmSchema = z.object({ orderId: orderIdSchema, projectionId: workflowKeySchema.optional() });

export interface CrmTally {
  readonly companies: OutcomeTally;
  readonly contacts: OutcomeTally;
  /** Links between people and companies that were missing in HubSpot. */
  readonly restoredLinks?: number;
}

export function createCrmActivities(clients: ActivityDependencies) {
  const { hubspot, ledger, now, configuration } = clients;
  return {
    /** Our own properties are there, the mapped ones can hold what is written, and the token may read and write, before anything is bought. */
    prepareCrm: checked(prepareCrmSchema, async ({ mappingVersion: expected }) => {
      const { mapping, mappingVersion: now } = configuration.crm;
      if (expected !== undefined && expected !== now) throw configurationDiffers('the mapping', { expected, now });
      const created: string[] = [];
      const mustExist = toMappedProperties(mapping);
      for (const type of ['companies', 'contacts'] as const) {
        const request = { group: propertyGroup, properties: ownProperties[type], mustExist };
        created.push(...(await hubspot.properties.ensure(type, request, cancellationSignal())).created);
        const nobody = {
          ids: ['nobody'],
          idProperty: keyProperties[type],
          properties: [],
          signal: cancellationSignal(),
        };
        await hubspot.objects.read(type, nobody);
        await hubspot.objects.requireWriteScope(type, cancellationSignal());
      }
      return { created: created.length };
    }),

    /** Writes one range of slots to the CRM; goes on where the last attempt stood. */
    projectToCrm: checked(projectToCrmSchema, async ({ from, to, ...range }) => {
      const { orderId } = range;
      const plan = configuration.crm;
      const order = await ledger.orders.get(orderId);
      const externalIdsAreRecordIds = order?.externalIdsAreRecordIds ?? false;
      const provenance = { orderId, runName: order?.runName ?? '', mappingVersion: plan.mappingVersion };
      const projection: Projection = { ...range, plan, provenance, externalIdsAreRecordIds };
      const tools = { hubspot, ledger, now, signal: cancellationSignal() };
      const batches = openSlotBatches(tools, projection, { from: resumeFrom(from), to });
      await projectSlots(tools, batches, ({ end }) => recordProgress(end));
      return { projected: to - from };
    }),

    /** How companies and people stand now; with a projection, how many links it had to make a second time. */
    tallyCrm: checked(tallyCrmSchema, async ({ orderId, projectionId }): Promise<CrmTally> => {
      const tally = await ledger.outcomes.tally(orderId, 'hubspot');
      if (projectionId === undefined) return tally;
      const restored = { orderId, sink: 'hubspot', projectionId, rule: linkRestored } as const;
      return { ...tally, restoredLinks: await ledger.outcomes.countByRule(restored) };
    }),
  };
}
