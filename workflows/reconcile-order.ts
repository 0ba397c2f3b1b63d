import { upsertSearchAttributes } from '@temporalio/workflow';
import type { RangeProof } from '../activities/reconcile-activities.ts';
import type { Finding } from '../src/report/order-report.ts';
import type { ActivityTimeouts } from '../src/config/run-plan.ts';
import { kindAttribute, runAttributePairs } from '../src/temporal/search-attributes.ts';
import { shortActivities, batchActivities } from './activity-options.ts';
import { withProgress } from './with-progress.ts';
import type { ProgressReporter } from './progress-query.ts';
import { toRanges } from './slot-ranges.ts';

export interface ReconcileOrder {
  readonly orderId: string;
  readonly pace: Pick<ActivityTimeouts, 'heartbeatTimeoutMs'>;
}

export interface Proof {
  readonly reconciled: number;
  readonly findings: readonly Finding[];
  /** Path of the signed certificate; absent in the results of earlier releases. */
  readonly certificate?: string;
}

/** Proves that ledger, CRM and files hold the published results. Does not read the legacy deliveries listing. */
export function reconcileOrder(input: ReconcileOrder): Promise<Proof> {
  return withProgress((progress) => reconcile(input, progress));
}

async function reconcile({ orderId, pace }: ReconcileOrder, { setStage, finish }: ProgressReporter): Promise<Proof> {
  const work = batchActivities(pace);
  const { total, kind, runName, crm } = await shortActivities(pace).openOrder.executeWithOptions(
    { summary: 'order in the ledger' },
    [{ orderId }],
  );
  upsertSearchAttributes([{ key: kindAttribute, value: kind }, ...runAttributePairs(runName)]);
  const proofs: RangeProof[] = [];
  for (const range of toRanges(total)) {
    setStage('comparing', { slots: total, compared: range.from });
    proofs.push(
      await work.reconcileRange.executeWithOptions({ summary: `slots ${range.label}` }, [
        { orderId, from: range.from, to: range.to, crm },
      ]),
    );
  }
  setStage('checking sums', { compared: total });
  const proof = await work.concludeReconciliation.executeWithOptions(
    { summary: `sums of ${total} slots, outputs and files` },
    [{ orderId, proofs }],
  );
  finish(proof.findings, { reconciled: proof.reconciled });
  return proof;
}
