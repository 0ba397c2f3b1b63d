/** The task queue and the ids of workflows. Temporal never runs two workflows with the same id at the same time. */

/** Used unless TEMPORAL_TASK_QUEUE is set. A demo has its own queue, so that no worker with real keys takes its tasks. */
export const taskQueue = 'prospect-sync';

/** The ids of a label read `run/dach-weekly/2026-11-23`, `run/dach-weekly/2026-11-23/2`, and so on. */
export function toRunWorkflowId(runName: string, label: string, number: number): string {
  return `run/${runName}/${label}${number === 1 ? '' : `/${number}`}`;
}

/** Runs of one name place their orders one after another. */
export function toOrderingWorkflowId(queue: string, runName: string): string {
  return `ordering/${queue}/${runName}`;
}

export function toIngestWorkflowId(orderId: string): string {
  return `order/${orderId}`;
}

export function toReconcileWorkflowId(orderId: string): string {
  return `reconcile/${orderId}`;
}

/** @param webhookId the same for every delivery of a reply */
export function toReplyWorkflowId(webhookId: string): string {
  return `reply/${webhookId}`;
}

export function toRetryWorkflowId(orderId: string): string {
  return `retry/${orderId}`;
}

/** One sync of an exclusion runs at a time. The task queue separates demos and installations that share a namespace. */
export function toSyncWorkflowId(queue: string, exclusionName: string): string {
  return `exclusions/${queue}/${exclusionName}`;
}
