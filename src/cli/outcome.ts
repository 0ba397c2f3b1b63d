/** Waits for a workflow as a person at a terminal would: with its progress, and free to leave at any time. */
import { WorkflowFailedError, type Client, type WorkflowHandle } from '@temporalio/client';
import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  ChildWorkflowFailure,
  TerminatedFailure,
  type Workflow,
  type WorkflowResultType,
} from '@temporalio/common';
import { followWorkflow } from './progress.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** The workflow's result. A signal ends the waiting, not the workflow. */
export async function awaitOutcome<T extends Workflow>(
  terminal: Terminal,
  client: Client,
  label: string,
  handle: WorkflowHandle<T>,
): Promise<WorkflowResultType<T>> {
  const result = handle.result();
  const ended = Promise.race([result, terminal.interrupted.then(() => {})]);
  await followWorkflow(terminal, client, label, handle.workflowId, ended);
  await ended.catch(() => {});
  const signal = await Promise.race([terminal.interrupted, Promise.resolve(null)]);
  if (signal !== null) {
    throw new CommandError(
      `${signal}: ${handle.workflowId} goes on where it stands as soon as a worker runs; the same command joins it`,
    );
  }
  return result.catch((error: unknown) => {
    if (!(error instanceof WorkflowFailedError)) throw error;
    throw new CommandError(`${handle.workflowId} ended without success: ${rootMessage(error.cause)}`);
  });
}

/** The message at the bottom of a chain of failures: activity and child failures only say that there is one. */
function rootMessage(failure: Error | undefined): string {
  if (failure instanceof ActivityFailure || failure instanceof ChildWorkflowFailure) return rootMessage(failure.cause);
  if (failure instanceof ApplicationFailure) return failure.message;
  if (failure instanceof CancelledFailure) return 'it was cancelled';
  return failure instanceof TerminatedFailure ? 'it was terminated' : (failure?.message ?? 'no reason was given');
}
