/** Starts child workflows whose id may be in use: after a reset, the children of the earlier run are still running. */
import { WorkflowExecutionAlreadyStartedError, type Workflow, type WorkflowResultType } from '@temporalio/common';
import type { ChildWorkflowHandle } from '@temporalio/workflow';
import type { ActivityTimeouts } from '../src/config/run-plan.ts';
import { pollingActivities } from './activity-options.ts';

/** null when a workflow of that id is running. */
export async function startUnlessRunning<T extends Workflow>(
  start: () => Promise<ChildWorkflowHandle<T>>,
): Promise<ChildWorkflowHandle<T> | null> {
  try {
    return await start();
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return null;
    throw error;
  }
}

interface Attachment {
  readonly workflowId: string;
  readonly timeouts: ActivityTimeouts;
  readonly onAttach: () => void;
}

/**
 * The result of the child, or of the running workflow of its id, so that work is neither repeated nor lost. Cancelling this workflow does
 * not cancel one that it only attached to.
 */
export async function executeOrAttach<T extends Workflow>(
  { workflowId, timeouts, onAttach }: Attachment,
  start: () => Promise<ChildWorkflowHandle<T>>,
): Promise<WorkflowResultType<T>> {
  const child = await startUnlessRunning(start);
  if (child !== null) return child.result();
  onAttach();
  return pollingActivities(timeouts, `wait for ${workflowId}`).awaitResult<T>({ workflowId });
}
