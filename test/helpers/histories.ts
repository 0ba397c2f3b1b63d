import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { History } from '@temporalio/common/lib/proto-utils.js';

/** Every closed or running workflow of the namespace with its history. */
export async function fetchHistories(
  client: Client,
): Promise<{ workflowId: string; runId: string; type: string; history: History }[]> {
  const histories = [];
  for await (const { workflowId, runId, type } of client.workflow.list()) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    histories.push({ workflowId, runId, type, history });
  }
  return histories;
}

/** All payloads of a history as the texts that Temporal stores, and everything else as JSON. */
export function decodeHistory(history: History): { text: string; largestPayload: number } {
  let largestPayload = 0;
  const parts: string[] = [];
  const visit = (value: unknown): void => {
    if (value instanceof Uint8Array) {
      largestPayload = Math.max(largestPayload, value.length);
      parts.push(Buffer.from(value).toString('utf8'));
    } else if (typeof value === 'string') parts.push(value);
    else if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(history);
  return { text: parts.join('\n'), largestPayload };
}

export { historyToJSON };
