import { isGrpcServiceError, type Client } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';

/** gRPC's NOT_FOUND. */
const notFound = 5;

export type StartedWorkflow = temporal.api.workflow.v1.IWorkflowExecutionInfo;

/** The newest workflow of an id, without decoding its payloads, since their key may be lost. null: Temporal has none, or no longer keeps it. */
export async function findStartedWorkflow(client: Client, workflowId: string): Promise<StartedWorkflow | null> {
  try {
    const { workflowExecutionInfo } = await client.workflowService.describeWorkflowExecution({
      namespace: client.options.namespace,
      execution: { workflowId },
    });
    return workflowExecutionInfo ?? null;
  } catch (error) {
    const code: number | null = isGrpcServiceError(error) ? error.code : null;
    if (code === notFound) return null;
    throw error;
  }
}
