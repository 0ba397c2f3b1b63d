/** Runs of one name place their orders one after another. Part of runProspecting. */
import { startChild, workflowInfo, type ChildWorkflowHandle } from '@temporalio/workflow';
import type { RunPlan } from '../src/config/run-plan.ts';
import { toOrderingWorkflowId } from '../src/temporal/workflow-ids.ts';
import { kindAttribute, runAttribute } from '../src/temporal/search-attributes.ts';
import { describeOrdering } from '../src/temporal/workflow-texts.ts';
import { pollingActivities } from './activity-options.ts';
import { startUnlessRunning } from './start-or-attach.ts';
import { orderCompanies, type OrderRun } from './order-companies.ts';

/**
 * Places the order as soon as no other run of that name does. The child's id serves as the lock: Temporal releases it however the child
 * ends, also by termination.
 */
export async function orderOneAtATime(input: OrderRun, plan: RunPlan, onWait: (orderingId: string) => void) {
  const orderingId = toOrderingWorkflowId(workflowInfo().taskQueue, plan.runName);
  let child: ChildWorkflowHandle<typeof orderCompanies> | null = null;
  while (child === null) {
    child = await startOrdering(orderingId, input, plan);
    if (child !== null) break;
    onWait(orderingId);
    await pollingActivities.awaitTurn.executeWithOptions({ summary: `wait for ${orderingId}` }, [{ orderingId }]);
  }
  return child.result();
}

function startOrdering(workflowId: string, input: OrderRun, plan: RunPlan) {
  return startUnlessRunning(() =>
    startChild(orderCompanies, {
      workflowId,
      args: [input],
      ...describeOrdering(plan),
      typedSearchAttributes: [
        { key: runAttribute, value: plan.runName },
        { key: kindAttribute, value: plan.kind },
      ],
    }),
  );
}
