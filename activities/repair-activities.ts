/** Writes values again that the CRM does not hold as they were written. */
import { z } from 'zod';
import { partsOf } from '../src/ledger/stored-slot.ts';
import { slotsPerBatch } from '../src/delivery/crm/slot-batch.ts';
import { addRepairs, noRepair, type RepairReport } from '../src/proof/report/read-back-figures.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { activityContext, currentWorkflow, heartbeat, lastHeartbeat } from './activity-heartbeat.ts';
import { checked, countSchema, rangeSchema, repairSchema } from './checked-input.ts';
import { repairRange } from '../src/proof/reconcile/repair-range.ts';

const progressSchema = z.object({ next: countSchema, repair: repairSchema });

export function createRepairActivities(dependencies: ActivityDependencies) {
  const { ledger } = dependencies;
  return {
    /**
     * Writes wrong values again, and reopens the rows of missing records for a projection. Edited values and deleted records
     * stay as they are. Resumes from the last heartbeat.
     */
    repairRecords: checked(rangeSchema, async ({ orderId, from, to: end }): Promise<RepairReport> => {
      const to = Math.min(end, (await ledger.orders.get(orderId))?.total ?? 0);
      const progress = lastHeartbeat(progressSchema) ?? { next: from, repair: noRepair };
      const { workflowId, runId } = currentWorkflow();
      const repairId = `${workflowId}#${runId}/repair`;
      let repair: RepairReport = progress.repair;
      for (const part of partsOf({ from: progress.next, to }, slotsPerBatch)) {
        const batch = { orderId, ...part };
        repair = addRepairs(repair, await repairRange({ ...dependencies, ...activityContext(), repairId }, batch));
        heartbeat({ next: batch.to, repair });
      }
      return repair;
    }),
  };
}
