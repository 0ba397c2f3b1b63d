import { z } from 'zod';
import { createCompanyItems } from '../src/delivery/crm/company-items.ts';
import type { CreatedItems } from '../src/delivery/mapping/company-item-text.ts';
import { addToLists, checkLists } from '../src/delivery/crm/list-members.ts';
import type { ListReport } from '../src/delivery/mapping/list-names.ts';
import type { OutcomeTally } from '../src/ledger/crm-outcomes.ts';
import { preparePortal } from '../src/delivery/crm/prepare-portal.ts';
import { projectSlots } from '../src/delivery/crm/project-slots.ts';
import { linkRestored, openSlotBatches, type Projection } from '../src/delivery/crm/slot-batch.ts';
import {
  checked,
  digestSchema,
  orderIdSchema,
  rangeSchema,
  runNameSchema,
  workflowKeySchema,
} from './checked-input.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { configurationDiffers, planDelivery } from './configured-run.ts';
import { activityContext, cancellationSignal, recordProgress, resumeFrom } from './activity-heartbeat.ts';

const prepareCrmSchema = z.object({
  /** Version of the mapping that the command read; the worker must have the same. */
  mappingVersion: digestSchema.optional(),
  /** The write scopes are checked as well. After that, the first write of a type shows whether they still exist. */
  beforeOrder: z.boolean().default(false),
  /** The run that orders. */
  runName: runNameSchema.optional(),
});
/** Writes also to records that a newer order has written. */
const forceSchema = z.boolean().default(false);
const projectToCrmSchema = rangeSchema.safeExtend({
  projectionId: workflowKeySchema,
  /** Writes only what earlier passes quarantined, failed, or skipped because of that. */
  onlyUnfinished: z.boolean(),
  force: forceSchema,
});
const addToListsSchema = rangeSchema.safeExtend({ runName: runNameSchema, force: forceSchema });
const createItemsSchema = rangeSchema.safeExtend({ force: forceSchema });
const tallyCrmSchema = z.object({ orderId: orderIdSchema, projectionId: workflowKeySchema.optional() });

export interface CrmTally {
  readonly companies: OutcomeTally;
  readonly contacts: OutcomeTally;
  /** Links between contacts and companies that this projection created again; 0 without a projection. */
  readonly restoredLinks: number;
  /** Records that this projection created in place of those that HubSpot no longer had; 0 without a projection. */
  readonly recreated: number;
  /** Records that were left to newer orders, by order. */
  readonly newerOrders: Readonly<Record<string, number>>;
}

export function createCrmActivities(clients: ActivityDependencies) {
  const { hubspot, ledger, now, configuration } = clients;
  return {
    /**
     * Creates the prospect_sync properties, and checks the mapped properties and the token's scopes. Runs before anything is ordered, and
     * again before the results are written.
     */
    prepareCrm: checked(prepareCrmSchema, async ({ mappingVersion: expected, beforeOrder, runName }) => {
      const { mapping, mappingVersion: now } = configuration.crm;
      if (expected !== undefined && expected !== now) throw configurationDiffers('the mapping', { expected, now });
      const signal = cancellationSignal();
      const created = await preparePortal({ hubspot, ledger, signal }, mapping);
      if (beforeOrder)
        for (const type of ['companies', 'contacts'] as const) await hubspot.objects.requireWriteScope(type, signal);
      const lists = runName === undefined ? null : (configuration.findRun(runName)?.plan.delivery.lists ?? null);
      if (beforeOrder && lists !== null) await checkLists(hubspot, lists, signal);
      return { created };
    }),

    /** Writes one range of slots to HubSpot; a retried attempt resumes from its heartbeat. */
    projectToCrm: checked(projectToCrmSchema, async ({ from, to, ...range }) => {
      const { orderId } = range;
      const plan = configuration.crm;
      const order = await ledger.orders.get(orderId);
      const externalIdsAreRecordIds = order?.externalIdsAreRecordIds ?? false;
      const provenance = { order: await ledger.orderRequests.source(orderId), mappingVersion: plan.mappingVersion };
      const projection: Projection = { ...range, plan, provenance, externalIdsAreRecordIds };
      const dependencies = { hubspot, ledger, now, signal: cancellationSignal() };
      const batches = openSlotBatches(dependencies, projection, { from: resumeFrom(from), to });
      await projectSlots(dependencies, batches, ({ end }) => recordProgress(end));
      return { projected: to - from };
    }),

    /** Adds the written records of one range of slots to the lists of the run; a retried attempt repeats it. */
    addToLists: checked(addToListsSchema, async ({ from, to, force, ...order }): Promise<ListReport[]> => {
      const { lists } = planDelivery(clients, order);
      if (lists === null) return [];
      return addToLists({ hubspot, ledger, ...activityContext() }, { orderId: order.orderId, from, to, force }, lists);
    }),

    /** Creates the notes and tasks of companies in one range of slots; a retried attempt creates what is missing. */
    createCompanyItems: checked(createItemsSchema, async (range): Promise<CreatedItems> => {
      const context = { hubspot, ledger, now, ...activityContext() };
      return createCompanyItems(context, range, configuration.crm.mapping);
    }),

    /** Counts the outcomes of companies and contacts in the ledger; with a projection, also the links that it created again. */
    tallyCrm: checked(tallyCrmSchema, async ({ orderId, projectionId }): Promise<CrmTally> => {
      const newerOrders = await ledger.outcomes.newerOrders(orderId);
      const tally = { ...(await ledger.outcomes.keptTally(orderId)), newerOrders };
      if (projectionId === undefined) return { ...tally, restoredLinks: 0, recreated: 0 };
      const restoredLinks = await ledger.outcomes.countByRule({ orderId, projectionId, rule: linkRestored });
      return { ...tally, restoredLinks, recreated: await ledger.outcomes.countRecreated({ orderId, projectionId }) };
    }),
  };
}
