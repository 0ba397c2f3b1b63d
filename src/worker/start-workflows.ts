/** Starts each kind of workflow, or attaches to the one that is running already under its id. */
import { listWorkflows } from '../temporal/list-workflows.ts';
import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Client,
  type WorkflowHandle,
} from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import { orderChangedSignal } from '../../workflows/order-changed-signal.ts';
import type { handleReply } from '../../workflows/handle-reply.ts';
import type { ingestOrder } from '../../workflows/ingest-order.ts';
import type { reconcileOrder, ReconcileOrder } from '../../workflows/reconcile-order.ts';
import type { RetryRows, retryRows } from '../../workflows/retry-rows.ts';
import type { runProspecting } from '../../workflows/run-prospecting.ts';
import type { syncExclusions } from '../../workflows/sync-exclusions.ts';
import type { AnnouncedRows, DeliveryPlan, ExclusionPlan, RunPlan, RunReference } from '../config/run-plan.ts';
import {
  taskQueue,
  toIngestWorkflowId,
  toReconcileWorkflowId,
  toReplyWorkflowId,
  toRetryWorkflowId,
  toRunWorkflowId,
  toSyncWorkflowId,
} from '../temporal/workflow-ids.ts';
import { kindAttribute, orderAttribute, runAttribute, toRunAttributes } from '../temporal/search-attributes.ts';
import {
  describeExclusions,
  describeIngest,
  describeReconciliation,
  describeReply,
  describeRetry,
  describeRun,
  type WorkflowTexts,
} from '../temporal/workflow-texts.ts';

/** The sender of a webhook waits 15 seconds for its answer. */
const callWithinMs = 8_000;

/** A call that would wait for Temporal to come back ends instead: of a receiver, and of the inbox, which tries it again. */
export function withinTime(client: Client, call: () => Promise<void>): Promise<void> {
  return client.withDeadline(Date.now() + callWithinMs, call);
}

/** `joined`: the workflow was running already. */
export interface Started<T extends Workflow> {
  readonly handle: WorkflowHandle<T>;
  readonly joined: boolean;
}

export interface RunStart {
  /** Distinguishes the runs of one name, for example the day. */
  readonly label: string;
  /** Name of the installation that starts it: a worker of another one refuses it. By default any may carry it out. */
  readonly installation?: string | null;
  /** Whether a user accepts what looks like a mistake, such as a repeated order; by default not. */
  readonly isConfirmed?: boolean;
  /** Rows of an enrichment that the user has seen; by default unknown. */
  readonly announced?: AnnouncedRows | null;
  readonly queue?: string;
}

/**
 * Starts a run by name; the worker refuses it if its configuration differs from `plan`. Attaches to a run of that name that is in
 * progress, so that nothing is ordered twice.
 */
export async function startRun(
  client: Client,
  plan: RunPlan,
  { label, installation = null, isConfirmed = false, announced = null, queue = taskQueue }: RunStart,
): Promise<Started<typeof runProspecting>> {
  const { runName, digest } = plan;
  const start = isConfirmed ? 'confirmed' : 'unconfirmed';
  const reference: RunReference = { runName, digest, start, installation, announced };
  const runningId = await findRunInProgress(client, runName, queue);
  if (runningId !== null) return { handle: client.workflow.getHandle<typeof runProspecting>(runningId), joined: true };
  for (let number = 1; ; number += 1) {
    const workflowId = toRunWorkflowId(runName, label, number);
    const started = await startOrJoin<typeof runProspecting>(client, workflowId, () =>
      client.workflow.start<typeof runProspecting>('runProspecting', {
        workflowId,
        taskQueue: queue,
        args: [reference],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        ...describeRun(plan),
        typedSearchAttributes: toRunAttributes(plan),
      }),
    );
    if (started !== null) return started;
  }
}

/**
 * Id of a running run of that name, under any label; runs of schedules count too. Temporal lists a new workflow within a second, and lists
 * one that has just ended as running for as long: the workflow's own status decides.
 */
export async function findRunInProgress(client: Client, runName: string, queue: string): Promise<string | null> {
  const running = `WorkflowType = "runProspecting" AND ExecutionStatus = "Running" AND TaskQueue = "${queue}"`;
  const query = `${running} AND ${runAttribute.name} = "${runName}"`;
  for await (const { workflowId } of listWorkflows(client, { query })) {
    const { status } = await client.workflow.getHandle(workflowId).describe();
    if (status.name === 'RUNNING') return workflowId;
  }
  return null;
}

/** The worker delivers the order as its own configuration of `runName` says; `delivery`, from the caller's configuration, is shown in the Temporal UI. */
export interface OrderToIngest {
  readonly orderId: string;
  readonly runName: string;
  readonly delivery: DeliveryPlan;
  /** Slots that the service has changed since they were collected are replaced. */
  readonly acceptChanges?: boolean;
  /** Overwrites records that a newer order wrote. */
  readonly force?: boolean;
}

/** Collects and delivers an existing order; it can be repeated at any time. */
export function startIngest(
  client: Client,
  { orderId, runName, delivery, acceptChanges, force }: OrderToIngest,
  queue = taskQueue,
): Promise<Started<typeof ingestOrder>> {
  const texts = describeIngest(orderId, delivery);
  const named = { name: 'ingestOrder', workflowId: toIngestWorkflowId(orderId), orderId, texts, queue };
  return startForOrder<typeof ingestOrder>(client, named, [
    { orderId, runName, ...(acceptChanges === true && { acceptChanges }), ...(force === true && { force }) },
  ]);
}

export function startReconcile(
  client: Client,
  input: ReconcileOrder,
  queue = taskQueue,
): Promise<Started<typeof reconcileOrder>> {
  const { orderId } = input;
  const texts = describeReconciliation(orderId);
  const named = { name: 'reconcileOrder', workflowId: toReconcileWorkflowId(orderId), orderId, texts, queue };
  return startForOrder<typeof reconcileOrder>(client, named, [input]);
}

/** Writes quarantined and failed rows to the CRM again, from the ledger. */
export function startRetry(client: Client, input: RetryRows, queue = taskQueue): Promise<Started<typeof retryRows>> {
  const { orderId } = input;
  const named = {
    name: 'retryRows',
    workflowId: toRetryWorkflowId(orderId),
    orderId,
    texts: describeRetry(orderId),
    queue,
  };
  return startForOrder<typeof retryRows>(client, named, [input]);
}

/**
 * Processes a reply of the inbox. One workflow at a time has its id; a finished one may be started again, and finds what is done. The
 * class of the reply is the search attribute ProspectSyncKind, its state ProspectSyncOutcome.
 */
export async function startReply(
  client: Client,
  { webhookId, classification }: { readonly webhookId: string; readonly classification: string | null },
  queue = taskQueue,
): Promise<void> {
  await client.workflow.start<typeof handleReply>('handleReply', {
    workflowId: toReplyWorkflowId(webhookId),
    taskQueue: queue,
    args: [{ webhookId }],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    ...describeReply(webhookId, classification),
    typedSearchAttributes: [{ key: kindAttribute, value: `reply.${classification ?? 'unknown'}` }],
  });
}

/** Wakes the workflow that waits for an order; without one, nothing happens. */
export async function wakeOrder(client: Client, orderId: string): Promise<void> {
  try {
    await client.workflow.getHandle(toIngestWorkflowId(orderId)).signal(orderChangedSignal);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** Syncs one exclusion with a full scan, outside a run. A sync that is attached to may have started earlier, or with a delta scan. */
export async function startExclusions(
  client: Client,
  exclusion: ExclusionPlan,
  queue = taskQueue,
): Promise<Started<typeof syncExclusions>> {
  const workflowId = toSyncWorkflowId(queue, exclusion.name);
  const started = await startOrJoin<typeof syncExclusions>(client, workflowId, () =>
    client.workflow.start<typeof syncExclusions>('syncExclusions', {
      workflowId,
      taskQueue: queue,
      args: [{ syncId: workflowId, exclusion: { name: exclusion.name }, full: true }],
      ...describeExclusions(exclusion),
    }),
  );
  return started ?? startExclusions(client, exclusion, queue);
}

interface OrderWorkflow {
  readonly name: string;
  readonly workflowId: string;
  readonly orderId: string;
  readonly texts: WorkflowTexts;
  readonly queue: string;
}

async function startForOrder<T extends Workflow>(
  client: Client,
  named: OrderWorkflow,
  args: Parameters<T>,
): Promise<Started<T>> {
  const { name, workflowId, orderId, texts, queue } = named;
  const started = await startOrJoin<T>(client, workflowId, () =>
    client.workflow.start<Workflow>(name, {
      workflowId,
      taskQueue: queue,
      args,
      ...texts,
      typedSearchAttributes: [{ key: orderAttribute, value: orderId }],
    }),
  );
  return started ?? startForOrder<T>(client, named, args);
}

/** null when the id belongs to a closed workflow. */
async function startOrJoin<T extends Workflow>(
  client: Client,
  workflowId: string,
  start: () => Promise<WorkflowHandle<T>>,
): Promise<Started<T> | null> {
  try {
    return { handle: await start(), joined: false };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const handle = client.workflow.getHandle<T>(workflowId);
    const { status } = await handle.describe();
    return status.name === 'RUNNING' ? { handle, joined: true } : null;
  }
}
