import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { RangeProof } from '../src/proof/reconcile/range-proof.ts';
import type { Finding } from '../src/proof/report/order-report.ts';
import {
  addRepairs,
  noRepair,
  type ReadBackFigures,
  type RepairReport,
} from '../src/proof/report/read-back-figures.ts';
import { kindAttribute, runAttributePairs } from '../src/temporal/search-attributes.ts';
import { shortActivities, batchActivities, prepareCrmSummary } from './activity-options.ts';
import { withProgress } from './with-progress.ts';
import type { ProgressReporter } from './progress-query.ts';
import { toRanges } from './slot-ranges.ts';

export interface ReconcileOrder {
  readonly orderId: string;
  /** Number of slots whose CRM records are read back; default: all. */
  readonly sample?: number;
  /** Write wrong and missing records again before they are compared. The worker's mapping must be the same. */
  readonly repair?: { readonly mappingVersion: string };
}

export interface Proof {
  readonly reconciled: number;
  readonly findings: readonly Finding[];
  /** Path of the signed certificate. */
  readonly certificate: string;
  /** Figures of the CRM records; absent if none was written. */
  readonly readBack?: ReadBackFigures | undefined;
  /** Slots from which `forget` or retention erased data; absent if there are none. */
  readonly erased?: number | undefined;
  /** Absent unless it was requested and records were written. */
  readonly repair?: RepairReport;
}

/** Proves that ledger, CRM and files hold the published results. Does not read the legacy deliveries listing. */
export function reconcileOrder(input: ReconcileOrder): Promise<Proof> {
  return withProgress((progress) => reconcile(input, progress));
}

async function reconcile(
  { orderId, sample, repair }: ReconcileOrder,
  { setStage, finish }: ProgressReporter,
): Promise<Proof> {
  const { total, kind, runName, crm } = await shortActivities.openOrder.executeWithOptions(
    { summary: 'order in the ledger' },
    [{ orderId }],
  );
  upsertSearchAttributes([{ key: kindAttribute, value: kind }, ...runAttributePairs(runName)]);
  const repaired = repair === undefined || !crm ? {} : { repair: await repairRecords(repair) };
  const proofs: RangeProof[] = [];
  for (const range of toRanges(total)) {
    setStage('comparing', { slots: total, compared: range.from });
    proofs.push(
      await batchActivities.reconcileRange.executeWithOptions({ summary: `slots ${range.label}` }, [
        { orderId, from: range.from, to: range.to, crm, ...(sample === undefined ? {} : { sample }) },
      ]),
    );
  }
  setStage('checking sums', { compared: total });
  const proof = await batchActivities.concludeReconciliation.executeWithOptions(
    { summary: `sums of ${total} slots, outputs and files` },
    [{ orderId, proofs }],
  );
  finish(proof.findings, { reconciled: proof.reconciled });
  return { ...proof, ...repaired };

  async function repairRecords({ mappingVersion }: NonNullable<ReconcileOrder['repair']>): Promise<RepairReport> {
    // A property that was archived in HubSpot would refuse every value.
    await batchActivities.prepareCrm.executeWithOptions({ summary: prepareCrmSummary }, [{ mappingVersion }]);
    let repaired = noRepair;
    for (const range of toRanges(total)) {
      setStage('repairing', { slots: total, repaired: range.from });
      const summary = `wrong and missing records of slots ${range.label}`;
      const { from, to } = range;
      repaired = addRepairs(
        repaired,
        await batchActivities.repairRecords.executeWithOptions({ summary }, [{ orderId, from, to }]),
      );
    }
    if (repaired.reopened > 0) await recreateRecords();
    return repaired;
  }

  /** Works like a retry of failed rows, because the files contain the ids of the new records. */
  async function recreateRecords(): Promise<void> {
    const { workflowId, originalExecutionRunId } = workflowInfo();
    const projectionId = `${workflowId}#${originalExecutionRunId}`;
    for (const { from, to, label } of toRanges(total)) {
      await batchActivities.projectToCrm.executeWithOptions({ summary: `missing records of slots ${label}` }, [
        { orderId, projectionId, onlyUnfinished: true, from, to },
      ]);
    }
    await batchActivities.rewriteSpreadsheets.executeWithOptions({ summary: `files of ${total} slots` }, [{ orderId }]);
  }
}
