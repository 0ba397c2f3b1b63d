import { ActivityFailure, ChildWorkflowFailure } from '@temporalio/common';

/** The bottom of a chain of failures: activity and child failures only say that there is one. */
export function rootOf(failure: Error | undefined): Error | undefined {
  const isWrapper = failure instanceof ActivityFailure || failure instanceof ChildWorkflowFailure;
  return isWrapper ? rootOf(failure.cause) : failure;
}
