/** Cancels a run in progress. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isGrpcServiceError, WorkflowNotFoundError, type Client, type WorkflowHandle } from '@temporalio/client';
import { findRunInProgress } from '../worker/start-workflows.ts';
import { orderAttribute, runAttribute } from '../temporal/search-attributes.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { toCollectLater } from './await-workflow.ts';
import type { GlobalOptions } from './configuration.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';
import { withTemporal } from './with-runtime.ts';

export interface Cancellation {
  readonly workflowId: string;
  /** False: no worker has processed the request yet. */
  readonly isEnded: boolean;
  /** The order that the run has placed; null: none, as far as Temporal knows. */
  readonly orderId: string | null;
  /** null: not known to Temporal. */
  readonly runName: string | null;
}

/** A worker usually processes a cancellation within a second. */
const waitForEndMs = 15_000;

/**
 * @param what the name of a run, or the id of a workflow: `run/NAME/…`, `order/ID`
 * @throws {CommandError} if no such run is in progress
 */
export function cancel(terminal: Terminal, options: GlobalOptions, what: string): Promise<Cancellation> {
  return withTemporal(terminal, options, async ({ client, queue }) => {
    const handle = await findHandle(client, what, queue);
    await handle.cancel();
    const isEnded = await hasEnded(handle);
    const { typedSearchAttributes: attributes } = await handle.describe();
    const [orderId, runName] = [attributes.get(orderAttribute) ?? null, attributes.get(runAttribute) ?? null];
    return { workflowId: handle.workflowId, isEnded, orderId, runName };
  });
}

async function findHandle(client: Client, what: string, queue: string): Promise<WorkflowHandle> {
  const workflowId = what.includes('/') ? what : await findRunInProgress(client, what.replaceAll('"', ''), queue);
  const handle = workflowId === null ? null : client.workflow.getHandle(workflowId);
  if (handle !== null && (await isRunning(handle))) return handle;
  throw new CommandError(
    `No run "${toPrintable(what)}" is in progress. Nothing was cancelled. To list the runs: prospect-sync status`,
    exitCodes.usage,
  );
}

async function isRunning(handle: WorkflowHandle): Promise<boolean> {
  try {
    return (await handle.describe()).status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

async function hasEnded(handle: WorkflowHandle): Promise<boolean> {
  const ended = handle.result().then(
    () => true,
    (error: unknown) => {
      if (isGrpcServiceError(error)) throw error;
      return true;
    },
  );
  return Promise.race([ended, sleep(waitForEndMs, false, { ref: false })]);
}

export function toCancellationDocument({ workflowId, isEnded, orderId }: Cancellation) {
  return { workflow_id: workflowId, ended: isEnded, order_id: orderId };
}

export function toCancellationText({ workflowId, isEnded, orderId, runName }: Cancellation): string {
  return [
    isEnded
      ? `${workflowId} was cancelled.`
      : `${workflowId} will end as soon as a worker runs: its cancellation was requested.`,
    orderId === null ? 'It had placed no order, as far as Temporal knows.' : toCollectLater(orderId, runName),
  ].join(' ');
}
