import type { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker, type ReplayWorkerOptions } from '@temporalio/worker';

export interface NamedHistory {
  readonly workflowId: string;
  readonly history: ReturnType<typeof historyFromJSON>;
}

/**
 * Runs this build's workflows along a history, on the task queue that it names: they make ids of it, and the SDK's replay
 * tells them a made-up one. Its options take a queue (worker.ts of 1.24), though their type leaves it out.
 * @throws {DeterminismViolationError} when they go another way
 */
export function replayHistory(options: ReplayWorkerOptions, { workflowId, history }: NamedHistory): Promise<void> {
  const taskQueue = history.events?.[0]?.workflowExecutionStartedEventAttributes?.taskQueue?.name;
  return Worker.runReplayHistory({ ...options, ...(taskQueue ? { taskQueue } : {}) }, history, workflowId);
}
