/** What stands at the bottom of a chain of failures, and its type. */
import {
  ActivityFailure,
  ApplicationFailure,
  ChildWorkflowFailure,
  TerminatedFailure,
  TimeoutFailure,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/common';
import { isFailureType, type FailureType } from './failure-descriptions.ts';

/** Activity and child failures only say that there is one. */
export function rootCause(failure: Error | undefined): Error | undefined {
  const isWrapper = failure instanceof ActivityFailure || failure instanceof ChildWorkflowFailure;
  return isWrapper ? rootCause(failure.cause) : failure;
}

export function failureTypeOf(root: Error | undefined): FailureType {
  const told = root instanceof ApplicationFailure ? (root.type ?? '') : '';
  if (isFailureType(told)) return told;
  if (root instanceof TimeoutFailure) return 'TimedOut';
  if (root instanceof TerminatedFailure) return 'Terminated';
  return root instanceof WorkflowExecutionAlreadyStartedError ? 'AlreadyRunning' : 'Unexpected';
}
