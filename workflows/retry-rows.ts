import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { CrmPlan } from '../src/mapping/crm-plan.ts';
import { outcomeOf, toCrmFindings, type Finding, type OutcomeTally } from '../src/order-report.ts';
import type { Pace } from '../src/run-plan.ts';
import { outcomeAttribute } from '../src/search-attributes.ts';
import { calls, chunks } from './activity-calls.ts';
import { reportProgress } from './progress.ts';
import { toRanges } from './ranges.ts';

export interface RetryRows {
  readonly orderId: string;
  readonly plan: CrmPlan;
  readonly pace: Pace;
}

export interface RetryReport {
  readonly crm: { readonly companies: OutcomeTally; readonly contacts: OutcomeTally };
  /** What is still quarantined or failed. */
  readonly findings: readonly Finding[];
}

/** Writes once more what an earlier pass has quarantined or failed, from the ledger alone: the service is not asked. */
export async function retryRows({ orderId, plan, pace }: RetryRows): Promise<RetryReport> {
  const { workflowId, originalExecutionRunId } = workflowInfo();
  const work = chunks(pace);
  const report = reportProgress();
  const { total, externalIdsAreRecordIds } = await calls().openOrder({ orderId });
  await work.prepareCrm({ plan });
  for (const range of toRanges(total)) {
    report('writing to the CRM', { slots: total, looked: range.to });
    await work.projectToCrm.executeWithOptions({ summary: `open rows of slots ${range.label}` }, [
      {
        orderId,
        projectionId: `${workflowId}#${originalExecutionRunId}`,
        plan,
        externalIdsAreRecordIds,
        onlyUnfinished: true,
        from: range.from,
        to: range.to,
      },
    ]);
  }
  const crm = await calls().tallyCrm({ orderId });
  const findings = toCrmFindings(crm);
  upsertSearchAttributes([{ key: outcomeAttribute, value: outcomeOf(findings) }]);
  report('done', { findings: findings.length });
  return { crm, findings };
}
