/** Children whose id another workflow may hold: after a reset, those of the run before go on. */
import { WorkflowExecutionAlreadyStartedError, type Workflow, type WorkflowResultType } from '@temporalio/common';
import type { ChildWorkflowHandle } from '@temporalio/workflow';
import type { ActivityTimeouts } from '../src/config/run-plan.ts';
import { pollingActivities } from './activity-options.ts';

/** null where a workflow of that id runs already. */
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
  readonly pace: ActivityTimeouts;
  readonly onJoin: () => void;
}

/**
 * The child's result, or that of the workflow of its id that runs already: work is neither done twice nor given up. One
 * that was joined goes on when this one is cancelled, since somebody else may have started it.
 */
export async function executeOrAttach<T extends Workflow>(
  { workflowId, pace, onJoin }: Attachment,
  start: () => Promise<ChildWorkflowHandle<T>>,
): Promise<WorkflowResultType<T>> {
  const child = await startUnlessRunning(start);
  if (child !== null) return child.result();
  onJoin();
  return pollingActivities(pace, `until ${workflowId} has ended`).awaitResult<T>({ workflowId });
}
