/** Two runs of one name never order at once. Part of runProspecting. */
import { startChild, workflowInfo, type ChildWorkflowHandle } from '@temporalio/workflow';
import type { EarlierRunPlan } from '../src/config/run-plan.ts';
import { kindAttribute, runAttribute } from '../src/temporal/search-attributes.ts';
import { toOrderingWorkflowId } from '../src/temporal/workflow-ids.ts';
import { describeOrdering } from '../src/temporal/workflow-texts.ts';
import { pollingActivities } from './activity-options.ts';
import { startUnlessRunning } from './start-or-attach.ts';
import { orderCompanies, type OrderRun } from './order-companies.ts';

/**
 * Orders, once no other run of that name does: the child's id can be held by one workflow at a time, and Temporal gives
 * it free however that one ends, also when its run is terminated. `onWait` is told the id.
 */
export async function orderOneAtATime(input: OrderRun, plan: EarlierRunPlan, onWait: (orderingId: string) => void) {
  const orderingId = toOrderingWorkflowId(workflowInfo().taskQueue, plan.runName);
  let child: ChildWorkflowHandle<typeof orderCompanies> | null = null;
  while (child === null) {
    child = await startUnlessHeld(orderingId, input, plan);
    if (child !== null) break;
    onWait(orderingId);
    await pollingActivities(plan.pace).awaitTurn.executeWithOptions({ summary: `until ${orderingId} is free` }, [
      { orderingId },
    ]);
  }
  return child.result();
}

function startUnlessHeld(workflowId: string, input: OrderRun, plan: EarlierRunPlan) {
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
