/** Proves that ledger, CRM and files hold the published results, and writes again what the CRM does not hold. */
import { z } from 'zod';
import { issueCertificate } from '../src/proof/certificate/issue-certificate.ts';
import { toCheckFindings, toSlotChecks } from '../src/proof/checks/check.ts';
import { mergeFindings } from '../src/proof/checks/slot-findings.ts';
import { readDrift } from '../src/proof/report/service-drift.ts';
import { createSample } from '../src/proof/checks/slot-sample.ts';
import { partsOf } from '../src/ledger/stored-slot.ts';
import { slotsPerBatch } from '../src/delivery/crm/slot-batch.ts';
import { nonRetryable } from '../src/base/failures/application-failure.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import {
  activityContext,
  cancellationSignal,
  currentWorkflow,
  heartbeat,
  lastHeartbeat,
} from './activity-heartbeat.ts';
import { checked, countSchema, orderIdSchema, proofSchema, rangeSchema, repairSchema } from './checked-input.ts';
import { assertNotErased } from './erased-order.ts';
import { checkOrder, checkSums, type OrderToProve } from '../src/proof/reconcile/order-proof.ts';
import { addProofs, proveRange, type RangeProof } from '../src/proof/reconcile/range-proof.ts';
import { readBackMembers } from '../src/proof/reconcile/read-back-items.ts';
import { addItems, addRepairs, noRepair, type RepairReport } from '../src/proof/report/read-back-figures.ts';
import { repairRange } from '../src/proof/reconcile/repair-range.ts';

export interface Conclusion extends RangeProof {
  /** Path of the signed certificate. */
  readonly certificate: string;
}

/** Heartbeat details: the next position, and the proof of the positions before it. */
const progressSchema = z.object({ next: countSchema, proof: proofSchema });
/** Heartbeat details: the next position, and what was repaired before it. */
const repairProgressSchema = z.object({ next: countSchema, repair: repairSchema });

const openOrderSchema = z.object({ orderId: orderIdSchema });
/** `crm`: records were written. `sample`: number of slots whose records are read back; default: all. */
const reconcileRangeSchema = rangeSchema.safeExtend({ crm: z.boolean(), sample: countSchema.optional() });
const concludeSchema = z.object({ orderId: orderIdSchema, proofs: z.array(proofSchema) });

export function createReconcileActivities(dependencies: ActivityDependencies) {
  const { prospecting, ledger, now, configuration } = dependencies;
  const context = () => ({ ...dependencies, ...activityContext() });
  return {
    /** Reads the order from the ledger. @throws OrderNotCollected, non-retryable */
    openOrder: checked(openOrderSchema, async ({ orderId }) => {
      await assertNotErased(ledger, orderId);
      const order = await readOrder(orderId);
      const { companies } = await ledger.outcomes.tally(orderId);
      // After a second delivery by a run without a CRM, the order still has the outcomes of its first delivery.
      const crm = order.delivery?.crm === true || Object.values(companies).some((count) => count > 0);
      const { total, kind, runName, externalIdsAreRecordIds } = order;
      return { total, kind, runName, crm, externalIdsAreRecordIds };
    }),

    /** Resumes from the last heartbeat. */
    reconcileRange: checked(
      reconcileRangeSchema,
      async ({ orderId, from, to: end, crm, sample: size = null }): Promise<RangeProof> => {
        const total = (await ledger.orders.get(orderId))?.total ?? 0;
        const to = Math.min(end, total);
        const sample = createSample(orderId, total, size);
        const progress = lastHeartbeat(progressSchema) ?? { next: from, proof: { reconciled: 0, findings: [] } };
        let proof: RangeProof = progress.proof;
        for (const part of partsOf({ from: progress.next, to }, slotsPerBatch)) {
          const batch = { orderId, ...part };
          proof = addProofs([proof, await proveRange(context(), batch, crm ? sample : null)]);
          heartbeat({ next: batch.to, proof });
        }
        return proof;
      },
    ),

    /**
     * Writes wrong values again, and reopens the rows of missing records for a projection. Edited values and deleted records
     * stay as they are. Resumes from the last heartbeat.
     */
    repairRecords: checked(rangeSchema, async ({ orderId, from, to: end }): Promise<RepairReport> => {
      const to = Math.min(end, (await ledger.orders.get(orderId))?.total ?? 0);
      const progress = lastHeartbeat(repairProgressSchema) ?? { next: from, repair: noRepair };
      const { workflowId, runId } = currentWorkflow();
      const repairId = `${workflowId}#${runId}/repair`;
      let repair: RepairReport = progress.repair;
      for (const part of partsOf({ from: progress.next, to }, slotsPerBatch)) {
        const batch = { orderId, ...part };
        repair = addRepairs(repair, await repairRange({ ...context(), repairId }, batch));
        heartbeat({ next: batch.to, repair });
      }
      return repair;
    }),

    /** Reads the order again, checks sums, outputs and files, and stores the certificate. */
    concludeReconciliation: checked(concludeSchema, async ({ orderId, proofs }): Promise<Conclusion> => {
      const order = await readOrder(orderId);
      const { reconciled, readBack: ofRecords, erased, findings: inRanges } = addProofs(proofs);
      const readBack =
        ofRecords === undefined
          ? undefined
          : { ...ofRecords, items: addItems(ofRecords.items, await readBackMembers(context(), orderId)) };
      const byStatus = await ledger.slots.countByStatus(orderId);
      const sums = await checkSums(context(), order, byStatus);
      const { path: certificate, findings } = await issueCertificate(
        { ledger, configuration, signal: cancellationSignal() },
        {
          order,
          workflow: currentWorkflow(),
          reconciled,
          checks: [...sums, ...toSlotChecks(order.total, inRanges)],
          readBack: readBack ?? null,
          drift: await readDrift(ledger, prospecting),
          findings: mergeFindings([inRanges, toCheckFindings(sums), ...(await checkOrder(context(), order, byStatus))]),
          at: now(),
        },
      );
      return {
        reconciled,
        findings,
        certificate,
        ...(readBack === undefined ? {} : { readBack }),
        ...(erased === undefined ? {} : { erased }),
      };
    }),
  };

  /** @throws OrderNotCollected, non-retryable */
  async function readOrder(orderId: string): Promise<OrderToProve> {
    const order = await ledger.orders.get(orderId);
    if (order !== undefined && order.total !== null) return { ...order, total: order.total };
    throw nonRetryable('OrderNotCollected', `the results of order ${orderId} are not in the ledger`);
  }
}
