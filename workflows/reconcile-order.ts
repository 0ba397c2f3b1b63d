import { upsertSearchAttributes } from '@temporalio/workflow';
import type { RangeProof } from '../activities/reconcile.ts';
import type { Finding } from '../src/report/order-report.ts';
import type { Pace } from '../src/config/run-plan.ts';
import { kindAttribute, ofRun } from '../src/temporal/search-attributes.ts';
import { calls, chunks } from './activity-calls.ts';
import { observed } from './observed.ts';
import type { View } from './progress.ts';
import { toRanges } from './ranges.ts';

export interface ReconcileOrder {
  readonly orderId: string;
  readonly pace: Pick<Pace, 'heartbeatTimeoutMs'>;
}

export interface Proof {
  readonly reconciled: number;
  readonly findings: readonly Finding[];
}

/** Proves that ledger, CRM and files hold what the orders API publishes. The legacy deliveries listing is never asked. */
export function reconcileOrder(input: ReconcileOrder): Promise<Proof> {
  return observed((view) => reconcile(input, view));
}

async function reconcile({ orderId, pace }: ReconcileOrder, { report, conclude }: View): Promise<Proof> {
  const work = chunks(pace);
  const { total, kind, runName, crm } = await calls(pace).openOrder.executeWithOptions(
    { summary: 'what the ledger holds' },
    [{ orderId }],
  );
  upsertSearchAttributes([{ key: kindAttribute, value: kind }, ...ofRun(runName)]);
  const proofs: RangeProof[] = [];
  for (const range of toRanges(total)) {
    report('comparing', { slots: total, compared: range.from });
    proofs.push(
      await work.reconcileRange.executeWithOptions({ summary: `slots ${range.label}` }, [
        { orderId, from: range.from, to: range.to, crm },
      ]),
    );
  }
  report('asserting the sums', { compared: total });
  const proof = await work.concludeReconciliation.executeWithOptions(
    { summary: `sums of ${total} slots, and the files` },
    [{ orderId, proofs }],
  );
  conclude(proof.findings, { reconciled: proof.reconciled });
  return proof;
}
