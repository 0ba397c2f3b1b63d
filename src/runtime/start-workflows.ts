/** How the program speaks to Temporal: task queue, workflow ids, and starting each workflow once. */
import { WorkflowExecutionAlreadyStartedError, type Client, type WorkflowHandle } from '@temporalio/client';
import type { SearchAttributePair, Workflow } from '@temporalio/common';
import type { ingestOrder } from '../../workflows/ingest-order.ts';
import type { reconcileOrder, ReconcileOrder } from '../../workflows/reconcile-order.ts';
import type { RetryRows, retryRows } from '../../workflows/retry-rows.ts';
import type { runProspecting } from '../../workflows/run-prospecting.ts';
import type { syncExclusions } from '../../workflows/sync-exclusions.ts';
import type { DeliveryPlan, ExclusionPlan, ActivityTimeouts, RunPlan, RunReference } from '../config/run-plan.ts';
import { kindAttribute, orderAttribute, runAttribute } from '../temporal/search-attributes.ts';
import { toSyncWorkflowId } from '../temporal/workflow-ids.ts';
import {
  describeExclusions,
  describeIngest,
  describeProof,
  describeRetry,
  describeRun,
  type WorkflowTexts,
} from '../temporal/workflow-texts.ts';

/** Where workers look for work, unless TEMPORAL_TASK_QUEUE names another one, or they are a demo's: its stand-ins must never meet a worker with real keys. */
export const taskQueue = 'prospect-sync';

/** A workflow that was started now, or that was running already and is joined. */
export interface Started<T extends Workflow> {
  readonly handle: WorkflowHandle<T>;
  readonly joined: boolean;
}

export interface RunPlace {
  /** What tells runs of one name apart, for example the day. */
  readonly label: string;
  readonly queue?: string;
}

/**
 * Starts a run, as the worker's configuration says, if that is still what `plan` says. It has an id that reads like a sentence: `run/dach-weekly/2026-11-23`, the second of that label
 * `run/dach-weekly/2026-11-23/2`. One that is still going is joined: nothing is ordered twice.
 */
export async function startRun(
  client: Client,
  plan: RunPlan,
  place: RunPlace,
): Promise<Started<typeof runProspecting>> {
  const { label, queue = taskQueue } = place;
  const { runName, digest } = plan;
  const reference: RunReference = { runName, digest, exact: true };
  const going = await findRunInProgress(client, plan.runName, queue);
  if (going !== null) return { handle: client.workflow.getHandle<typeof runProspecting>(going), joined: true };
  for (let number = 1; ; number += 1) {
    const workflowId = `run/${plan.runName}/${label}${number === 1 ? '' : `/${number}`}`;
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

/** What runs can be searched by from their start on. */
export function toRunAttributes({ runName, kind }: RunPlan): SearchAttributePair[] {
  return [
    { key: runAttribute, value: runName },
    { key: kindAttribute, value: kind },
  ];
}

/** A run of that name, of a schedule's too, that was started under another label, the day before for example. Temporal lists it within a second. */
export async function findRunInProgress(client: Client, runName: string, queue: string): Promise<string | null> {
  const going = `WorkflowType = "runProspecting" AND ExecutionStatus = "Running" AND TaskQueue = "${queue}"`;
  const query = `${going} AND ${runAttribute.name} = "${runName}"`;
  for await (const { workflowId } of client.workflow.list({ query, pageSize: 1 })) return workflowId;
  return null;
}

/** An order to deliver: the run of the worker's configuration says how; `delivery` is what the caller's says. */
export interface OrderToIngest {
  readonly orderId: string;
  readonly runName: string;
  readonly delivery: DeliveryPlan;
}

/** Collects and projects an order that exists already; it may be done again at any time. */
export function startIngest(
  client: Client,
  { orderId, runName, delivery }: OrderToIngest,
  queue = taskQueue,
): Promise<Started<typeof ingestOrder>> {
  const texts = describeIngest(orderId, delivery);
  const named = { name: 'ingestOrder', workflowId: `order/${orderId}`, orderId, texts, queue };
  return startForOrder<typeof ingestOrder>(client, named, [{ orderId, runName }]);
}

export function startReconcile(
  client: Client,
  input: ReconcileOrder,
  queue = taskQueue,
): Promise<Started<typeof reconcileOrder>> {
  const { orderId } = input;
  const texts = describeProof(orderId);
  const named = { name: 'reconcileOrder', workflowId: `reconcile/${orderId}`, orderId, texts, queue };
  return startForOrder<typeof reconcileOrder>(client, named, [input]);
}

/** Writes once more what the CRM did not take, from the ledger. */
export function startRetry(client: Client, input: RetryRows, queue = taskQueue): Promise<Started<typeof retryRows>> {
  const { orderId } = input;
  const named = {
    name: 'retryRows',
    workflowId: `retry/${orderId}`,
    orderId,
    texts: describeRetry(orderId),
    queue,
  };
  return startForOrder<typeof retryRows>(client, named, [input]);
}

/** Brings one blacklist to its sources, read whole, outside a run. One that is joined may have read them earlier, or not whole. */
export async function startExclusions(
  client: Client,
  input: { readonly exclusion: ExclusionPlan; readonly pace: ActivityTimeouts },
  queue = taskQueue,
): Promise<Started<typeof syncExclusions>> {
  const { exclusion, pace } = input;
  const workflowId = toSyncWorkflowId(queue, exclusion.name);
  const started = await startOrJoin<typeof syncExclusions>(client, workflowId, () =>
    client.workflow.start<typeof syncExclusions>('syncExclusions', {
      workflowId,
      taskQueue: queue,
      args: [{ syncId: workflowId, exclusion: { name: exclusion.name }, pace, full: true }],
      ...describeExclusions(exclusion),
    }),
  );
  return started ?? startExclusions(client, input, queue);
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

/** null when the id belongs to a workflow that has ended. */
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
