/** Starts child workflows whose id may be in use: after a reset, the children of the earlier run are still running. */
import { WorkflowExecutionAlreadyStartedError, type Workflow, type WorkflowResultType } from '@temporalio/common';
import { proxyActivities, type ChildWorkflowHandle } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { pollingOptions } from './activity-options.ts';

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
  readonly onAttach: () => void;
}

/**
 * The result of the child, or of the running workflow of its id, so that work is neither repeated nor lost. Cancelling this workflow does
 * not cancel one that it only attached to.
 */
export async function executeOrAttach<T extends Workflow>(
  { workflowId, onAttach }: Attachment,
  start: () => Promise<ChildWorkflowHandle<T>>,
): Promise<WorkflowResultType<T>> {
  const child = await startUnlessRunning(start);
  if (child !== null) return child.result();
  onAttach();
  const { awaitResult } = proxyActivities<Activities>({ ...pollingOptions, summary: `wait for ${workflowId}` });
  return awaitResult<T>({ workflowId });
}
