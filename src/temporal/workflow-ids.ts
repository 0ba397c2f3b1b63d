/** Ids of workflows that more than one side starts: workflows and commands must agree on them. */

/** One sync of an exclusion runs at a time. Task queues keep demos and installations of a namespace apart. */
export function toSyncWorkflowId(taskQueue: string, exclusionName: string): string {
  return `exclusions/${taskQueue}/${exclusionName}`;
}
