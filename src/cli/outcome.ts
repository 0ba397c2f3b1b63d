/** Waits for a workflow as a person at a terminal would: with its progress, and free to leave at any time. */
import {
  WorkflowFailedError,
  type Client,
  type WorkflowExecutionDescription,
  type WorkflowHandle,
} from '@temporalio/client';
import {
  ApplicationFailure,
  CancelledFailure,
  TerminatedFailure,
  type Workflow,
  type WorkflowResultType,
} from '@temporalio/common';
import type { RunReport, runProspecting } from '../../workflows/run-prospecting.ts';
import { rootOf } from '../failures/root.ts';
import { orderAttribute } from '../search-attributes.ts';
import { followWorkflow } from './progress.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';

/** The workflow's result. A signal ends the waiting, not the workflow. */
export async function awaitOutcome<T extends Workflow>(
  terminal: Terminal,
  client: Client,
  label: string,
  handle: WorkflowHandle<T>,
): Promise<WorkflowResultType<T>> {
  const followed = await handle.describe();
  const result = client.workflow.getHandle<T>(handle.workflowId, followed.runId).result();
  result.catch(() => {}); // nobody waits for it any more after a signal
  const ended = Promise.race([result, terminal.interrupted.then(() => {})]);
  await followWorkflow(terminal, client, label, handle.workflowId, ended);
  await ended.catch(() => {});
  const signal = await Promise.race([terminal.interrupted, Promise.resolve(null)]);
  if (signal !== null) {
    throw new CommandError(
      `${signal}: ${handle.workflowId} goes on where it stands as soon as a worker runs; the same command joins it as long as it goes on`,
    );
  }
  return result.catch(async (error: unknown) => {
    if (!(error instanceof WorkflowFailedError)) throw error;
    const root = rootOf(error.cause);
    if (root instanceof TerminatedFailure && (await isReset(client, followed))) {
      terminal.say(`${handle.workflowId} was reset; following its new run`);
      return awaitOutcome(terminal, client, label, client.workflow.getHandle<T>(handle.workflowId));
    }
    throw new CommandError(`${handle.workflowId} ended without success: ${toText(root)}`, exitCodes.failed, root);
  });
}

/** A reset ends a run as terminated, and begins another of the same chain. */
async function isReset(client: Client, ended: WorkflowExecutionDescription): Promise<boolean> {
  const newest = await client.workflow.getHandle(ended.workflowId).describe();
  return newest.runId !== ended.runId && firstRunOf(newest) === firstRunOf(ended);
}

const firstRunOf = ({ raw }: WorkflowExecutionDescription) => raw.workflowExecutionInfo?.firstRunId;

/** As `awaitOutcome`; a run that failed with its order placed says how that order goes on, since a new run would buy again. */
export async function awaitRun(
  terminal: Terminal,
  client: Client,
  name: string,
  handle: WorkflowHandle<typeof runProspecting>,
): Promise<RunReport> {
  try {
    return await awaitOutcome(terminal, client, name, handle);
  } catch (error) {
    // Failures of this family are the order's own end: REJECTED, FAILED and the like.
    const isOrdersEnd =
      error instanceof CommandError &&
      error.cause instanceof ApplicationFailure &&
      error.cause.type?.startsWith('Order');
    if (!(error instanceof CommandError) || isOrdersEnd) throw error;
    const { typedSearchAttributes, status } = await handle.describe();
    const orderId = typedSearchAttributes.get(orderAttribute);
    if (orderId === undefined || status.name !== 'FAILED') throw error;
    const wayOut = `Order ${orderId} exists: once the cause is mended, prospect-sync ingest ${orderId} --run ${name} goes on with it`;
    throw new CommandError(`${error.message}\n${wayOut}; a new run would place another order.`);
  }
}

function toText(failure: Error | undefined): string {
  if (failure instanceof CancelledFailure) return 'it was cancelled';
  if (failure instanceof TerminatedFailure) return 'it was terminated';
  return failure?.message ?? 'no reason was given';
}
