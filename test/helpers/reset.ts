import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';

/** Resets a workflow like `temporal workflow reset --type FirstWorkflowTask` or `LastWorkflowTask`. */
export async function resetWorkflow(client: Client, workflowId: string, to: 'first' | 'last' = 'first') {
  const handle = client.workflow.getHandle(workflowId);
  const { runId } = await handle.describe();
  const { events } = await handle.fetchHistory();
  const tasks = (events ?? []).filter(({ workflowTaskCompletedEventAttributes: task }) => task);
  await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId, runId },
    reason: 'test',
    requestId: randomUUID(),
    workflowTaskFinishEventId: tasks.at(to === 'first' ? 0 : -1)?.eventId ?? null,
  });
}
