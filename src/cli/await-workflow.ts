/** Waits for a workflow and shows its progress. A signal ends the waiting, not the workflow. */
import {
  ServiceError,
  WorkflowFailedError,
  WorkflowNotFoundError,
  isGrpcServiceError,
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
import { rootCause } from '../base/failures/application-failure.ts';
import { reasonOfTemporal } from '../temporal/schedules/schedule-errors.ts';
import { orderAttribute } from '../temporal/search-attributes.ts';
import type { Started } from '../worker/start-workflows.ts';
import { followWorkflow } from './progress-bar.ts';
import { withSentence } from '../base/text/normalize-text.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';
import { toPrintable } from '../base/text/printable-text.ts';

type Ended<T extends Workflow> = { readonly result: WorkflowResultType<T> } | { readonly failure: Error | undefined };

/**
 * The workflow that `starting` starts or attaches to. Waits while Temporal is unavailable; a signal ends the waiting.
 * `runName`: set for a run, which must not be started twice.
 */
export async function beginWorkflow<T extends Workflow>(
  terminal: Terminal,
  starting: Promise<Started<T>>,
  runName: string | null = null,
): Promise<Started<T>> {
  const begun = await orSignal(terminal, starting).catch((error: unknown) => {
    if (!isTemporalError(error)) throw error;
    throw new CommandError(
      `Temporal did not start the workflow: ${reasonOfTemporal(error)}. It may have been started. ${toNextSteps(runName)}`,
    );
  });
  if ('signal' in begun) {
    const unknown = 'Temporal has not answered whether the workflow was started';
    throw new CommandError(`${begun.signal}: ${unknown}. It may be in progress. ${toNextSteps(runName)}`);
  }
  const { handle, joined } = begun.value;
  terminal.say(`${joined ? 'attached to' : 'started'} ${handle.workflowId}`);
  return begun.value;
}

/** The workflow's result, through any outage of Temporal. A signal ends the waiting, not the workflow. */
export async function awaitResult<T extends Workflow>(
  terminal: Terminal,
  client: Client,
  label: string,
  handle: WorkflowHandle<T>,
): Promise<WorkflowResultType<T>> {
  const ended = await awaitEnd(terminal, client, label, handle);
  if ('result' in ended) return ended.result;
  throw toFailure(handle, ended.failure);
}

/** Like `awaitResult`; if a run fails or is cancelled after it placed its order, the message explains how to continue that order, since a new run would place another one. */
export async function awaitRun(
  terminal: Terminal,
  client: Client,
  name: string,
  handle: WorkflowHandle<typeof runProspecting>,
): Promise<RunReport> {
  const ended = await awaitEnd(terminal, client, name, handle);
  if ('result' in ended) return ended.result;
  const error = toFailure(handle, ended.failure);
  // These failures are final states of the order, such as REJECTED and FAILED.
  if (ended.failure instanceof ApplicationFailure && ended.failure.type?.startsWith('Order')) throw error;
  const described = await orSignal(terminal, handle.describe());
  if ('signal' in described) throw error;
  const { typedSearchAttributes, status } = described.value;
  const orderId = typedSearchAttributes.get(orderAttribute);
  if (orderId === undefined) throw error;
  if (status.name !== 'FAILED') throw new CommandError(withSentence(error.message, toCollectLater(orderId, name)));
  throw new CommandError(
    `${error.message}\nOrder ${orderId} exists, and a new run would place another one. Fix the cause, then continue it with: prospect-sync ingest ${orderId} --run ${name}`,
  );
}

/** Describes the state of the order of a cancelled or terminated run. `runName` null: not known. */
export function toCollectLater(orderId: string, runName: string | null): string {
  const delivering = runName === null ? '' : ` --run ${runName}`;
  return `Its order ${orderId} stays placed and is paid for. To collect it: prospect-sync ingest ${orderId}${delivering}`;
}

async function awaitEnd<T extends Workflow>(
  terminal: Terminal,
  client: Client,
  label: string,
  handle: WorkflowHandle<T>,
): Promise<Ended<T>> {
  const { workflowId } = handle;
  // A call in progress keeps the process from ending.
  const calls = new AbortController();
  try {
    const followed = await unlessSignal(terminal, workflowId, handle.describe());
    const followedHandle = client.workflow.getHandle<T>(workflowId, followed.runId);
    const result = client.withAbortSignal(calls.signal, () => followedHandle.result());
    const ended = unlessSignal(terminal, workflowId, result);
    await followWorkflow(terminal, client, label, workflowId, ended);
    try {
      return { result: await ended };
    } catch (error) {
      if (!(error instanceof WorkflowFailedError)) throw error;
      const failure = rootCause(error.cause);
      const isReset =
        failure instanceof TerminatedFailure && (await unlessSignal(terminal, workflowId, hasNewRun(client, followed)));
      if (!isReset) return { failure };
    }
  } catch (error) {
    if (!isTemporalError(error)) throw error;
    const lost = `Waiting for ${workflowId} failed: ${reasonOfTemporal(error)}. It may still be in progress`;
    throw new CommandError(`${lost}. ${toNextSteps(runNameOf(workflowId))}`, exitCodes.failed, error);
  } finally {
    calls.abort();
  }
  terminal.say(`${workflowId} was reset; following its new run`);
  return awaitEnd(terminal, client, label, client.workflow.getHandle<T>(workflowId));
}

/** A reset terminates a run and starts another one in the same chain. */
async function hasNewRun(client: Client, ended: WorkflowExecutionDescription): Promise<boolean> {
  const newest = await client.workflow.getHandle(ended.workflowId).describe();
  return newest.runId !== ended.runId && firstRunOf(newest) === firstRunOf(ended);
}

const firstRunOf = ({ raw }: WorkflowExecutionDescription) => raw.workflowExecutionInfo?.firstRunId;

async function unlessSignal<T>(terminal: Terminal, workflowId: string, answer: Promise<T>): Promise<T> {
  const answered = await orSignal(terminal, answer);
  if ('value' in answered) return answered.value;
  const continues = `${workflowId} continues in Temporal as soon as a worker runs`;
  throw new CommandError(`${answered.signal}: stopped waiting. ${continues}. ${toNextSteps(runNameOf(workflowId))}`);
}

function orSignal<T>(
  terminal: Terminal,
  answer: Promise<T>,
): Promise<{ readonly value: T } | { readonly signal: NodeJS.Signals }> {
  return Promise.race([answer.then((value) => ({ value })), terminal.interrupted.then((signal) => ({ signal }))]);
}

function toNextSteps(runName: string | null): string {
  const attaches = 'The same command attaches to it while it is in progress';
  return runName === null
    ? `${attaches}.`
    : `${attaches}; afterwards it would place another order, so look first: prospect-sync status ${runName}. To stop it: prospect-sync cancel ${runName}`;
}

/** `run/dach-weekly/2026-11-23`. */
function runNameOf(workflowId: string): string | null {
  return /^run\/([^/]+)/.exec(workflowId)?.[1] ?? null;
}

function isTemporalError(error: unknown): error is Error {
  return error instanceof ServiceError || error instanceof WorkflowNotFoundError || isGrpcServiceError(error);
}

function toFailure({ workflowId }: WorkflowHandle, failure: Error | undefined): CommandError {
  return new CommandError(`${workflowId} failed: ${toText(failure)}`, exitCodes.failed, failure);
}

function toText(failure: Error | undefined): string {
  if (failure instanceof CancelledFailure) return 'it was cancelled';
  if (failure instanceof TerminatedFailure) return 'it was terminated';
  return failure === undefined ? 'no reason was given' : toPrintable(failure.message);
}
