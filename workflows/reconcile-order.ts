import { upsertSearchAttributes } from '@temporalio/workflow';
import type { RangeProof } from '../activities/reconcile.ts';
import { outcomeOf, type Finding } from '../src/order-report.ts';
import type { Pace } from '../src/run-plan.ts';
import { outcomeAttribute } from '../src/search-attributes.ts';
import { calls, chunks } from './activity-calls.ts';
import { reportProgress } from './progress.ts';
import { toRanges } from './ranges.ts';

export interface ReconcileOrder {
  readonly orderId: string;
  readonly pace: Pace;
}

export interface Proof {
  readonly reconciled: number;
  readonly findings: readonly Finding[];
}

/** Proves that ledger, CRM and files hold what the orders API publishes. The legacy deliveries listing is never asked. */
export async function reconcileOrder({ orderId, pace }: ReconcileOrder): Promise<Proof> {
  const work = chunks(pace);
  const report = reportProgress();
  const { total, crm } = await calls().openOrder({ orderId });
  const proofs: RangeProof[] = [];
  for (const range of toRanges(total)) {
    report('comparing', { slots: total, compared: range.from });
    proofs.push(
      await work.reconcileRange.executeWithOptions({ summary: `slots ${range.label} of ${total}` }, [
        { orderId, from: range.from, to: range.to, crm },
      ]),
    );
  }
  report('asserting the sums', { compared: total });
  const proof = await work.concludeReconciliation({ orderId, proofs });
  upsertSearchAttributes([{ key: outcomeAttribute, value: outcomeOf(proof.findings) }]);
  report('done', { reconciled: proof.reconciled, findings: proof.findings.length });
  return proof;
}
